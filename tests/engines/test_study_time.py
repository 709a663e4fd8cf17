"""The estimate of how long a study takes, from numbers that a sample has measured."""

from dataclasses import replace

import numpy as np
import pytest
from external import Kept, program_of, scripted_text

from seedfolio.arena.processes import ProcessArena
from seedfolio.boosting.study_time import Sample, StudySize, take_sample
from seedfolio.engines.play.answers import RESULT
from seedfolio.engines.play.check import check_program
from seedfolio.engines.play.pool import Effort
from seedfolio.study.arms import TrainingArms, UnseenArms, training_rectangles

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


def test_answers_that_are_known_cost_nothing():
    # Twice as many opponents, 1.5 times as many answers.
    fewer = replace(SAMPLE, remember=True, different={1: 10, 2: 30, 4: 90})
    assert fewer.answers_of_arm(4) == pytest.approx(90 / 8)
    assert fewer.answers_of_arm(32) == pytest.approx(90 / 8 * 1.5**3)
    assert fewer.seconds(SIZE, 1) < 0.5 * SAMPLE.seconds(SIZE, 1)
    # A first game that happens to be short must not make all others look new.
    few = replace(SAMPLE, remember=True, different={1: 7, 2: 34})
    assert few.answers_of_arm(1) == pytest.approx(10 / 2)
    assert few.answers_of_arm(4) == pytest.approx(34 / 4 * 1.7)


@pytest.mark.slow
def test_starts_and_answers_are_those_of_a_real_study(tmp_path):
    """Counts, not seconds: these depend on nothing but the engine."""
    program = program_of(tmp_path, scripted_text(tmp_path, "well"))
    found = check_program(program)
    sample = take_sample(program, found, 1)
    assert (sample.shared, sample.remember, sample.reuse) == (False, True, True)
    size = StudySize(k=6, kt=6, opponents=6, more_unseen=6)
    unseen = UnseenArms(0, 6).seeds()
    ((rows, columns),) = training_rectangles(TrainingArms(0, 6), 6)
    asked, kept = 0, Kept()
    with ProcessArena(program, games=1, remember=True, archive=kept) as arena:
        for first, second in ((rows, columns), (rows, unseen), (unseen, columns)):
            for block in arena.play(program, np.repeat(first, 6), np.tile(second, 6)):
                asked += len(block.rows)
        starts = arena.effort.starts
    answers = sum(answer.arm != RESULT for answer in kept.kept)
    assert asked == size.games
    assert 0.5 < sample._answers(size) / answers < 2
    assert 0.5 < sample._starts(size, sample._answers(size), 1) / starts < 2
