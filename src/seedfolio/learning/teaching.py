"""Giving learners the games they learn from: a whole matrix, or those that they ask for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Playable, Progress
from seedfolio.learning.exploration import AskingLearner
from seedfolio.learning.learner import Certificate, Learner, Learnt
from seedfolio.learning.running import run_course
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.arms import TrainingArms
from seedfolio.study.matrices import training_cells, training_rectangles, training_scores
from seedfolio.study.session import play_missing
from seedfolio.study.store import Study

# Rows x columns x columns, which tell how long an equilibrium takes, of matrices whose colours are
# learnt at the same time. With less, threads wait for each other more than they work; with more,
# an interrupt, which waits for the second colour, would not be answered soon.
_LEAST_WORK, _MOST_WORK = 10**8, 10**10
_FEW_COLUMNS = 1000  # where there are fewer it is memory that matters, twice as much of it


@dataclass(frozen=True)
class Lesson:
    """What a learner made of its games."""

    portfolio: Portfolio
    games: int
    sizes: tuple[int, int] | None
    """K and Kt of the matrix; None where the learner chose its games."""
    value: tuple[Certificate, Certificate] | None = None
    """For each colour, proven bounds of the value of the matrix game, from learners that solve
    one."""
    confidence: tuple[Certificate, Certificate] | None = None
    """For each colour, where the success against the original lies, from learners that ask."""
    note: str = ""
    """What the learner chose, and why, where it says so."""


@dataclass(frozen=True)
class Teacher:
    """Plays what learners need and keeps it in a study."""

    study: Study
    arena: Arena
    program: Playable
    progress: Progress
    k: int
    kt: int
    budget: int | None = None
    """Games for a learner that asks; None: as many as fill the matrices."""

    def teach(self, learner: Learner | AskingLearner, key: int = 0) -> Lesson:
        """Return what a learner makes of its games."""
        if isinstance(learner, AskingLearner):
            return self._let_ask(learner, key)
        return self._show_matrices(learner, key)

    def _show_matrices(self, learner: Learner, key: int) -> Lesson:
        first, second = learn_both(learner, self._scores, self.program.full, key)
        seeds = TrainingArms(0, self.k).seeds()
        portfolio = Portfolio(*(Distribution.of(seeds, each.weights) for each in (first, second)))
        value = None
        if first.certificate is not None and second.certificate is not None:
            value = first.certificate, second.certificate
        games = training_cells(self.k, self.kt) * self.program.repeats
        return Lesson(portfolio, games, (self.k, self.kt), value=value)

    @cached_property
    def _scores(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The matrices of both colours, played when first needed."""
        arms = TrainingArms(0, self.k)
        rectangles = training_rectangles(arms, self.kt)
        task = "seeds against each other"
        play_missing(self.study, self.arena, self.program, rectangles, task, self.progress)
        return training_scores(self.study, arms, self.kt)

    def _let_ask(self, learner: AskingLearner, key: int) -> Lesson:
        repeats = self.program.repeats
        games = self.budget or training_cells(self.k, self.kt) * repeats
        cells = max(1, games // repeats)
        course = learner.begin(cells, self.program.full, key)
        used = run_course(
            course, cells, self.study, self.arena, self.program, learner.name, self.progress
        )
        answer = course.answer()
        return Lesson(
            answer.portfolio,
            used * repeats,
            None,
            value=answer.value,
            confidence=(answer.first, answer.second),
            note=answer.note,
        )


def learn_both(
    learner: Learner, scores: tuple[NDArray[np.uint8], NDArray[np.uint8]], full: int, key: int
) -> tuple[Learnt, Learnt]:
    """Return what a learner makes of both colours' matrices, at the same time if they are large."""
    from threadpoolctl import threadpool_limits

    rows, columns = scores[0].shape
    if not _LEAST_WORK <= rows * columns * max(columns, _FEW_COLUMNS) <= _MOST_WORK:
        return learner.learn(scores[0], full, key), learner.learn(scores[1], full, key + 1)
    # Learners limit the threads of BLAS and lift the limit after, for the whole process: without
    # one around them, that of the first to end would leave the other with many threads. Only what
    # is loaded can be limited, and scipy has a BLAS of its own.
    import scipy.linalg  # noqa: F401

    with threadpool_limits(limits=1, user_api="blas"), ThreadPoolExecutor(1) as pool:
        second = pool.submit(learner.learn, scores[1], full, key + 1)
        return learner.learn(scores[0], full, key), second.result()
