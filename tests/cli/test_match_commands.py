"""`match` and `worth` on the command line."""

import json

import pytest

from seedfolio.__main__ import _going_on
from seedfolio.cli import run

PROGRAMS = ["domineering:4x4@uct:simulations=20", "domineering:4x4@uct:simulations=5"]


@pytest.fixture(autouse=True)
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


def test_worth_prints_its_steps_and_a_sentence(capsys, made):
    words = ["worth", str(made.portfolio("best-seed")), "--games", "10", "--most", "4", "-q"]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "simulations" in out
    assert out.splitlines()[-1].startswith("worth ")
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == out.splitlines()[-1]


def test_an_interrupt_says_how_to_go_on_if_games_are_kept():
    for words in (["match", "a.json", "nim"], ["worth", "a.json"]):
        assert _going_on(words) == ""
        said = _going_on([*words, "--record", "games"])
        assert said.endswith(f"Go on with: seedfolio {' '.join(words)} --record games")
