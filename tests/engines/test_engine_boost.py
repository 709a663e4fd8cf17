"""Checking and boosting external engines, to the table, the portfolio and the study."""

import json
from pathlib import Path

import numpy as np
import pytest
from external import left_behind, program_of, scripted_text, started
from waiting import finish, killed, start_command

from seedfolio import boost, show
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.errors import EngineError, PortfolioError, SpecificationError, StudyError
from seedfolio.portfolios.file import load_portfolio
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.store import Study

SIZES = {"k": 6, "kt": 4, "opponents": 17, "learners": ["best-seed"]}


def written(folder, mode, token=None, **options):
    file = folder / "engine.toml"
    options = {"seed": "0", "more": 'setup = ["seed {seed}"]', **options}
    file.write_text(scripted_text(token or folder, mode, **options))
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


def test_boosting_comes_to_a_table_and_a_portfolio(boosted):
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
        games = [game for game in study.engine_games().games() if game.arms[0] == first]
    totals = training.sum(axis=1)
    assert totals[first] == totals.max()  # one of the best; ties are drawn
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
    other = folder / "changed.json"
    other.write_text(json.dumps(content))
    with pytest.raises(PortfolioError, match="has been changed"):
        load_portfolio(other).engine_program(folder)
    assert not left_behind(folder)


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
    assert code == 0, errors
    lines = [line for line in printed.splitlines() if line.count("±") > 3]
    for line, row in zip(lines, outcome.rows, strict=True):
        assert row.name in line
        assert all(f"{100 * each.mean:.1f}" in line for each in row.estimates)
    assert command("show", "b.study")[1] == printed


@pytest.mark.slow
def test_the_same_again_plays_nothing_and_more_only_what_is_missing(boosted):
    folder, outcome = boosted
    again = boost(folder / "engine.toml", **SIZES, study=folder / "a.study")
    assert again.as_data() == outcome.as_data()
    with Study.read(folder / "a.study") as study:
        count = study.count()
    boost(folder / "engine.toml", **{**SIZES, "k": 7}, study=folder / "a.study")
    with Study.read(folder / "a.study") as study:
        assert study.count() > count
        assert not study.missing(TrainingArms(0, 7).seeds(), UnseenArms(0, 17).seeds()).any()
    other = folder / "other.toml"
    text = (folder / "engine.toml").read_text()
    other.write_text(text.replace('"nim"', '"nim:misere=1"'))
    with pytest.raises(StudyError, match="is a different study"):
        boost(other, **SIZES, study=folder / "a.study")


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
    assert all(name == f"seed {arm + 1}" for arm, name in saved.engine.arms.items())
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_learners_that_measure_their_outcome_find_seeds_for_that(tmp_path):
    """An external engine has fewer seeds than a built-in one."""
    names = ["auto:exploiters=1", "double-oracle"]
    sizes = {"k": 6, "opponents": 17, "learners": names, "budget": 80}
    outcome = boost(written(tmp_path, "well"), **sizes, study=tmp_path / "a.study")
    assert [row.name for row in outcome.rows[2:]] == names
    assert "games each against seeds that learning had not met" in outcome.notes[names[0]]


class TestCheck:
    @pytest.mark.parametrize(
        ("engine", "said", "not_said"),
        [
            (
                {},
                ["they are kept for the next game", "equal beginnings are computed once"],
                "every game gets new processes",
            ),
            pytest.param(
                {"more": "reuse = false", "seed": "{seed}"},
                ["reuse         reuse = false: every game gets new processes"],
                "kept for the next game",
                marks=pytest.mark.slow,
            ),
        ],
    )
    def test_in_plain_words(self, engine, said, not_said, command, tmp_path):
        written(tmp_path, "well", **engine)
        code, printed, errors = command("check", "engine.toml", "--threads", "1")
        assert code == 0, errors
        for words in (
            *("plays the same moves in new processes", "different arms play different games"),
            *("about 1,440 games (k=20, kt=20, opponents=20), about ", *said),
        ):
            assert words in printed
        assert not_said not in printed
        assert "passed" in printed.splitlines()[-1]
        assert errors.splitlines()[:2] == ["starts the engine", "plays a game"]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("mode", "found"),
        [("random", "plays other moves in new"), ("deaf", "the seed or the options")],
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
    @pytest.mark.parametrize(("mode", "repeats"), [("random", 3), ("well", 2)])
    def test_despite_it_cells_are_means_over_games(self, mode, repeats, tmp_path):
        """Of an engine that has passed the check, too, no answer is thought to be known."""
        sizes = {**SIZES, "k": 3, "kt": 2, "despite_check": True, "repeats": repeats}
        outcome = boost(written(tmp_path, mode), **sizes, study=tmp_path / "a.study")
        assert outcome.luck.repeats == repeats
        with Study.read(tmp_path / "a.study") as study:
            assert study.full == 2 * repeats
            results = study.results(TrainingArms(0, 3).seeds(), UnseenArms(0, 17).seeds())
            assert list(study.engine_games().answers()) == []
        assert ({*results.ravel().tolist()} <= {0, study.full}) == (mode == "well")

    def test_repeats_of_a_deterministic_program_are_refused(self, tmp_path):
        with pytest.raises(SpecificationError, match="leave out `repeats`"):
            boost(written(tmp_path, "well"), **SIZES, repeats=3, study=tmp_path / "a.study")


@pytest.mark.parametrize(
    "option", ["--player=uct", "--symmetries", "--arena=cuda", "--k=0", "--opponents=1"]
)
def test_options_that_make_no_sense_are_refused_in_one_line(option, command, tmp_path):
    written(tmp_path, "well")
    code, _, errors = command("boost", "engine.toml", option)
    assert code == 2
    assert len(errors.strip().splitlines()) == 1
    assert option.strip("-").partition("=")[0] in errors


KILLS = ["after record 1", "before record 2", "after record 3"]
KILLED = [
    *("boost", "engine.toml", "--k", "2", "--kt", "2", "--opponents", "17", "-l", "best-seed"),
    *("--study", "a.study", "--quiet"),
]


@pytest.mark.slow
def test_kills_leave_the_same_study(tmp_path):
    folders = straight, broken = tmp_path / "straight", tmp_path / "broken"
    for folder in folders:
        folder.mkdir()
        written(folder, "well", token=tmp_path)
    cells = 0
    for event in KILLS:
        killed(KILLED, broken, "--cells", "1", *event.split())
        moment, _, number = event.split()
        cells += int(number) - (moment == "before")
        with Study.read(broken / "a.study") as study:
            assert study.count() == cells, event
    outputs = [finish(start_command(KILLED, folder)) for folder in folders]
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 0
    assert kept(broken) == kept(straight)
    assert not left_behind(tmp_path)


def kept(folder):
    """Return the games in a study."""
    with Study.read(folder / "a.study") as study:
        games = study.engine_games().games()
        return sorted((*game.arms, game.points, game.moves) for game in games)
