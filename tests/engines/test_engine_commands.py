"""Commands for games and players that take external engines as well."""

import io
import json
import shutil
import sys

import pytest
from external import SCRIPTED, left_behind, program_of, scripted_text

from seedfolio import boost, plan, replay
from seedfolio.cli import run
from seedfolio.errors import EngineError, PortfolioError, SpecificationError
from seedfolio.games import nim
from seedfolio.portfolios.file import load_portfolio, parse_portfolio
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


def test_an_engine_that_resigns_has_lost(folder, monkeypatch, capsys):
    text = scripted_text(folder, "resign", seed="0", bad="0", more='environ = { A = "{seed}" }')
    (folder / "engine.toml").write_text(text)
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\na4\na3\n"))
    assert run(["play", "engine.toml", "--second"]) == 0
    assert "scripted 1 resigns. You win. It played seed " in capsys.readouterr().out


@pytest.mark.slow
def test_plan_minutes_and_compare(folder, capsys):
    planned = plan("engine.toml", k=4, kt=4, threads=1)
    assert (planned.plan.k, planned.plan.games) == (4, 16)
    assert planned.speed > 0
    assert planned.command == "seedfolio boost engine.toml --k 4 --kt 4"
    words = ["--minutes", "0.02", "--learner", "best-seed", "--threads", "1", "--json"]
    assert run(["boost", "engine.toml", "--k", "2", *SMALL[:2], *words]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["request"]["budget"] >= 1
    assert "0.02 minutes are " in printed.err
    words = ["--budget", "16", "--learner", "best-seed", "--learner", "halving", "--json"]
    assert run(["compare", "engine.toml", *words, *SMALL]) == 0
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert names[2:] == ["best-seed", "halving"]


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


REBUILT = "the engine answers differently than when .*: was it rebuilt"


@pytest.mark.slow
def test_a_portfolio_and_a_study_notice(tmp_path):
    bot = tmp_path / "bot.py"
    shutil.copy(SCRIPTED, bot)
    text = scripted_text(tmp_path, "well", seed="0", bad="-", more='setup = ["seed {seed}"]')
    (tmp_path / "engine.toml").write_text(text.replace(str(SCRIPTED), "bot.py"))

    def again():
        sizes = {"k": 2, "kt": 2, "opponents": 17, "learners": ["best-seed"]}
        return boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")

    path = again().save_portfolios()["best-seed"]
    file = load_portfolio(path)
    assert 1 <= len(file.engine.answers) <= 3
    assert {each.arm for each in file.engine.answers} <= {*file.first, *file.second}
    file.engine_program(tmp_path)  # the same engine
    again()
    source = bot.read_text()
    bot.write_text(source.replace('f"{shared} {played}"', 'f"{shared}, {played}"'))
    with pytest.raises(PortfolioError, match=f"{REBUILT}.*learn it again"):
        file.engine_program(tmp_path)
    with pytest.raises(EngineError, match=f"{REBUILT}.*start a new study"):
        again()
    content = json.loads(path.read_text())  # of version 0.2, which kept no answers
    del content["engine"]["answers"], content["engine"]["against"]
    old = parse_portfolio(json.dumps(content), "old")
    assert old.engine.answers == []
    old.engine_program(tmp_path)
    assert not left_behind(tmp_path)
