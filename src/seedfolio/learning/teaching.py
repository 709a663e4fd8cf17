"""Giving learners the games they learn from: a whole matrix, or those that they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Playable, Progress
from seedfolio.learning.course import AskingLearner
from seedfolio.learning.learner import Certificate, Learner
from seedfolio.learning.portfolio import Distribution, Portfolio
from seedfolio.learning.running import run_course
from seedfolio.study.arms import TrainingArms
from seedfolio.study.matrices import training_cells, training_rectangles, training_scores
from seedfolio.study.playing import play_missing
from seedfolio.study.store import Study


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
        first, second = (
            learner.learn(scores, self.program.full, key=key + colour)
            for colour, scores in enumerate(self._scores)
        )
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
