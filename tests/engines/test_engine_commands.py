"""Commands for games and players that take external engines as well."""

import io
import json
import shutil
import sys

import pytest
from external import left_behind, need_open_spiel, program_of, scripted_text

from seedfolio import boost, plan, replay
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.engines.play.check import check_program
from seedfolio.errors import SpecificationError
from seedfolio.games import nim
from seedfolio.study.store import Study

SEED = 'setup = ["seed {seed}"]'
SMALL = ["--opponents", "17", "--quiet"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "engine.toml").write_text(scripted_text(tmp_path, "well", seed="0", more=SEED))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_replay_is_the_game_of_the_study(folder, capsys):
    sizes = {"k": 2, "kt": 2, "opponents": 17, "learners": ["best-seed"]}
    outcome = boost(folder / "engine.toml", **sizes, study=folder / "a.study")
    with Study.read(folder / "a.study") as study:
        (game,) = (g for g in study.engine_games().games() if g.arms == (1, 0))
    for file in ("engine.toml", str(outcome.save_portfolios()["best-seed"])):
        assert run(["replay", file, "1", "0", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (tuple(found["moves"]), found["half_points"]) == (game.moves, game.points)
    record = replay("engine.toml", 1, 0)
    assert record.text.startswith("nim, engine: seed 1 against seed 0.\n")
    with pytest.raises(SpecificationError, match="is not an arm"):
        replay("engine.toml", "1/2", 0)
    with pytest.raises(SpecificationError, match="nim has no SGF"):
        _ = record.sgf
    with pytest.raises(SpecificationError, match="nim, engine is not chess, so it has no PGN"):
        _ = record.pgn


@pytest.mark.slow
def test_show_prints_what_boost_printed(folder, capsys):
    sizes = ["--k", "2", "--kt", "2", "-l", "best-seed", "--study", "a.study"]
    assert run(["boost", "engine.toml", *sizes, *SMALL]) == 0
    printed = capsys.readouterr().out
    assert "\ngames       " in printed
    assert run(["show", "a.study"]) == 0
    assert capsys.readouterr().out == printed


def test_play_against_an_engine(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("moves\na1\nresign\n"))
    assert run(["play", "engine.toml", "--key", "3"]) == 0
    printed = capsys.readouterr().out
    assert "scripted 1 is second" in printed or "scripted 1 is" in printed
    assert "You resign. The program wins. It played seed " in printed


def test_an_engine_that_resigns_has_lost(folder, monkeypatch, capsys):
    text = scripted_text(folder, "resign", seed="0", bad="0", more='environ = { A = "{seed}" }')
    (folder / "engine.toml").write_text(text)
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\na4\na3\n"))
    assert run(["play", "engine.toml", "--second"]) == 0
    assert "scripted 1 resigns. You win. It played seed " in capsys.readouterr().out


@pytest.mark.slow
def test_plan_measures_the_engine(folder, capsys):
    planned = plan("engine.toml", k=4, kt=4, threads=1)
    assert (planned.plan.k, planned.plan.games) == (4, 16)
    assert planned.speed > 0
    assert planned.command == "seedfolio boost engine.toml --k 4 --kt 4"


@pytest.mark.slow
def test_minutes_become_a_budget(folder, capsys):
    words = ["--minutes", "0.02", "--learner", "best-seed", "--threads", "1", "--json"]
    assert run(["boost", "engine.toml", "--k", "2", *SMALL[:2], *words]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["request"]["budget"] >= 1
    assert "0.02 minutes are " in printed.err


@pytest.mark.slow
def test_compare_takes_an_engine(folder, capsys):
    words = ["--budget", "16", "--learner", "best-seed", "--learner", "halving", "--json"]
    assert run(["compare", "engine.toml", *words, *SMALL]) == 0
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert names[2:] == ["best-seed", "halving"]


OWN_BOT = '''
import random


class MyBot:
    """Plays at random, with some liking for the middle."""

    def __init__(self, game, player, seed, middle=0):
        self.draw, self.middle = random.Random(seed), middle

    def step(self, state):
        moves = state.legal_actions()
        if self.middle == 99:
            raise ValueError("no middle")
        return 4 if self.middle and 4 in moves else self.draw.choice(moves)
'''
OWN = """
[game]
name = "open_spiel:tic_tac_toe"
[player]
protocol = "open_spiel"
bot = "my_bot.py:MyBot"
options = { middle = MIDDLE }
"""


def own_bot(folder, middle=0, kind="MyBot"):
    (folder / "my_bot.py").write_text(OWN_BOT)
    text = OWN.replace("MIDDLE", str(middle)).replace("MyBot", kind)
    return program_of(folder, text)


def test_a_bot_may_be_a_python_class(tmp_path):
    need_open_spiel()
    program = own_bot(tmp_path)
    found = check_program(program)
    assert found.passed
    assert found.by_moves
    assert program.engine_identity == "bot MyBot"
    before = program.identity_of_parts()
    (tmp_path / "my_bot.py").write_text(OWN_BOT.replace("choice", "choices"))
    assert program.identity_of_parts() != before  # another bot, another study


def test_a_bot_that_raises_an_error_forfeits(tmp_path):
    need_open_spiel()
    found = check_program(own_bot(tmp_path, middle=99))
    assert found.fault.startswith(
        f"{Ending.CRASH.value} after 0 moves: bot MyBot raised ValueError"
    )


def test_a_bot_that_is_not_there_is_named(tmp_path):
    need_open_spiel()
    with pytest.raises(SpecificationError, match="has no class 'YourBot' with a method step"):
        own_bot(tmp_path, kind="YourBot").engine_identity  # noqa: B018


@pytest.mark.slow
def test_the_game_may_be_a_file_of_the_user(folder, monkeypatch, capsys):
    shutil.copy(nim.__file__, folder / "my_nim.py")
    text = scripted_text(folder, "well", seed="0", more=SEED).replace('"nim"', '"my_nim.py"')
    program = program_of(folder, text)
    assert program.title == "my_nim, engine"
    monkeypatch.chdir(folder.parent)  # the file is found beside the specification
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\nresign\n"))
    assert run(["play", str(folder / "engine.toml"), "--key", "3"]) == 0
    assert "You resign. The program wins. It played seed " in capsys.readouterr().out
