"""Exp3 for both players at once (Auer, Cesa-Bianchi, Freund, Schapire 1995)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError
from seedfolio.learning.exploration import MOST_ARMS, Choice, Exploration, ExploringLearner
from seedfolio.learning.exponential_weights import ExponentialWeights
from seedfolio.learning.fair_means import FairMeans
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.study.cells import Cells

# The papers' number of iterations; a larger budget plays several cells in each.
ITERATIONS = 800


@dataclass(frozen=True)
class Exp3(ExploringLearner):
    """Both players learn from the same games, each by Exp3, in a matrix that is only sampled.

    From "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016), with 400 arms a
    player and 800 games. Each iteration draws `batch` cells, a row from the first player's
    distribution and a column from the second's (batch 0: enough for 800 iterations), and adds up
    what they teach. Budgets below two cells an arm take fewer arms.

    Every arm is drawn with probability gamma / k at least. The learning rate is
    rate * sqrt(log(k) / (k * cells)), the order that Exp3's guarantee needs. With many more cells
    than k * log(k), the play of both players, averaged over time, is about an equilibrium: either
    could have gained O(gamma + sqrt(k * log(k) / cells)) a game by the best fixed arm. The papers'
    size is far below that, and the result is not that average but the arms drawn most. With power
    0: those drawn more than 99% as often as the most drawn, which are few and strong against an
    unprepared opponent. With power 0.7: those drawn at least (largest count) ** 0.7 times, which
    are many and harder to exploit.

    The certificate weighs every game by how unlikely its opponent was. It says little below a few
    hundred games an arm, and nothing (0 to 1) at the papers' size.
    """

    k: int = 400
    gamma: float = 0.3
    rate: float = 1.5
    batch: int = 0
    power: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MOST_ARMS:
            raise SpecificationError(f"exp3: k must be 1 to {MOST_ARMS}, not {self.k}")
        check_rates("exp3", self.gamma, self.rate, self.batch, self.power)

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        given = [(field.name, getattr(self, field.name), field.default) for field in fields(self)]
        options = ",".join(f"{name}={value!r}" for name, value, usual in given if value != usual)
        return f"exp3:{options}" if options else "exp3"

    def begin(self, cells: int, full: int, key: int) -> Exploration:
        """Begin an exploration of at most `cells` cells."""
        return Exp3Exploration(self, cells, full, key)


class Exp3Exploration:
    """The iterations."""

    def __init__(self, learner: Exp3, cells: int, full: int, key: int) -> None:
        arms = min(learner.k, max(1, cells // 2))
        gamma = learner.gamma
        self._left = cells
        self._batch = learner.batch or max(1, cells // ITERATIONS)
        self._full = full
        self._power = learner.power
        self._rate = learner.rate * sqrt(log(arms) / (arms * max(cells, 1)))
        self._first = ExponentialWeights(arms, gamma, mix_int(key))
        self._second = ExponentialWeights(arms, gamma, mix_int(key) + 1)
        self._fair = FairMeans(arms, arms, gamma), FairMeans(arms, arms, gamma)
        self._drawn: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None

    def ask(self) -> Cells | None:
        """Return the cells of one iteration."""
        if self._left == 0:
            return None
        if self._drawn is None:
            number = min(self._batch, self._left)
            self._drawn = self._first.draw(number), self._second.draw(number)
        rows, columns = self._drawn
        return Cells(self._first.seeds[rows], self._second.seeds[columns])

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Reward both players."""
        assert self._drawn is not None, "tell follows ask"
        rows, columns = self._drawn
        successes = points / self._full
        self._fair[0].add(rows, columns, successes, self._second.probabilities())
        self._fair[1].add(columns, rows, 1 - successes, self._first.probabilities())
        self._first.reward(rows, successes, self._rate)
        self._second.reward(columns, 1 - successes, self._rate)
        self._left -= len(points)
        self._drawn = None

    def choice(self) -> Choice:
        """Return the arms that both players have drawn most."""
        first = self._first.most_frequent(self._power)
        second = self._second.most_frequent(self._power)
        return Choice(
            Portfolio(first, second), self._fair[0].bounds(first), self._fair[1].bounds(second)
        )


def check_rates(name: str, gamma: float, rate: float, batch: int, power: float) -> None:
    """Raise SpecificationError for parameters that no form of Exp3 can use."""
    if not 0 < gamma <= 1:
        raise SpecificationError(
            f"{name}: gamma must be above 0 and at most 1, not {gamma}; try 0.3"
        )
    if not 0 < rate <= 1000:
        raise SpecificationError(
            f"{name}: rate must be above 0 and at most 1000, not {rate}; try 1.5"
        )
    if batch < 0:
        raise SpecificationError(f"{name}: batch must be 0 or more, not {batch}; 0 chooses it")
    if not 0 <= power <= 1:
        raise SpecificationError(f"{name}: power must be 0 to 1, not {power}; try 0 or 0.7")
