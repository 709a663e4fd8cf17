"""`seedfolio teach`: games in the terminal that count, are kept, and continue."""

import io
import json
import sys
from ast import literal_eval
from pathlib import Path

import pytest
from case_files import cases
from scripted_people import SMALL_NIM

from seedfolio.__main__ import main
from seedfolio.people.teach import play_games

PLAYER = "uct:simulations=30"
ALL = [f"{letter}{number}" for number in (1, 2, 3) for letter in "abc"]


@pytest.fixture
def teach(tmp_path, monkeypatch, capsys):
    def run(*options, typed="", game=SMALL_NIM):
        monkeypatch.chdir(tmp_path)
        name = () if "--name" in options else ("--name", "Ann")
        words = ["seedfolio", "teach", game, "-p", PLAYER, "--key", "5", *name, *options]
        monkeypatch.setattr(sys, "argv", words)
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        return (main(), *capsys.readouterr())

    return run


def test_a_game_that_was_left_continues_and_all_are_played_to_their_end(teach):
    code, out, _ = teach("--colour", "first", typed="c3\nundo\nquit\n")
    assert code == 0
    assert "There is no undo in games that count." in out
    assert "your game is kept." in out
    assert "seed" not in out
    code, out, _ = teach("--colour", "first", "--games", "1", typed="resign\n")
    assert "This is the game that you left." in out
    assert "You resign. The program wins. It played seed " in out
    assert "Ann, 1 game\n" in out
    code, out, _ = teach("--show", "--json")
    data = json.loads(out)
    assert [each["games"] for each in data["colours"]] == [1, 0]
    assert Path("studies/people.teach").is_file()
    code, out, _ = teach("--games", "4", typed="\n".join(ALL * 40))
    assert (code, out.count("You win.") + out.count("The program wins.")) == (0, 4)
    assert out.count("you are first player") == out.count("you are second player") == 2
    assert "Ann, 5 games" in out


@pytest.mark.parametrize(
    ("options", "saying"), cases(__file__, "mistakes get one line", literal_eval)
)
def test_mistakes_get_one_line(teach, options, saying):
    code, out, err = teach(*options)
    assert (code, out) == (2, "")
    assert saying in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_an_interrupt_says_how_to_go_on(teach, monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("signal.signal", lambda *both: None)  # of this process of tests
    monkeypatch.setattr(play_games, "__kwdefaults__", {"ask": interrupted, "say": print})
    code, _, err = teach("--colour", "first")
    assert code == 130
    assert "every move is kept. Go on with: seedfolio teach" in err
