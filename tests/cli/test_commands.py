"""The command line as a person uses it, with real files."""

import json
import re

import numpy as np
import pytest
from in_process import seedfolio
from waiting import ran

from seedfolio.__main__ import _going_on
from seedfolio.cli import run

PROGRAM = ["domineering:4x4", "-p", "uct:simulations=20"]
SMALL = [*PROGRAM, "--k", "30", "--kt", "10", "--opponents", "20"]
STEM = "studies/domineering-4x4-uct-simulations-20"
STUDY = f"{STEM}.study"


def printed(*arguments, cwd, **more):
    done = seedfolio(*arguments, cwd=cwd, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def boosted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("boosted")
    return folder, printed("boost", *SMALL, cwd=folder)


def test_boost_prints_the_table_and_where_everything_is(boosted):
    folder, table = boosted
    words = " ".join(table.split())
    for text in ("K'=16", "original, 1 seed", "best-seed", "nash", "±", "never saw"):
        assert text in words
    named = re.findall(r"studies/\S+\.json", table)
    assert len(named) >= 4
    assert all((folder / name).is_file() for name in [*named, STUDY])


def test_boost_again_plays_nothing_and_prints_the_same(boosted):
    folder, table = boosted
    again = seedfolio("boost", *SMALL, cwd=folder)
    assert again.stdout == table
    # A book goes on from its last whole round, and is evaluated again; all else is in the study.
    bars = [line for line in again.stderr.splitlines() if "━" in line]
    assert all(line.startswith(("book", "whole job")) for line in bars), again.stderr
    for command in (["boost", *SMALL, "-q", "--json"], ["show", STUDY, "--json"]):
        data = json.loads(printed(*command, cwd=folder))
        assert (data["study"], "nash" in data["portfolios"]) == (STUDY, True)
        assert (data["request"]["k"], data["rows"][0]["group"]) == (30, "baseline")
        assert len(data["rows"][0]["success"]) == 5


def test_show(boosted):
    folder, table = boosted
    assert printed("show", STUDY, cwd=folder) == table  # the verdict and the files as well
    portfolio = printed("show", f"{STEM}-nash.json", cwd=folder)
    assert "as first player" in portfolio
    assert "Value on the training matrix" in " ".join(portfolio.split())
    assert printed("show", STUDY, "--markdown", cwd=folder).startswith("| success in % |")
    done = seedfolio("show", STUDY, "--plot-seeds", "a.svg", "--plot-k", "b.png", cwd=folder)
    assert done.stderr.splitlines() == ["wrote a.svg", "wrote b.png"]
    assert (folder / "a.svg").read_text().lstrip().startswith("<?xml")
    assert (folder / "b.png").read_bytes().startswith(b"\x89PNG")
    asked = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    shown = ran("-m", "seedfolio", "show", STUDY, cwd=folder, environ=asked)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("?") >= table.partition("Against strangers")[0].count("±")


def test_show_names_only_the_files_of_the_study_that_are_there(made_copy):
    whole = printed("show", "small.study", cwd=made_copy.folder)
    made_copy.portfolio("best-seed").unlink()
    other = json.loads(made_copy.portfolio("nash").read_text(encoding="utf-8"))
    other["provenance"]["games"] += 1
    made_copy.portfolio("nash").write_text(json.dumps(other), encoding="utf-8")
    shown = printed("show", "small.study", cwd=made_copy.folder)
    gone = ("small-best-seed.json", "small-nash.json")
    kept, there = (
        [line for line in text.splitlines() if not line.startswith("play it")]
        for text in (whole, shown)
    )
    assert there == [line for line in kept if not line.endswith(gone)]
    assert len(there) == len(kept) - 2


def test_export(boosted):
    folder, _ = boosted
    for name in ("m.csv", "m.npz"):
        done = seedfolio("export", STUDY, name, cwd=folder)
        said = f"wrote {name}: 30 x 30 seeds, 500 cells played\n"
        assert (done.stdout, done.stderr) == ("", said)
    matrix = np.load(folder / "m.npz")["half_points"]
    assert (matrix.shape, (matrix == 255).sum()) == ((30, 30), 20 * 20)
    lines = (folder / "m.csv").read_text().splitlines()
    assert (len(lines), lines[1].split(",")[1:11]) == (31, [str(cell) for cell in matrix[0, :10]])


def test_lists_and_help(tmp_path):
    lists = ("games", "breakthrough", "seat"), ("players", "uct", "leaf="), ("learners", "nash", "")
    for command, word, parameter in lists:
        assert word in (shown := printed(command, cwd=tmp_path))
        assert parameter in shown
        data = json.loads(printed(command, "--json", cwd=tmp_path))
        assert any(item["name"] == word for item in data)
    assert re.fullmatch(r"seedfolio \d+\.\d+\.\d+\n", printed("--version", cwd=tmp_path))


PROGRAMS = ["domineering:4x4@uct:simulations=20", "domineering:4x4@uct:simulations=5"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def test_a_match_prints_its_table_and_keeps_its_games(capsys, folder):
    words = ["match", *PROGRAMS, "--games", "10", "--record", "games.jsonl", "--threads", "1"]
    assert run([*words, "--sprt", "0,30"]) == 0
    out, err = capsys.readouterr()
    for text in ("uct:simulations=20", "success in %", "Elo", "games.jsonl"):
        assert text in out
    assert "SPRT of Elo 0 against +30" in " ".join(out.split())
    assert "10/10 games" in err
    assert len((folder / "games.jsonl").read_text().splitlines()) == 11
    assert (run([*words, "--sprt", "0,30", "--quiet"]), capsys.readouterr()) == (0, (out, ""))
    assert run(["match", *PROGRAMS, *PROGRAMS, "--games", "2", "-q", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["pairings"]) == 6
    assert data["programs"][0] == "uct:simulations=20 #1"


def test_an_interrupt_says_how_to_go_on_if_games_are_kept():
    for words in (["match", "a.json", "nim"], ["worth", "a.json"]):
        assert _going_on(words) == ""
        said = _going_on([*words, "--record", "games"])
        assert said.endswith(f"Go on with: seedfolio {' '.join(words)} --record games")
