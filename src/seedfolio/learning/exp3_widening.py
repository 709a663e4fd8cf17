"""Exp3 over infinitely many arms, which open one after the other."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError
from seedfolio.learning.exp3 import ITERATIONS, check_rates
from seedfolio.learning.exploration import MOST_ARMS, Choice, Exploration, ExploringLearner
from seedfolio.learning.exponential_weights import ExponentialWeights
from seedfolio.learning.learner import Certificate
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.study.cells import Cells


@dataclass(frozen=True)
class Exp3Widening(ExploringLearner):
    """Exp3 for both players at once, with more arms the longer it learns.

    Proposed as further work in "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave
    2016). After N cells the first ceil(c * N**g) arms are open, never more than half as many as
    there are cells. A new arm gets the mean weight of the open ones. When new arms would make more
    than `most`, all but the better half of `most` are dropped for good before the new ones open, so
    the work of an iteration does not grow. Gamma, rate, batch and power are those of Exp3, with the
    present number of arms.

    There is no known guarantee. The certificate is always 0 to 1: no arm meets dropped opponents
    any more, so the results say nothing certain about the original program, which still draws them.
    """

    c: int = 20
    g: float = 0.5
    most: int = 100
    gamma: float = 0.3
    rate: float = 1.5
    batch: int = 0
    power: float = 0.0

    def __post_init__(self) -> None:
        if not 2 <= self.c <= MOST_ARMS:
            raise SpecificationError(f"exp3-widening: c must be 2 to {MOST_ARMS}, not {self.c}")
        if not 0 < self.g < 1:
            raise SpecificationError(
                f"exp3-widening: g must be between 0 and 1, not {self.g}; try 0.5"
            )
        if not 2 <= self.most <= MOST_ARMS:
            raise SpecificationError(
                f"exp3-widening: most must be 2 to {MOST_ARMS}, not {self.most}"
            )
        check_rates("exp3-widening", self.gamma, self.rate, self.batch, self.power)

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        given = [(field.name, getattr(self, field.name), field.default) for field in fields(self)]
        options = ",".join(f"{name}={value!r}" for name, value, usual in given if value != usual)
        return f"exp3-widening:{options}" if options else "exp3-widening"

    def begin(self, cells: int, full: int, key: int) -> Exploration:
        """Begin an exploration of at most `cells` cells."""
        return Exp3WideningExploration(self, cells, full, key)


class Exp3WideningExploration:
    """The iterations."""

    def __init__(self, learner: Exp3Widening, cells: int, full: int, key: int) -> None:
        self._learner = learner
        self._cells = cells
        self._full = full
        self._batch = learner.batch or max(1, cells // ITERATIONS)
        self._told = 0
        self._players = tuple(
            ExponentialWeights(self._wanted(), learner.gamma, mix_int(key) + colour)
            for colour in range(2)
        )
        self._drawn: list[NDArray[np.intp]] = []

    def ask(self) -> Cells | None:
        """Return the cells of one iteration."""
        if self._told == self._cells:
            return None
        if not self._drawn:
            number = min(self._batch, self._cells - self._told)
            self._drawn = [player.draw(number) for player in self._players]
        rows, columns = (
            player.seeds[places] for player, places in zip(self._players, self._drawn, strict=True)
        )
        return Cells(rows, columns)

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Reward both players, drop the worst arms, open new ones."""
        self._told += len(points)
        wanted = self._wanted()
        success = points / self._full
        for player, places, successes in zip(
            self._players, self._drawn, (success, 1 - success), strict=True
        ):
            arms = len(player)
            rate = self._learner.rate * math.sqrt(math.log(arms) / (arms * self._cells))
            player.reward(places, successes, rate)
            new = wanted - player.opened
            # Before new ones open, so that no arm is dropped before it has played.
            if arms + new > self._learner.most:
                player.keep(self._learner.most // 2)
            player.open(new)
        self._drawn = []

    def choice(self) -> Choice:
        """Return the remaining arms that both players have drawn most."""
        first, second = (player.most_frequent(self._learner.power) for player in self._players)
        return Choice(Portfolio(first, second), Certificate(0.0, 1.0), Certificate(0.0, 1.0))

    def _wanted(self) -> int:
        """Return how many arms should be open by now."""
        arms = math.ceil(self._learner.c * math.pow(max(self._told, 1), self._learner.g))
        return min(arms, max(1, self._cells // 2), MOST_ARMS)
