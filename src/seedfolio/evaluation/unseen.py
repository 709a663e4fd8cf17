"""Success against unseen arms, by which `boost` and `compare` judge what they have learnt.

The opponents come as `UnseenArms`, a type that cannot hold an arm used in learning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatchmethod

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.seeds import opposing
from seedfolio.evaluation.against_each import Sides, against_kinds, kinds_of
from seedfolio.evaluation.books import SLOW_OWN_SEEDS, books_before_arms, evaluate_books
from seedfolio.evaluation.estimate import Evaluation
from seedfolio.evaluation.exploiters import (
    CRITERIA,
    Estimate,
    Groups,
    Sampled,
    criteria_for,
    exploiter_success,
    fixed_arm_successes,
    mixture_successes,
)
from seedfolio.evaluation.luck import Luck, measure_luck
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import Rectangle, TrainingArms, UnseenArms, has_opponents, success_of
from seedfolio.study.repeated_arms import Variety, alike, played_games, variety
from seedfolio.study.session import Session
from seedfolio.study.store import Study

_Floats = NDArray[np.float64]


# A portfolio of few arms meets more opponents, since each opponent costs one game an arm.
MOST_OPPONENTS = 10
_GAMES = 50
_SLOW_GAMES = 5
"""The same where games are slow."""


@dataclass(frozen=True)
class Evaluator:
    """Plays portfolios of a session against at least `opponents` unseen arms of each colour."""

    session: Session
    opponents: int
    luck: Luck
    first: int = 0
    """The first unseen arm to meet."""

    @classmethod
    def of(cls, session: Session, opponents: int) -> Evaluator:
        """Measure the program's luck, and return the evaluator."""
        return cls(session, opponents, measure_luck(session))

    @property
    def criteria(self) -> tuple[int, ...]:
        """The columns: fewer, if there are few opponents."""
        return criteria_for(self.opponents)

    def _weighted(
        self,
        weights: NDArray[np.float64],
        cells: NDArray[np.float64],
        groups: Groups | None = None,
    ) -> tuple[Sampled, ...]:
        return weighted_success(weights, cells, self.luck, groups, self.criteria)

    @singledispatchmethod
    def evaluate(self, plays: Portfolio | BookPortfolio, name: str) -> Evaluation:
        """Return the success of a portfolio or books; progress shows `name`."""
        raise TypeError(f"{plays!r} is neither a portfolio nor books")

    @evaluate.register
    def _(self, plays: Portfolio, name: str) -> Evaluation:
        arms = [self._unseen(size) for size in plays.sizes]
        supports = [np.array(plays[colour].arms, np.uint64) for colour in (0, 1)]
        rectangles = self._rectangles(supports, [each.seeds() for each in arms])
        results = self.session.results(rectangles, f"{name} against unseen")
        weights = [np.array(plays[colour].weights) for colour in (0, 1)]
        full = self.session.study.full
        cells = [success_of(colour, results[colour], full) for colour in (0, 1)]
        groups = self._alike(rectangles)
        sides = [
            self._weighted(weights[colour], cells[colour], groups[colour].theirs)
            for colour in (0, 1)
        ]
        met, traits = (len(arms[0]), len(arms[1])), self.session.program.traits
        found = Evaluation.of(sides[0], sides[1], met, traits=traits)
        each = Sides.of(self.session.program, [unseen.seeds() for unseen in arms])
        if each is None:
            return found
        means = [np.clip(weights[colour] @ cells[colour], 0, 1) for colour in (0, 1)]
        return each.of_portfolio(found, means)

    @evaluate.register
    def _(self, plays: BookPortfolio, name: str) -> Evaluation:
        if plays.behind is None:
            slow = self.session.program.traits.slow
            opponents = len(self._unseen(SLOW_OWN_SEEDS)) if slow else self.opponents
            return evaluate_books(
                self.session, plays, opponents, first=self.first, criteria=self.criteria
            )
        unseen = self._unseen(max(plays.behind.sizes))
        cells = books_before_arms(self.session, plays, plays.behind, unseen)
        first, second = (
            self._weighted(np.array(plays.behind[colour].weights), cells[colour])
            for colour in (0, 1)
        )
        counts = len(unseen), len(unseen)
        return Evaluation.of(first, second, counts, traits=self.session.program.traits)

    def original(self, arms: TrainingArms) -> tuple[Evaluation, Evaluation]:
        """Return the two baselines: one arm drawn at random and kept, and a new one each game.

        No result of learning about `arms` is used, so they represent the original program.
        """
        unseen = UnseenArms(0, self.opponents)
        rectangles = self._rectangles([arms.seeds()] * 2, [unseen.seeds()] * 2)
        results = self.session.results(rectangles, "original against unseen")
        groups = self._alike(rectangles)
        full = self.session.study.full
        matrices = [success_of(colour, results[colour], full) for colour in (0, 1)]
        noises = [float(self.luck.noise(matrix).mean()) for matrix in matrices]
        fixed = [
            fixed_arm_successes(matrix, self.criteria, noise, group.both)
            for matrix, noise, group in zip(matrices, noises, groups, strict=True)
        ]
        mixed = [
            mixture_successes(matrix, self.criteria, group.both)
            for matrix, group in zip(matrices, groups, strict=True)
        ]
        met = (self.opponents, self.opponents)
        traits = self.session.program.traits
        one, mixture = (Evaluation.of(a, b, met, traits=traits) for a, b in (fixed, mixed))
        each = Sides.of(self.session.program, [unseen.seeds()] * 2)
        return one, mixture if each is None else each.of_arms(mixture, matrices)

    def kinds(self, arms: TrainingArms) -> tuple[tuple[Estimate, ...], ...]:
        """Return the success of each kind of these arms against each kind of unseen ones.

        Their games are those of `original`.
        """
        program = self.session.program
        if not kinds_of(program):
            return ()
        ours, theirs = arms.seeds(), UnseenArms(0, self.opponents).seeds()
        rectangles = self._rectangles([ours] * 2, [theirs] * 2)
        results = self.session.results(rectangles, "original against unseen")
        full = self.session.study.full
        cells = [success_of(colour, results[colour], full) for colour in (0, 1)]
        return against_kinds(program, ours, theirs, cells)

    def variety(self, arms: TrainingArms) -> Variety | None:
        """Return how many arms play differently; None if the games are not kept."""
        program = self.session.program
        if not program.traits.keeps_games or program.repeats > 1:
            return None
        first, second = self._rectangles(
            [arms.seeds()] * 2, [UnseenArms(0, self.opponents).seeds()] * 2
        )
        unseen = first[1].tolist(), second[0].tolist()
        return variety(played_games(self.session.study), arms.seeds().tolist(), unseen)

    def alike_in_training(self, k: int, kt: int) -> tuple[Groups, Groups]:
        """Return which opponents in the training matrix of each colour play alike."""
        arms = TrainingArms(0, k).seeds()
        found = self._alike([(arms, arms[:kt]), (arms[:kt], arms)])
        first, second = (np.arange(kt) if each.theirs is None else each.theirs for each in found)
        return first, second

    def _rectangles(
        self, ours: Sequence[NDArray[np.uint64]], unseen: Sequence[NDArray[np.uint64]]
    ) -> list[Rectangle]:
        """Return the games of our arms of each colour against the unseen arms of the other."""
        program = self.session.program
        return [
            (ours[0], program.opposing(unseen[0], 1)),
            (program.opposing(unseen[1], 0), ours[1]),
        ]

    def _alike(self, rectangles: Sequence[Rectangle]) -> list[_Alike]:
        """Return, for each colour of ours, which arms play alike and are no independent draws."""
        program = self.session.program
        if not program.traits.designed or program.repeats > 1:
            return [_Alike(), _Alike()]
        games = played_games(self.session.study)
        found = [alike(games, rows.tolist(), columns.tolist()) for rows, columns in rectangles]
        return [_Alike(*found[0]), _Alike(*found[1][::-1])]

    def _unseen(self, support: int) -> UnseenArms:
        """Return the opponents of a portfolio that draws from `support` arms."""
        program: Playable = self.session.program
        games = _SLOW_GAMES if program.traits.slow else _GAMES
        most = min(MOST_OPPONENTS * self.opponents, program.arms.unseen)
        return UnseenArms(
            self.first, min(most, max(self.opponents, games * self.opponents // support))
        )


@dataclass(frozen=True)
class _Alike:
    """Groups of arms that play alike: ours, and the opponents; None if all are draws."""

    ours: Groups | None = None
    theirs: Groups | None = None

    @property
    def both(self) -> tuple[Groups, Groups] | None:
        """Both, or None."""
        return None if self.ours is None or self.theirs is None else (self.ours, self.theirs)


def weighted_success(
    weights: NDArray[np.float64],
    cells: NDArray[np.float64],
    luck: Luck,
    groups: Groups | None = None,
    criteria: Sequence[int] = CRITERIA,
) -> tuple[Sampled, ...]:
    """Return the success of weighted arms (rows) for each of `criteria`.

    `cells` are their successes against unseen arms (columns), of which `groups` play alike.
    """
    success = np.clip(weights @ cells, 0, 1)
    noise = float((weights**2 @ luck.noise(cells)).mean())
    return tuple(exploiter_success(success, k, noise, groups) for k in criteria)


def arm_success(
    study: Study, seeds: NDArray[np.uint64], unseen: UnseenArms, colour: int
) -> NDArray[np.float64]:
    """Return the success (0..1) of arms of `colour` (rows) against unseen arms (columns)."""
    theirs = unseen.seeds()
    if has_opponents(study):
        theirs = opposing(theirs, 1 - colour)
    sides = (seeds, theirs) if colour == 0 else (theirs, seeds)
    return success_of(colour, study.results(*sides), study.full)
