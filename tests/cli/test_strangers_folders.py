"""A folder from elsewhere: commands write no file outside of it, and replace none of the user's."""

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from seedfolio.cli import run

BOOST = ["boost", "nim", "-p", "table", "--k", "8", "--opponents", "17", "--quiet"]
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


def refused(words, capsys, saying):
    assert run(words) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert saying in err


@pytest.mark.parametrize("name", ["a-nash.json", "a.study", "a.study-lock", "a.study-wal"])
def test_boost_does_not_write_through_links(name, capsys):
    for target in ("../diary", "../new"):
        link = Path(name)
        link.symlink_to(target)
        saying = "not a regular file" if "-lock" in name or "-wal" in name else "a symbolic link"
        refused(NASH, capsys, saying)
        assert link.is_symlink()
        assert not Path("../new").exists()
        link.unlink()
    assert run(NASH) == 0


def test_the_default_study_is_no_link(capsys):
    Path("studies").mkdir()
    Path("studies/nim-table-noise-0.study").symlink_to("../../new")
    refused([*BOOST, "-l", "nash"], capsys, "noise-0.study: it is a symbolic link; name the file")
    assert not Path("../new").exists()


def test_a_checkpoint_is_no_link(capsys):
    words = ["boost", "nim", "-p", "table", "--budget", "2000", "--opponents", "17", "--quiet"]
    words += ["-l", "book", "--study", "a.study"]
    assert run(words) == 0
    (kept,) = Path().glob("*.npz")
    for each in Path().iterdir():
        each.unlink()
    kept.symlink_to("../new")
    refused(words, capsys, "is a symbolic link")
    assert not Path("../new").exists()


@pytest.mark.parametrize("text", [MINE, "", "{}", '{"name": "package", "version": 2}'])
def test_boost_replaces_no_other_file(text, capsys):
    Path("a-nash.json").write_text(text)
    refused(NASH, capsys, "a-nash.json: the file there is not a portfolio; move it away")
    assert Path("a-nash.json").read_text() == text


def test_a_portfolio_replaces_a_portfolio(capsys):
    assert run(NASH) == 0
    file = Path("a-nash.json")
    before = file.read_text()
    file.write_text(before[:-30])  # a damaged one, too
    assert run(NASH) == 0
    assert file.read_text() == before
    old = json.loads(before) | {"player": {"source": "other"}}
    file.write_text(json.dumps(old))
    assert run(NASH) == 0
    assert file.read_text() == before


@pytest.mark.parametrize("name", ["m.csv", "m.npz"])
def test_exports_replace_files_and_refuse_links(name, capsys):
    assert run(NASH) == 0
    Path(name).symlink_to("../diary")
    refused(["export", "a.study", name], capsys, "is a symbolic link; name the file itself")
    Path(name).unlink()
    Path(name).write_text("an earlier export")
    assert run(["export", "a.study", name]) == 0
    assert Path(name).read_bytes() != b"an earlier export"


def test_files_are_the_owners_whatever_the_umask_is():
    before = os.umask(0o777)
    try:
        assert run(NASH) == 0
        assert run(["export", "a.study", "m.csv"]) == 0
        assert run(["new", "game", "mine.py"]) == 0
        assert run([*MATCH, "--record", "m.jsonl"]) == 0
    finally:
        os.umask(before)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in Path().iterdir()}
    made = "a.study", "a-nash.json", "m.csv", "mine.py", "m.jsonl"
    assert modes == dict.fromkeys(made, 0o600)


def test_the_record_of_a_match_is_no_link(capsys):
    assert run(NASH) == 0
    Path("m.jsonl").symlink_to("../new")
    refused([*MATCH, "--record", "m.jsonl"], capsys, "m.jsonl: it is a symbolic link")
    assert not Path("../new").exists()


def test_a_view_without_end_and_a_trigger_are_refused(capsys):
    assert run(NASH) == 0
    content = Path("a.study").read_bytes()
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    for made, saying in [
        (f"DROP TABLE evaluation; CREATE VIEW evaluation AS {endless}", "a view named 'eval"),
        ("CREATE TRIGGER t AFTER INSERT ON request BEGIN DELETE FROM run; END", "a trigger named"),
    ]:
        Path("a.study").write_bytes(content)
        with closing(sqlite3.connect("a.study")) as connection:
            connection.executescript(made)
        changed = Path("a.study").read_bytes()
        for words in (NASH, ["show", "a.study"], ["export", "a.study", "m.csv"]):
            refused(words, capsys, saying)
        assert Path("a.study").read_bytes() == changed
