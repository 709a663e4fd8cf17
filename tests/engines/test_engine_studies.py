"""Studies of engines: how long they will take, and arms in them that play alike."""

import re
from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from external import numbered_text, program_of, scripted_text
from sessions import Whole

from seedfolio import boost, show
from seedfolio.boosting import budget
from seedfolio.boosting.study_time import Sample, StudySize
from seedfolio.engines.play.pool import Effort
from seedfolio.evaluation import exploiters
from seedfolio.study.repeated_arms import Variety, alike, variety

SIZE = StudySize(k=20, kt=20, opponents=20, more_unseen=10**6)
SAMPLE = Sample(
    games=16,
    moves=10.0,
    asked=160,
    playing=16.0,
    effort=Effort(8, 4.0),
    different={1: 10, 2: 40, 4: 160},
    shared=True,
    remember=False,
    reuse=True,
    threads=2,
)


def test_a_game_costs_its_moves_and_its_processes():
    assert SIZE.games == 400 + 800 + 2 * 80 + 16 * 5
    few = StudySize(k=4, kt=2, opponents=17, more_unseen=17)
    assert few.games == 12 + 2 * 4 * 17  # there are no more unseen arms to meet
    moves = SIZE.games * 10 * 0.1  # seconds of all threads
    assert SAMPLE.seconds(SIZE, 1) == pytest.approx((moves + 4 * 0.5) / 2)
    assert SAMPLE.seconds(SIZE, 3) == pytest.approx((3 * moves + 4 * 0.5) / 2)
    new = replace(SAMPLE, reuse=False)
    assert new.seconds(SIZE, 1) == pytest.approx(SIZE.games * (1 + 2 * 0.5) / 2)
    # A seed in the command starts an engine for nearly every cell.
    starts = replace(SAMPLE, shared=False).seconds(SIZE, 1) * 2 - SIZE.games
    assert (20 * 20 + 2 * 20 * 20) * 0.5 <= starts <= 1.5 * SIZE.games * 0.5
    # Answers that are known cost nothing. Twice as many opponents, 1.5 times as many answers.
    fewer = replace(SAMPLE, remember=True, different={1: 10, 2: 30, 4: 90})
    assert fewer.answers_of_arm(4) == pytest.approx(90 / 8)
    assert fewer.answers_of_arm(32) == pytest.approx(90 / 8 * 1.5**3)
    assert fewer.seconds(SIZE, 1) < 0.5 * SAMPLE.seconds(SIZE, 1)
    # A first game that happens to be short must not make all others look new.
    few = replace(SAMPLE, remember=True, different={1: 7, 2: 34})
    assert few.answers_of_arm(1) == pytest.approx(10 / 2)
    assert few.answers_of_arm(4) == pytest.approx(34 / 4 * 1.7)


@pytest.mark.slow
@pytest.mark.parametrize("soon", [120.0, 0.0])
def test_the_whole_job_is_told_before_an_engine_plays_it(tmp_path, monkeypatch, soon):
    """A short job by the game of the check, a long one by a sample, which notes say."""
    monkeypatch.setattr(budget, "_SOON", soon)
    program_of(tmp_path, scripted_text(tmp_path, "well"))
    sizes = {"k": 6, "kt": 6, "opponents": 17, "learners": ["best-half"]}
    progress, notes = Whole(), []
    study = {"study": tmp_path / "a.study", "threads": 2, "note": notes.append}
    boost(tmp_path / "engine.toml", progress=progress, **sizes, **study)
    ((total, text),) = progress.told
    assert total / 2 < progress.done < 2 * total
    assert re.fullmatch(
        r"about \S+ games: \S+ to learn from, \S+ to judge by; about \S+ \S+ at \S+ games/(s|min)",
        text,
    )
    assert any("to see how long it takes" in each for each in notes) == (not soon)


def test_rows_and_columns_that_play_alike_are_found():
    games = {(0, 8): ("a",), (0, 9): ("b",), (1, 8): ("a",), (1, 9): ("b",), (2, 8): ("a",)}
    games[2, 9] = ("c",)
    rows, columns = alike(games, [0, 1, 2], [8, 9])
    assert (rows.tolist(), columns.tolist()) == ([0, 0, 1], [0, 1])
    del games[1, 9]  # a game that is missing is like no other
    assert alike(games, [0, 1, 2], [8, 9])[0].tolist() == [0, 1, 2]
    games = {(one, other): ("a",) for one in (0, 1) for other in (8, 9)}
    games |= {(other, one): (f"{other}",) for one in (0, 1) for other in (8, 9)}
    found = variety(games, [0, 1], ([8, 9], [8, 9]))
    assert found == Variety(2, (1, 1), 2, (2, 1))
    assert found.has_duplicates


VALUES = np.array([0.1, 0.4, 0.5, 0.9, 0.7, 0.2])


def test_copies_of_opponents_make_no_error_smaller():
    success = exploiters.exploiter_success
    once = success(VALUES, 1)
    for copies in (2, 5):
        more = success(np.repeat(VALUES, copies), 1, groups=np.repeat(np.arange(6), copies))
        assert (more.mean, more.error) == pytest.approx((once.mean, once.error))
        assert success(np.repeat(VALUES, copies), 1).error < once.error
    one = success(np.full(20, 0.5), 1, groups=np.zeros(20, np.intp))
    assert isnan(one.error)  # of a single opponent under many names
    # Groups of one are no groups.
    matrix, alone = np.random.default_rng(1).random((5, 6)), (np.arange(5), np.arange(6))
    for k in (1, 2, 4):
        for found in (
            [exploiters.fixed_arm_successes(matrix, (k,), 0.0, each)[0] for each in (None, alone)],
            [exploiters.mixture_successes(matrix, (k,), each)[0] for each in (None, alone)],
            [success(VALUES, k), success(VALUES, k, groups=np.arange(6))],
        ):
            assert found[0].error == pytest.approx(found[1].error)


@pytest.mark.slow
def test_a_study_says_how_many_arms_are_different(tmp_path):
    """40 arms of options, of which an eighth have an effect."""
    more = 'environ = { NOISE = "{noise}" }'
    program_of(tmp_path, numbered_text(tmp_path, 5, 'noise = "1..8"\n', more=more))
    sizes = {"k": 8, "kt": 2, "opponents": 17, "learners": ["best-half"]}
    outcome = boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")
    found = outcome.variety
    assert (found.arms, found.opponents) == (8, 17)
    assert max(*found.different, *found.different_opponents) <= 5
    assert "Some arms play the same games" in outcome.caption
    assert "arms        8 of each colour, different: " in found.text
    assert show(tmp_path / "a.study").variety == found
    # Five opponents at most are behind the 17, and the error is theirs.
    spread = outcome.rows[-1].estimates[0].error
    assert isnan(spread) or spread > 0.5 / 17**0.5 / 2
