"""UCB over infinitely many arms, which open one after the other (Wang, Audibert, Munos 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from math import cbrt, log

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.learning.exploration import MOST_ARMS, Exploration, ExploringLearner
from seedfolio.learning.learner import Certificate, in_range
from seedfolio.learning.one_colour import DOUBT, BothColours, Games, confidence
from seedfolio.portfolios.portfolio import Distribution


@dataclass(frozen=True)
class UcbWidening(ExploringLearner):
    """Play the arms that may be best, and open new ones as games are played.

    From "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016): after N games of
    a colour the first ceil(c * N**(1/3)) arms are open, and the `pulls` best scores are played at
    once, a game each. The score of an arm with n games is its mean + sqrt(explore * log(N) / n);
    one without games comes first. The n-th game of an arm is against opponent n, so all arms meet
    the same opponents in the same order. With few games most arms play once or never, so `each`
    limits the open arms to those that a colour's budget gives `each` games on average. 0: no limit,
    as in the paper.

    The result is the arm with the best lower bound, which counts both games and mean; the arm
    played most may only be the oldest good one. The certificate holds for all arms and numbers of
    games at once. A small `explore` pays with this many arms, but does not guarantee to find the
    best one.
    """

    short = "ucb-widening"

    c: int = 100
    pulls: int = 40
    explore: float = 0.05
    each: int = 0

    def __post_init__(self) -> None:
        in_range("ucb-widening: c must be {}", self.c, 1, MOST_ARMS)
        in_range("ucb-widening: pulls must be {}", self.pulls, 1, MOST_ARMS)
        in_range("ucb-widening: explore must be {}", self.explore, 0, 1000, advice="try 0.05")
        in_range("ucb-widening: each must be {}", self.each, 0, MOST_ARMS, advice="try 0 or 8")

    def begin(self, cells: int, full: int, key: int) -> Exploration:
        """Begin an exploration of at most `cells` cells."""
        return BothColours(
            lambda colour, games: UcbWideningOfOneColour(self, games, mix_int(key) + colour),
            cells,
            full,
        )


class UcbWideningOfOneColour:
    """The pulls of one colour."""

    def __init__(self, learner: UcbWidening, games: int, key: int) -> None:
        self._learner = learner
        self._budget = games
        self._spent = 0
        self._rounds = 0
        self._key = mix_int(key)
        self._pulls: NDArray[np.int64] = np.zeros(0, np.int64)
        self._totals: NDArray[np.float64] = np.zeros(0)
        self._lots: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._asked: NDArray[np.intp] = np.zeros(0, np.intp)
        self._open()

    def ask(self) -> Games | None:
        """Return one game of each of the arms with the best scores."""
        if self._spent == self._budget:
            return None
        arms = self._asked = self._best_scores()
        return Games(arms.astype(np.uint64), self._pulls[arms].astype(np.uint64))

    def tell(self, successes: NDArray[np.float64]) -> None:
        """Take the games, and open new arms."""
        arms = self._asked
        self._pulls[arms] += 1
        self._totals[arms] += successes
        self._spent += len(arms)
        self._rounds += 1
        self._open()

    def choice(self) -> tuple[Distribution, Certificate]:
        """Return the arm with the best lower bound."""
        # An arm plays at most once a round, so these are all possible means.
        choices = max(1, len(self._pulls) * self._rounds)
        lower = self._means(-np.inf) - self._radii(log(2 * choices / DOUBT) / 2)
        best = int(np.lexsort((self._lots, -lower))[0])
        games = int(self._pulls[best])
        mean = float(self._totals[best]) / max(games, 1)
        return Distribution((best,), (1.0,)), confidence(mean, games, choices)

    def _best_scores(self) -> NDArray[np.intp]:
        """Return the arms of this round: the best scores, ties broken at random."""
        radii = self._radii(self._learner.explore * log(max(self._spent, 1)))
        scores = self._means(np.inf) + radii
        number = min(self._learner.pulls, self._budget - self._spent, len(scores))
        # Sort only the candidates, not all thousands.
        least = np.partition(scores, -number)[-number]
        arms = np.flatnonzero(scores >= least)
        return np.sort(arms[np.lexsort((self._lots[arms], -scores[arms]))[:number]])

    def _means(self, unknown: float) -> NDArray[np.float64]:
        return np.where(self._pulls == 0, unknown, self._totals / np.maximum(self._pulls, 1))

    def _radii(self, factor: float) -> NDArray[np.float64]:
        return np.sqrt(factor / np.maximum(self._pulls, 1))

    def _open(self) -> None:
        """Open the arms that should be open by now."""
        each = self._learner.each
        most = min(MOST_ARMS, max(1, self._budget // each)) if each else MOST_ARMS
        old, now = len(self._pulls), min(most, open_arms(self._learner.c, max(1, self._spent)))
        if now == old:
            return
        lots = np.array([mix_int(self._key + arm) for arm in range(old, now)], np.uint64)
        self._pulls = np.concatenate([self._pulls, np.zeros(now - old, np.int64)])
        self._totals = np.concatenate([self._totals, np.zeros(now - old)])
        self._lots = np.concatenate([self._lots, lots])


def open_arms(c: int, games: int) -> int:
    """Return ceil(c * games ** (1/3)), exactly: the least whole number with at least that cube."""
    cube = c**3 * games
    arms = int(c * cbrt(games))
    while arms**3 < cube:
        arms += 1
    while (arms - 1) ** 3 >= cube:
        arms -= 1
    return arms
