"""A folder from elsewhere: commands write no file outside of it, and replace none of the user's."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from one_line import refused

from seedfolio.cli import run

PROGRAM = ["domineering:4x4", "-p", "uct:simulations=5"]  # which other tests compile, too
BOOST = ["boost", *PROGRAM, "--k", "8", "--opponents", "17", "--quiet"]
NASH = [*BOOST, "-l", "nash", "--study", "a.study"]
MATCH = ["match", "a-nash.json", "a-nash.json", "--games", "2", "--quiet"]
MINE = "dear diary"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Go to an empty folder, beside which the user has a file."""
    (tmp_path / "diary").write_text(MINE)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield
    assert (tmp_path / "diary").read_text() == MINE


@pytest.mark.parametrize("name", ["a-nash.json", "a.study", "a.study-lock", "a.study-wal"])
def test_boost_does_not_write_through_links(name):
    for target in ("../diary", "../new"):
        link = Path(name)
        link.symlink_to(target)
        saying = "not a regular file" if "-lock" in name or "-wal" in name else "a symbolic link"
        refused(*NASH, cwd=".", saying=saying)
        assert link.is_symlink()
        assert not Path("../new").exists()
        link.unlink()
    assert run(NASH) == 0


def test_the_default_study_and_a_checkpoint_are_no_links():
    Path("studies").mkdir()
    Path("studies/domineering-4x4-uct-simulations-5.study").symlink_to("../../new")
    refused(
        *BOOST,
        "-l",
        "nash",
        cwd=".",
        saying="simulations-5.study: it is a symbolic link; name the file",
    )
    shutil.rmtree("studies")
    words = ["boost", *PROGRAM, "--budget", "2000", "--opponents", "17", "--quiet"]
    words += ["-l", "book", "--study", "a.study"]
    assert run(words) == 0
    (kept,) = Path().glob("*.npz")
    for each in Path().iterdir():
        each.unlink()
    kept.symlink_to("../new")
    refused(*words, cwd=".", saying="is a symbolic link")
    assert not Path("../new").exists()


def test_boost_replaces_portfolios_and_no_other_file():
    file = Path("a-nash.json")
    for text in (MINE, "", "{}", '{"name": "package", "version": 2}'):
        file.write_text(text)
        refused(
            *NASH, cwd=".", saying="a-nash.json: the file there is not a portfolio; move it away"
        )
        assert file.read_text() == text
    file.unlink()
    assert run(NASH) == 0
    before = file.read_text()
    other = json.dumps(json.loads(before) | {"player": {"source": "other"}})
    for portfolio in (before[:-30], other):  # a damaged one, too
        file.write_text(portfolio)
        assert (run(NASH), file.read_text()) == (0, before)


def test_exports_and_records_replace_files_and_refuse_links():
    assert run(NASH) == 0
    for name in ("m.csv", "m.npz"):
        Path(name).symlink_to("../diary")
        refused(
            "export", "a.study", name, cwd=".", saying="is a symbolic link; name the file itself"
        )
        Path(name).unlink()
        Path(name).write_text("an earlier export")
        assert run(["export", "a.study", name]) == 0
        assert Path(name).read_bytes() != b"an earlier export"
    Path("m.jsonl").symlink_to("../new")
    refused(*MATCH, "--record", "m.jsonl", cwd=".", saying="m.jsonl: it is a symbolic link")
    assert not Path("../new").exists()


def test_files_are_the_owners_whatever_the_umask_is():
    before = os.umask(0o777)
    try:
        assert (run(NASH), run(["export", "a.study", "m.csv"])) == (0, 0)
        assert (run(["new", "game", "mine.py"]), run([*MATCH, "--record", "m.jsonl"])) == (0, 0)
    finally:
        os.umask(before)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in Path().iterdir()}
    made = "a.study", "a-nash.json", "m.csv", "mine.py", "m.jsonl"
    assert modes == dict.fromkeys(made, 0o600)
