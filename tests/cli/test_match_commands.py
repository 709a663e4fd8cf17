"""`match` and `worth` on the command line."""

import json

import pytest

import seedfolio
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
    assert run(words) == 0
    out, err = capsys.readouterr()
    for text in ("uct:simulations=20", "success in %", "Elo", "games.jsonl"):
        assert text in out
    assert "10/10 games" in err
    assert len((folder / "games.jsonl").read_text().splitlines()) == 11
    assert run([*words, "--quiet"]) == 0
    again, err = capsys.readouterr()
    assert again == out
    assert err == ""


def test_a_match_as_json(capsys):
    assert run(["match", *PROGRAMS, *PROGRAMS, "--games", "2", "-q", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["pairings"]) == 6
    assert data["programs"][0] == "uct:simulations=20 #1"


def test_the_sequential_test_is_reported(capsys):
    words = ["match", *PROGRAMS, "--games", "4", "--sprt", "0,30", "-q"]
    assert run(words) == 0
    assert "SPRT of Elo 0 against +30" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "nim"], "needs 2 to 100 programs"),
        (["match", "nim", "pig"], "must play the same game"),
        (["match", "nim", "engine.toml"], "there is no file engine.toml"),
        (["match", "nim", "nim", "--games", "3"], "--games must be an even number"),
        (["match", "nim", "nim", "--sprt", "30"], "--sprt must be two differences in Elo"),
        (["match", "nim", "nim", "--sprt", "30,nan"], "--sprt must be two differences in Elo"),
        (["worth", "nim"], "is not boosted, so it is worth its own thinking"),
        (["worth", "a.json"], "there is no portfolio file a.json"),
        (["worth", "a.json", "--most", "1"], "--most must be above 1"),
    ],
)
def test_bad_input_gets_one_line(words, message, capsys):
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert message in err


def test_worth_prints_its_steps_and_a_sentence(capsys):
    sizes = {"k": 8, "opponents": 17, "learners": ["best-seed"], "study": "a.study"}
    boosted = seedfolio.boost("domineering:4x4", "uct:simulations=5", **sizes)
    words = ["worth", str(boosted.save_portfolios()["best-seed"]), "--games", "10", "--most", "4"]
    assert run([*words, "-q"]) == 0
    out = capsys.readouterr().out
    assert "simulations" in out
    assert out.splitlines()[-1].startswith("worth ")
    assert run([*words, "-q", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == out.splitlines()[-1]


def test_an_interrupt_says_how_to_go_on_if_games_are_kept():
    assert _going_on(["match", "a.json", "nim"]) == ""
    said = _going_on(["match", "a.json", "nim", "--record", "games.jsonl"])
    assert said.endswith("Go on with: seedfolio match a.json nim --record games.jsonl")
    assert _going_on(["worth", "a.json"]) == ""
    said = _going_on(["worth", "a.json", "--record", "games"])
    assert said.endswith("Go on with: seedfolio worth a.json --record games")
