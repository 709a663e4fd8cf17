"""Checking and boosting external engines, to the table, the portfolio and the study."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from external import GNU_GO, left_behind, need, program_of, scripted_text, started
from waiting import PATIENCE, finish, killed, start_command, wait_until

from seedfolio import boost, show
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.errors import EngineError, PortfolioError, SpecificationError, StudyError
from seedfolio.portfolios.file import load_portfolio
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.store import Study

SIZES = {"k": 6, "kt": 4, "opponents": 17, "learners": ["best-seed"]}


def written(folder, mode, **options):
    file = folder / "engine.toml"
    options = {"seed": "0", "more": 'setup = ["seed {seed}"]', **options}
    file.write_text(scripted_text(folder, mode, **options))
    return file


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run a command in the test's folder, in this process; return its code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments):
        capsys.readouterr()
        code = run(list(arguments))
        return code, *capsys.readouterr()

    return run_it


@pytest.fixture(scope="module")
def boosted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("boosted")
    outcome = boost(written(folder, "well"), **SIZES, study=folder / "a.study")
    return folder, outcome


@pytest.mark.slow
def test_boosting_comes_to_a_table_a_portfolio_and_a_study(boosted):
    folder, outcome = boosted
    assert [row.name for row in outcome.rows] == [
        "original, 1 seed",
        "original, mixture",
        "best-seed",
    ]
    path = outcome.save_portfolios()["best-seed"]
    file = load_portfolio(path)
    (first,), (second,) = file.first, file.second
    one, other = (UnseenArms(0, count).seeds() for count in file.evaluation.unseen_arms)
    with Study.read(folder / "a.study") as study:
        as_first = study.results(np.array([first], np.uint64), one).mean() / 2
        as_second = 1 - study.results(other, np.array([second], np.uint64)).mean() / 2
        training = study.results(TrainingArms(0, 6).seeds(), TrainingArms(0, 4).seeds())
    totals = training.sum(axis=1)
    assert totals[first] == totals.max()  # one of the best; ties are drawn
    success = outcome.rows[2].estimates[0].mean
    assert success == pytest.approx((as_first + as_second) / 2)
    assert file.engine is not None
    assert file.engine.identity == "scripted 1"
    assert set(file.engine.arms) == {*file.first, *file.second}
    assert all(name == f"seed {arm}" for arm, name in file.engine.arms.items())
    assert not left_behind(folder)


@pytest.mark.slow
def test_a_finite_list_of_arms_is_learnt_from_and_met_as_a_whole(tmp_path):
    file = written(tmp_path, "well")
    text = file.read_text().replace("[arms]", '[arms]\nseeds = "1..17"')
    file.write_text(text)
    program = program_of(tmp_path, text)
    assert program.arms.finite
    assert program.arms.usual_sizes == (17, 17, 17)
    asked = {"k": 3, "kt": 3, "learners": ["best-seed"], "study": tmp_path / "a.study"}
    outcome = boost(file, opponents=17, **asked)
    assert "arms of the same list, which has no others: no opponent is unseen" in outcome.caption
    assert show(tmp_path / "a.study").caption == outcome.caption
    # Its arms are deterministic, so the first three opponents play the games learnt from again.
    three, again = TrainingArms(0, 3).seeds(), UnseenArms(0, 3).seeds()
    with Study.read(tmp_path / "a.study") as study:
        assert (study.results(three, three) == study.results(three, again)).all()
    saved = load_portfolio(outcome.save_portfolios()["best-seed"])
    assert saved.engine is not None
    assert all(name == f"seed {arm + 1}" for arm, name in saved.engine.arms.items())
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_the_command_prints_what_python_returns(boosted, command):
    folder, outcome = boosted
    sizes = [f"--{name}={SIZES[name]}" for name in ("k", "kt", "opponents")]
    words = ["boost", str(folder / "engine.toml"), *sizes, "-l", "best-seed", "-q"]
    code, printed, errors = command(*words, "--study", "b.study", "--json")
    assert code == 0, errors
    data = json.loads(printed)
    expected = outcome.as_data()
    assert len(data["rows"]) == 3
    assert {name: data[name] for name in expected} == json.loads(json.dumps(expected))
    file, other = load_portfolio(Path("b-best-seed.json")), outcome.portfolios["best-seed"]
    assert file == other
    assert data["portfolios"] == {"best-seed": "b-best-seed.json"}
    code, printed, errors = command(*words, "--study", "b.study")
    assert code == 0, errors
    lines = [line for line in printed.splitlines() if line.count("±") > 3]
    assert [len(re.findall("±", line)) for line in lines] == [5, 5, 5]
    for line, row in zip(lines, outcome.rows, strict=True):
        assert row.name in line
        assert all(f"{100 * each.mean:.1f}" in line for each in row.estimates)


@pytest.mark.slow
def test_the_program_of_a_portfolio_plays_its_arm(boosted):
    folder, outcome = boosted
    file = load_portfolio(outcome.save_portfolios()["best-seed"])
    program = file.engine_program(folder)
    (arm,) = file.first
    with Study.read(folder / "a.study") as study:
        games = [game for game in study.engine_games().games() if game.arms[0] == arm]
    engine = started(program, arm)
    try:
        for move, answer in zip(games[0].moves[::2], games[0].moves[1::2], strict=False):
            assert engine.choose(0) == move
            engine.told(1, answer)
    finally:
        engine.close()
    with pytest.raises(PortfolioError, match="is an external engine, without a board here"):
        file.program(folder)


@pytest.mark.slow
def test_a_portfolio_whose_specification_was_changed_is_refused(boosted):
    folder, outcome = boosted
    path = outcome.save_portfolios()["best-seed"]
    content = json.loads(path.read_text())
    content["engine"]["specification"]["player"]["command"][2] = "7 "
    other = folder / "changed.json"
    other.write_text(json.dumps(content))
    with pytest.raises(PortfolioError, match="has been changed"):
        load_portfolio(other).engine_program(folder)


@pytest.mark.slow
def test_the_study_keeps_every_game_and_answer(boosted):
    folder, _ = boosted
    with Study.read(folder / "a.study") as study:
        games = list(study.engine_games().games())
        summary = study.engine_games().summary()
        results = study.lookup(
            np.array([game.arms[0] for game in games], np.uint64),
            np.array([game.arms[1] for game in games], np.uint64),
        )
        assert results.tolist() == [game.points for game in games]
        assert study.count() == len(games) == summary.games
    assert summary.endings == {Ending.NORMAL: len(games)}
    assert summary.moves == sum(len(game.moves) for game in games)
    assert 0 < summary.computed < summary.moves


@pytest.mark.slow
def test_the_same_again_plays_nothing_and_more_only_what_is_missing(boosted):
    folder, outcome = boosted
    before = (folder / "a.study").stat().st_size
    again = boost(folder / "engine.toml", **SIZES, study=folder / "a.study")
    assert again.as_data() == outcome.as_data()
    with Study.read(folder / "a.study") as study:
        count = study.count()
    boost(folder / "engine.toml", **{**SIZES, "k": 7}, study=folder / "a.study")
    with Study.read(folder / "a.study") as study:
        assert study.count() > count
        assert not study.missing(TrainingArms(0, 7).seeds(), UnseenArms(0, 17).seeds()).any()
    assert before > 0


@pytest.mark.slow
def test_another_specification_is_refused(boosted):
    folder, _ = boosted
    other = folder / "other.toml"
    text = (folder / "engine.toml").read_text()
    other.write_text(text.replace('"nim"', '"nim:misere=1"'))
    with pytest.raises(StudyError, match="is a different study"):
        boost(other, **SIZES, study=folder / "a.study")


@pytest.mark.slow
def test_forfeits_are_told_apart(command, tmp_path):
    written(tmp_path, "die")
    sizes = ["--k", "3", "--kt", "1", "--opponents", "17", "-l", "best-seed"]
    code, printed, errors = command("boost", "engine.toml", *sizes, "--quiet")
    assert code == 0, errors
    lost = re.search(r"^games .* (\d+) forfeited \((\d+) by crash\)", printed, re.MULTILINE)
    assert int(lost[1]) == int(lost[2]) > 10
    with Study.read(tmp_path / "studies/engine.study") as study:
        faults = [game for game in study.engine_games().games() if game.ending is Ending.CRASH]
    assert all(2 in game.arms for game in faults)
    assert not left_behind(tmp_path)


class TestCheck:
    def test_in_plain_words(self, command, tmp_path):
        written(tmp_path, "well")
        code, printed, errors = command("check", "engine.toml", "--threads", "1")
        assert code == 0, errors
        assert "plays the same moves in new processes" in printed
        assert "equal beginnings are computed once" in printed
        assert "different arms play different games" in printed
        assert "passed" in printed.splitlines()[-1]
        assert "about 1,440 games (k=20, kt=20, opponents=20), about " in printed
        assert "they are kept for the next game" in printed
        assert errors.splitlines()[:2] == ["starts the engine", "plays a game"]

    def test_processes_that_the_file_does_not_let_play_again(self, command, tmp_path):
        written(tmp_path, "well", more="reuse = false", seed="{seed}")
        code, printed, errors = command("check", "engine.toml", "--threads", "1")
        assert code == 0, errors
        assert "reuse         reuse = false: every game gets new processes" in printed
        assert "kept for the next game" not in printed

    @pytest.mark.parametrize(
        ("mode", "found"),
        [
            pytest.param("random", "plays other moves in new", marks=pytest.mark.slow),
            pytest.param("deaf", "the seed or the options", marks=pytest.mark.slow),
        ],
    )
    def test_a_program_that_fails_is_refused_by_boost(self, mode, found, command, tmp_path):
        written(tmp_path, mode, bad="0")
        code, printed, errors = command("check", "engine.toml", "--json")
        assert code == 1, errors
        assert json.loads(printed)["passed"] is False
        printed = command("check", "engine.toml")[1]
        assert found in printed
        assert "takes the mean of several games with --despite-check" in printed
        with pytest.raises(EngineError, match=r"failed the check: .*`despite_check`"):
            boost(tmp_path / "engine.toml", **SIZES, study=tmp_path / "a.study")
        assert not (tmp_path / "a.study").exists()

    def test_after_a_crash_nothing_is_estimated_nor_advised(self, command, tmp_path):
        file = written(tmp_path, "die at once", bad="0")
        code, printed, errors = command("check", "engine.toml")
        assert code == 1, errors
        assert "first game    forfeited by crash after 0 moves" in printed
        assert "despite" not in printed
        assert not any(line.startswith("study ") for line in printed.splitlines())
        for despite in (False, True):
            with pytest.raises(EngineError, match=r"crash after 0 moves.*; correct the engine"):
                boost(file, **SIZES, study=tmp_path / "a.study", despite_check=despite)
        assert not (tmp_path / "a.study").exists()

    @pytest.mark.slow
    def test_despite_it_cells_are_means_over_games(self, tmp_path):
        file = written(tmp_path, "random")
        outcome = boost(file, **SIZES, study=tmp_path / "a.study", despite_check=True, repeats=3)
        assert outcome.luck.repeats == 3
        with Study.read(tmp_path / "a.study") as study:
            assert study.full == 6
            results = study.results(TrainingArms(0, 6).seeds(), TrainingArms(0, 4).seeds())
            assert list(study.engine_games().answers()) == []
        assert {1, 2, 3, 4, 5} & set(results.ravel().tolist())

    @pytest.mark.slow
    def test_despite_a_check_that_was_passed_nothing_is_thought_to_be_known(self, tmp_path):
        sizes = {**SIZES, "k": 1, "kt": 1}
        file = written(tmp_path, "well")
        boost(file, **sizes, study=tmp_path / "a.study", despite_check=True, repeats=2)
        with Study.read(tmp_path / "a.study") as study:
            assert study.full == 4
            assert list(study.engine_games().answers()) == []

    def test_repeats_of_a_deterministic_program_are_refused(self, tmp_path):
        with pytest.raises(SpecificationError, match="leave out `repeats`"):
            boost(written(tmp_path, "well"), **SIZES, repeats=3, study=tmp_path / "a.study")


@pytest.mark.parametrize(
    "options",
    [
        ["--player", "uct"],
        ["--symmetries"],
        ["--arena", "cuda"],
        ["--k", "0"],
        ["--opponents", "1"],
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(options, command, tmp_path):
    written(tmp_path, "well")
    code, _, errors = command("boost", "engine.toml", *options)
    assert code == 2
    assert len(errors.strip().splitlines()) == 1
    assert options[0].strip("-") in errors


ARMS = 6
KILLS = [
    "after record 1",
    "before record 2",
    "after record 2",
    "before record 1",
    "before record 3",
    "after record 3",
    "before record 4",
    "after record 1",
    "after record 4",
    "before record 2",
]


@pytest.mark.long
def test_a_study_of_gnu_go_killed_ten_times_comes_to_the_same(tmp_path):
    need("gnugo")
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    for folder in (straight, broken):
        folder.mkdir()
        program_of(folder, GNU_GO.format(board=4, games=60))
    play_to_the_end(straight)

    cells = 0
    for event in KILLS:
        killed(playing(broken), broken, "--cells", "1", *event.split())
        moment, _, number = event.split()
        cells += int(number) - (moment == "before")
        assert games_in(broken) == cells, event
    play_to_the_end(broken)
    assert kept(broken) == kept(straight)
    wait_until(lambda: not running_in(broken), "all engines have ended")


def playing(folder):
    script = Path(__file__).with_name("play_study.py")
    return [str(script), str(folder / "engine.toml"), str(folder / "a.study"), str(ARMS)]


def play_to_the_end(folder):
    subprocess.run([sys.executable, *playing(folder)], check=True, timeout=PATIENCE)


def kept(folder):
    """Return the matrix and the games in a study."""
    with Study.read(folder / "a.study") as study:
        arms = TrainingArms(0, ARMS).seeds()
        games = [(*game.arms, game.moves) for game in study.engine_games().games()]
        return study.results(arms, arms).tolist(), games


def games_in(folder):
    if not (folder / "a.study").exists():
        return 0
    with Study.read(folder / "a.study") as study:
        return study.count()


def running_in(folder):
    """Return the processes that work in a folder."""
    return [process for process in Path("/proc").glob("[0-9]*") if works_in(process, folder)]


def works_in(process, folder):
    try:
        return (process / "cwd").readlink() == folder
    except OSError:
        return False


@pytest.mark.slow
def test_an_interrupt_ends_all_engines_and_says_how_to_go_on(tmp_path):
    written(tmp_path, "hang", bad="20")  # an arm that the check does not play
    words = ["boost", "engine.toml", "--quiet", "--k", "40"]
    process = start_command(words, tmp_path)
    try:
        hanging = tmp_path / "hanging"
        wait_until(lambda: hanging.exists() or process.poll() is not None, "an engine thinks")
        process.send_signal(signal.SIGINT)
        code, _, errors = finish(process)
    finally:
        process.kill()
    assert code == 130, errors
    assert "Go on with: seedfolio boost engine.toml" in errors.splitlines()[-1]
    assert not left_behind(tmp_path)
