"""Boosting external engines, to the table, the portfolio and the study; and other commands."""

import io
import json
import math
import random
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from external import SCRIPTED, SEED, left_behind, program_of, seeded_text, started

from seedfolio import Study, boost, check, plan, replay, show
from seedfolio.engines.endings import Ending
from seedfolio.engines.play import check as engine_check
from seedfolio.engines.record import GameRecord
from seedfolio.errors import EngineError, PortfolioError, SpecificationError, StudyError
from seedfolio.games import nim
from seedfolio.portfolios.file import load_portfolio, parse_portfolio
from seedfolio.report.portfolio import portfolio_tables
from seedfolio.study.arms import TrainingArms, UnseenArms

SIZES = {"k": 6, "kt": 4, "opponents": 17, "learners": ["best-seed"]}
SMALL = {"k": 2, "kt": 2, "opponents": 2, "learners": ["best-seed"]}


def written(folder, mode="well", token=None, **options):
    file = folder / "engine.toml"
    file.write_text(seeded_text(token or folder, mode, **options))
    return file


@pytest.fixture(scope="module")
def boosted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("boosted")
    outcome = boost(written(folder), **SIZES, study=folder / "a.study")
    return folder, outcome


def test_boosting_comes_to_a_table_and_a_portfolio(boosted):
    folder, outcome = boosted
    path = outcome.save_portfolios()["best-seed"]
    file = load_portfolio(path)
    (first,), (second,) = file.first, file.second
    one, other = (UnseenArms(0, count).seeds() for count in file.evaluation.unseen_arms)
    with Study.read(folder / "a.study") as study:
        as_first = study.results(np.array([first], np.uint64), one).mean() / 2
        as_second = 1 - study.results(other, np.array([second], np.uint64)).mean() / 2
        training = study.results(TrainingArms(0, 6).seeds(), TrainingArms(0, 4).seeds())
        games = [game for game in study.engine_games().games() if game.arms[0] == first]
    totals = training.sum(axis=1)
    assert totals[first] == totals.max()  # one of the best; ties are drawn
    assert outcome.rows[2].name == "best-seed"
    success = outcome.rows[2].estimates[0].mean
    assert success == pytest.approx((as_first + as_second) / 2)
    assert file.engine.identity == "scripted 1"
    assert file.engine.arms == {arm: f"seed {arm}" for arm in {first, second}}
    engine = started(file.engine_program(folder), first)  # it plays the arm of the games
    try:
        for move, answer in zip(games[0].moves[::2], games[0].moves[1::2], strict=False):
            assert engine.choose(0) == move
            engine.told(1, answer)
    finally:
        engine.close()
    with pytest.raises(PortfolioError, match="is an external engine, without a board here"):
        file.program(folder)
    content = json.loads(path.read_text())
    content["engine"]["specification"]["player"]["command"][2] = "7 "
    (folder / "changed.json").write_text(json.dumps(content))
    with pytest.raises(PortfolioError, match="has been changed"):
        load_portfolio(folder / "changed.json").engine_program(folder)
    assert not left_behind(folder)


def test_the_study_keeps_every_game_and_answer(boosted):
    folder, _ = boosted
    with Study.read(folder / "a.study") as study:
        games = list(study.engine_games().games())
        summary = study.engine_games().summary()
        arms = np.array([game.arms for game in games], np.uint64)
        assert study.lookup(*arms.T).tolist() == [game.points for game in games]
        assert study.count() == len(games) == summary.games
    assert summary.endings == {Ending.NORMAL: len(games)}
    assert summary.moves == sum(len(game.moves) for game in games)
    assert 0 < summary.computed < summary.moves


@pytest.mark.slow
def test_the_command_prints_what_python_returns(boosted, command):
    folder, outcome = boosted
    sizes = [f"--{name}={SIZES[name]}" for name in ("k", "kt", "opponents")]
    words = ["boost", str(folder / "engine.toml"), *sizes, "-l", "best-seed", "-q"]
    code, printed, errors = command(*words, "--study", "b.study", "--json")
    assert code == 0, errors
    data = json.loads(printed)
    expected = outcome.as_data()
    assert {name: data[name] for name in expected} == json.loads(json.dumps(expected))
    assert load_portfolio(Path("b-best-seed.json")) == outcome.portfolios["best-seed"]
    assert data["portfolios"] == {"best-seed": "b-best-seed.json"}
    code, printed, errors = command(*words, "--study", "b.study")
    lines = [line for line in printed.splitlines() if line.count("±") > 3]
    for line, row in zip(lines, outcome.rows, strict=True):
        assert row.name in line
        assert all(f"{100 * each.mean:.1f}" in line for each in row.estimates)
    assert command("show", "b.study")[1] == printed
    again = boost(folder / "engine.toml", **SIZES, study="b.study")
    assert again.as_data() == outcome.as_data()
    boost(folder / "engine.toml", **{**SIZES, "k": 7}, study="b.study")
    with Study.read(Path("b.study")) as study:
        assert not study.missing(TrainingArms(0, 7).seeds(), UnseenArms(0, 17).seeds()).any()
    other = Path("other.toml")
    other.write_text((folder / "engine.toml").read_text().replace('"nim"', '"nim:misere=1"'))
    with pytest.raises(StudyError, match="is a different study"):
        boost(other, **SIZES, study="b.study")


@pytest.mark.slow
def test_a_finite_list_of_arms_is_learnt_from_and_met_as_a_whole(tmp_path):
    file = written(tmp_path)
    text = file.read_text().replace("[arms]", '[arms]\nseeds = "1..17"')
    program = program_of(tmp_path, text)
    assert program.arms.finite
    assert program.arms.usual_sizes == (17, 17, 17)
    outcome = boost(file, **{**SIZES, "k": 3, "kt": 3}, study=tmp_path / "a.study")
    assert "arms of the same list, which has no others: no opponent is unseen" in outcome.caption
    shown = [portfolio_tables(each)[0].caption for each in outcome.portfolios.values()]
    assert all("arms of its list, which has no others, as first player" in each for each in shown)
    assert show(tmp_path / "a.study").caption == outcome.caption
    # Its arms are deterministic, so the first three opponents play the games learnt from again.
    three, again = TrainingArms(0, 3).seeds(), UnseenArms(0, 3).seeds()
    with Study.read(tmp_path / "a.study") as study:
        assert (study.results(three, three) == study.results(three, again)).all()
    saved = outcome.portfolios["best-seed"]
    assert all(name == f"seed {arm + 1}" for arm, name in saved.engine.arms.items())


def test_a_check_in_plain_words(command, tmp_path):
    written(tmp_path)
    code, printed, errors = command("check", "engine.toml", "--threads", "1")
    assert code == 0, errors
    for words in (
        *("plays the same moves in new processes", "different arms play different games"),
        *("they are kept for the next game", "equal beginnings are computed once"),
        "about 1,440 games (k=20, kt=20, opponents=20), about ",
    ):
        assert words in printed
    assert "every game gets new processes" not in printed
    assert "passed" in printed.splitlines()[-1]
    assert errors.splitlines()[:2] == ["starts the engine", "plays a game"]


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        pytest.param("deaf", "the seed or the options", marks=pytest.mark.slow),
        ("die at once", "first game    forfeited by crash after 0 moves"),
    ],
)
def test_a_program_that_fails_the_check_is_refused_by_boost(mode, found, command, tmp_path):
    file = written(tmp_path, mode, bad="0")
    code, printed, errors = command("check", "engine.toml")
    assert code == 1, errors
    assert found in printed
    # After a crash nothing is estimated nor advised.
    crash = mode == "die at once"
    assert ("takes the mean of several games with --despite-check" in printed) != crash
    assert any(line.startswith("study ") for line in printed.splitlines()) != crash
    problem = r"crash after 0 moves.*; correct" if crash else r"failed the check: .*`despite_check`"
    for despite in (False, True)[: 1 + crash]:
        with pytest.raises(EngineError, match=problem):
            boost(file, **SIZES, study=tmp_path / "a.study", despite_check=despite)
    assert not (tmp_path / "a.study").exists()


@pytest.mark.slow
def test_a_noisy_engine_plays_as_many_games_a_cell_as_its_noise_takes(command, tmp_path):
    file = written(tmp_path, "random", bad="0")
    code, printed, _ = command("check", "engine.toml", "--json")
    found = json.loads(printed)
    assert (code, found["noisy"], found["deterministic"]) == (0, True, False)
    assert found["noise"] <= math.sqrt(1 / 3)  # as many wins as losses in all cells
    printed = command("check", "engine.toml")[1]
    assert re.search(r"^verdict +noisy: boost takes the mean of \d+ games a cell$", printed, re.M)
    outcome = boost(file, **SMALL, study=tmp_path / "a.study")
    assert outcome.repeats == outcome.luck.repeats >= 2
    assert f", {outcome.repeats} games a pair. The" in outcome.caption
    file.write_text(file.read_text() + "\n[study]\nrepeats = 2\n")
    assert boost(file, **SMALL, study=tmp_path / "b.study").repeats == 2


def test_the_noise_of_a_check_is_that_of_one_game(monkeypatch, tmp_path):
    program, chance = program_of(tmp_path, seeded_text(tmp_path)), random.Random(7)

    def play(program, pool, *arms):
        moves = (str(chance.random()),)
        return GameRecord(arms=arms, moves=moves, points=2 * (chance.random() < 0.9))

    monkeypatch.setattr(engine_check, "play_game", play)
    monkeypatch.setattr(engine_check, "_NOISY_PAIRS", 500)
    found = engine_check.check_program(program)
    assert found.noise == pytest.approx(0.3, abs=0.02)  # the square root of 0.9 * 0.1
    assert (found.passed, found.remember, found.repeats) == (False, False, 6)
    for noise, repeats in ((0.0, 2), (0.25, 4), (0.5, 16), (0.58, 16)):
        assert replace(found, noise=noise).repeats == repeats


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "time"), [("well", "1000+1"), ("oversleeps", "0.05/move")])
def test_an_engine_with_a_clock(mode, time, tmp_path):
    more = f'{SEED}\n[clock]\ntime = "{time}"\n[log]\nfolder = "logs"\n'
    file = written(tmp_path, mode, bad="0", more=more)
    found = check(file)
    assert found.found.noisy
    assert "a clock decides" in found.text
    lost = {each.ending for each in found.faults}
    assert lost == (set() if mode == "well" else {"loss on time"})
    outcome = boost(file, **SMALL, study=tmp_path / "a.study")
    with Study.read(tmp_path / "a.study") as study:
        games = list(study.engine_games().games())
        assert list(study.engine_games().answers()) == []
    assert outcome.repeats >= 2
    assert "play other games each time" in " ".join(outcome.caption.split())
    late = [game for game in games if game.ending is Ending.TIME_LOSS]
    assert bool(late) == (mode != "well")
    assert all("s for move 1" in game.detail for game in late if not game.moves)
    said = "".join(each.read_text() for each in (tmp_path / "logs").iterdir())
    assert ("time_settings 1000 0 0" if mode == "well" else "time_left b 0.05 1") in said


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "repeats"), [("random", 3), ("well", 2)])
def test_despite_it_cells_are_means_over_games(mode, repeats, tmp_path):
    """Of an engine that has passed the check, too, no answer is thought to be known."""
    sizes = {**SIZES, "k": 3, "kt": 2, "despite_check": True, "repeats": repeats}
    outcome = boost(written(tmp_path, mode), **sizes, study=tmp_path / "a.study")
    assert outcome.luck.repeats == repeats
    with Study.read(tmp_path / "a.study") as study:
        assert study.full == 2 * repeats
        results = study.results(TrainingArms(0, 3).seeds(), UnseenArms(0, 17).seeds())
        assert list(study.engine_games().answers()) == []
    assert ({*results.ravel().tolist()} <= {0, study.full}) == (mode == "well")


def test_options_that_make_no_sense_are_refused_in_one_line(command, tmp_path):
    file = written(tmp_path)
    for option in ("--player=uct", "--symmetries", "--arena=cuda", "--k=0", "--opponents=1"):
        code, _, errors = command("boost", "engine.toml", option)
        assert (code, errors.count("\n")) == (2, 1)
        assert option.strip("-").partition("=")[0] in errors
    with pytest.raises(SpecificationError, match="leave out `repeats`"):
        boost(file, **SIZES, repeats=3, study=tmp_path / "a.study")


@pytest.mark.slow
def test_replay_is_the_game_of_the_study(command, tmp_path):
    outcome = boost(written(tmp_path), **SMALL, study="a.study")
    with Study.read(tmp_path / "a.study") as study:
        (game,) = (g for g in study.engine_games().games() if g.arms == (1, 0))
    for file in ("engine.toml", str(outcome.save_portfolios()["best-seed"])):
        _, printed, _ = command("replay", file, "1", "0", "--json")
        found = json.loads(printed)
        assert (tuple(found["moves"]), found["half_points"]) == (game.moves, game.points)
    record = replay("engine.toml", 1, 0)
    assert record.text.startswith("nim, engine: seed 1 against seed 0.\n")
    with pytest.raises(SpecificationError, match="is not an arm"):
        replay("engine.toml", "1/2", 0)
    for kind, problem in (("sgf", "nim has no SGF"), ("pgn", "is not chess, so it has no PGN")):
        with pytest.raises(SpecificationError, match=problem):
            getattr(record, kind)


@pytest.mark.slow
def test_plan_minutes_and_compare(command, tmp_path):
    written(tmp_path)
    planned = plan("engine.toml", k=4, kt=4, threads=1)
    assert (planned.plan.k, planned.plan.games) == (4, 16)
    assert planned.speed > 0
    assert planned.command == "seedfolio boost engine.toml --k 4 --kt 4"
    words = ["--minutes", "0.02", "--learner", "best-seed", "--threads", "1", "--json"]
    _, printed, said = command("boost", "engine.toml", "--k", "2", "--opponents", "2", *words)
    assert json.loads(printed)["request"]["budget"] >= 1
    assert "0.02 minutes are " in said
    words = ["--budget", "16", "--learner", "best-seed", "--learner", "halving", "--json"]
    _, printed, _ = command("compare", "engine.toml", *words, "--opponents", "2", "--quiet")
    assert [row["name"] for row in json.loads(printed)["rows"]][2:] == ["best-seed", "halving"]


def test_play(command, tmp_path, monkeypatch):
    more = 'environ = { A = "{seed}" }'
    written(tmp_path, "resign", bad="0", more=more)  # an engine that resigns has lost
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\na4\na3\n"))
    _, printed, _ = command("play", "engine.toml", "--second")
    assert "scripted 1 resigns. You win. It played seed " in printed
    # The game may be a file of the user, which is found beside the specification.
    (tmp_path / "below").mkdir()
    shutil.copy(nim.__file__, tmp_path / "below/my_nim.py")
    file = written(tmp_path / "below")
    file.write_text(file.read_text().replace('"nim"', '"my_nim.py"'))
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\nresign\n"))
    _, printed, _ = command("play", "below/engine.toml", "--key", "3")
    assert "You resign. The program wins. It played seed " in printed


REBUILT = "the engine answers differently than when .*: was it rebuilt"


@pytest.mark.slow
def test_a_portfolio_and_a_study_notice_another_engine(tmp_path):
    bot, file = tmp_path / "bot.py", written(tmp_path, bad="-")
    shutil.copy(SCRIPTED, bot)
    file.write_text(file.read_text().replace(str(SCRIPTED), "bot.py"))
    study = tmp_path / "a.study"
    path = boost(file, **SMALL, study=study).save_portfolios()["best-seed"]
    portfolio = load_portfolio(path)
    assert 1 <= len(portfolio.engine.answers) <= 3
    assert {each.arm for each in portfolio.engine.answers} <= {*portfolio.first, *portfolio.second}
    portfolio.engine_program(tmp_path)  # the same engine
    boost(file, **SMALL, study=study)
    source = bot.read_text()
    bot.write_text(source.replace('f"{shared} {played}"', 'f"{shared}, {played}"'))
    with pytest.raises(PortfolioError, match=f"{REBUILT}.*learn it again"):
        portfolio.engine_program(tmp_path)
    with pytest.raises(EngineError, match=f"{REBUILT}.*start a new study"):
        boost(file, **SMALL, study=study)
    content = json.loads(path.read_text())  # of version 0.2, which kept no answers
    del content["engine"]["answers"], content["engine"]["against"]
    old = parse_portfolio(json.dumps(content), "old")
    assert old.engine.answers == []
    old.engine_program(tmp_path)
