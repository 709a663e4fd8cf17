"""Exp3 for both players at once (Auer, Cesa-Bianchi, Freund, Schapire 1995)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import e, log, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.learning.exploration import MOST_ARMS, Choice, Exploration, ExploringLearner
from seedfolio.learning.exponential_weights import ExponentialWeights
from seedfolio.learning.learner import Certificate, in_range
from seedfolio.learning.one_colour import DOUBT
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import Cells

_SLOPES = 12


class FairMeans:
    """Bounds, at any moment, of the success of every arm against the original program.

    Arms 0, 1, ... met opponents that were drawn with unequal, known probabilities, never below
    gamma / opponents. A game counts in inverse proportion to the probability of its opponent:
    1/2 + (success - 1/2) / (opponents * probability) has the mean that equally likely opponents
    give. Its sum departs from that of the means by no more than L / s + (e - 2) * s * V for any
    slope s up to 2 * gamma / (1 + gamma), where V adds up the variances that the probabilities
    allow, and exp(-L) is the error probability (Freedman's inequality, Beygelzimer et al. 2011,
    Theorem 1; its proof holds for all lengths of the sum at once). All arms, both directions and a
    few slopes share the error probability, so the results may decide on arm and moment. Half of it
    is for the opponents, which are a sample of the original program's arms (Hoeffding).
    """

    def __init__(self, arms: int, opponents: int, gamma: float) -> None:
        self._opponents = opponents
        self._games: NDArray[np.int64] = np.zeros(arms, np.int64)
        self._sums: NDArray[np.float64] = np.zeros(arms)
        self._variances: NDArray[np.float64] = np.zeros(arms)
        self._slopes = 2 * gamma / (1 + gamma) * 0.5 ** np.arange(_SLOPES)

    def add(
        self,
        arms: NDArray[np.intp],
        opponents: NDArray[np.intp],
        successes: NDArray[np.float64],
        probabilities: NDArray[np.float64],
    ) -> None:
        """Take games of arms against opponents drawn independently with these probabilities."""
        factors = 1 / (self._opponents * probabilities)
        np.add.at(self._games, arms, 1)
        np.add.at(self._sums, arms, 0.5 + (successes - 0.5) * factors[opponents])
        np.add.at(self._variances, arms, factors.mean() / 4)

    def bounds(self, distribution: Distribution) -> Certificate:
        """Return where the success of a distribution over the arms lies, with 95% confidence."""
        arms = np.array(distribution.arms, np.intp)
        weights = np.array(distribution.weights)
        games = np.maximum(self._games[arms], 1)
        doubt = DOUBT / (4 * len(self._games))
        slopes = self._slopes[:, None]
        sums = log(_SLOPES / doubt) / slopes + (e - 2) * slopes * self._variances[arms]
        radii = sums.min(axis=0) / games + sqrt(log(1 / doubt) / (2 * self._opponents))
        radii[self._games[arms] == 0] = 1
        means = self._sums[arms] / games
        lower = float((weights * np.clip(means - radii, 0, 1)).sum())
        upper = float((weights * np.clip(means + radii, 0, 1)).sum())
        return Certificate(lower, min(1.0, upper))


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
    0: those drawn more than 99% as often as the most drawn, which are few and strong against a
    stranger. With power 0.7: those drawn at least (largest count) ** 0.7 times, which
    are many and harder to exploit.

    The certificate weighs every game by how unlikely its opponent was. It says little below a few
    hundred games an arm, and nothing (0 to 1) at the papers' size.
    """

    short = "exp3"

    k: int = 400
    gamma: float = 0.3
    rate: float = 1.5
    batch: int = 0
    power: float = 0.0

    def __post_init__(self) -> None:
        in_range("exp3: k must be {}", self.k, 1, MOST_ARMS)
        _check_rates(self)

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


def _check_rates(learner: Exp3 | Exp3Widening) -> None:
    """Raise SpecificationError for parameters that no form of Exp3 can use."""
    name = learner.short
    in_range(f"{name}: gamma must be {{}}", learner.gamma, 0, 1, ends="(]", advice="try 0.3")
    in_range(f"{name}: rate must be {{}}", learner.rate, 0, 1000, ends="(]", advice="try 1.5")
    in_range(f"{name}: batch must be {{}}", learner.batch, 0, advice="0 chooses it")
    in_range(f"{name}: power must be {{}}", learner.power, 0, 1, advice="try 0 or 0.7")


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

    short = "exp3-widening"

    c: int = 20
    g: float = 0.5
    most: int = 100
    gamma: float = 0.3
    rate: float = 1.5
    batch: int = 0
    power: float = 0.0

    def __post_init__(self) -> None:
        in_range("exp3-widening: c must be {}", self.c, 2, MOST_ARMS)
        in_range("exp3-widening: g must be {}", self.g, 0, 1, ends="()", advice="try 0.5")
        in_range("exp3-widening: most must be {}", self.most, 2, MOST_ARMS)
        _check_rates(self)

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
