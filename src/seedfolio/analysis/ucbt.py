"""UCBT: learns from game to game which arm does best against the present opponent.

From "Automatically Reinforcing a Game AI" (St-Pierre, Hoock, Liu, Teytaud, Teytaud), Section III-B.
Before game t an arm that was played n times for r points has the score

    min(1, r/n + 1/100 sqrt(C log(4 t^p) / n) + 16/100 log(4 t^p) / n),  C = 2, p = 2.1,

where x/0 is infinite, and an arm of the highest score plays; ties are broken at random. It needs no
extra games. Against an opponent that stays the same, the share of games that go to its best arm
tends to 1. Scores end at 1, so an arm that has not played yet ties with one that has won all its
games. So UCBT tries every arm, and an arm that always loses two or three times in the first few
hundred games; after that it plays only the arm that always wins.

The paper proposes two variants. With a *discount* of .99 to .999 all r and n are multiplied by it
after each game, so that about the last 1 / (1 - discount) games count and UCBT follows an opponent
that changes; choose it so that this is several games for each arm. With *widening* there are
infinitely many arms, and the number of open ones grows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError

SPREAD = 2.0
"""C of the formula."""
POWER = 2.1
"""p of the formula."""
WIDE = 1 / 100
"""Weight of the part that shrinks with the root of an arm's games."""
NARROW = 16 / 100
"""Weight of the part that shrinks with an arm's games."""

_ROUNDING = 1e-9


def growth(time: float) -> float:
    """Return log(4 t^p), with which the score of an arm grows while it does not play."""
    return log(4 * time**POWER)


def ucbt_scores(
    rewards: NDArray[np.float64], counts: NDArray[np.float64], time: float
) -> NDArray[np.float64]:
    """Return the score of every arm before game `time`, counted from 1."""
    grown = growth(time)
    with np.errstate(divide="ignore", invalid="ignore"):
        bonus = WIDE * np.sqrt(SPREAD * grown / counts) + NARROW * grown / counts
        scores = np.minimum(1.0, rewards / counts + bonus)
    return np.where(counts > 0, scores, 1.0)


@dataclass(frozen=True)
class Widening:
    """After N games the first ceil(factor * N^exponent) arms are open, and at least one.

    A power of 1/2 is right where the chance that an arm is within e of the best grows like e
    ("Algorithms for infinitely many-armed bandits", Wang, Audibert, Munos 2008); "Fast
    seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016) opens 100 N^(1/3).
    """

    factor: float = 1.0
    exponent: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.factor < float("inf") or not 0 < self.exponent <= 1:
            raise SpecificationError(
                f"widening by {self.factor} N^{self.exponent}: the factor must be above 0, the "
                "exponent above 0 and at most 1"
            )

    def opened(self, games: int) -> int:
        """Return how many arms are open after `games` games."""
        power: float = games**self.exponent
        return max(1, ceil(self.factor * power - _ROUNDING))


class Ucbt:
    """One UCBT player: ask it for the arm of the next game, tell it what that arm scored."""

    def __init__(
        self, arms: int | None = None, *, discount: float = 1.0, widening: Widening | None = None
    ) -> None:
        """Begin with `arms` arms, or with infinitely many if there is a widening."""
        if arms is None and widening is None:
            raise SpecificationError("UCBT needs a number of arms or a widening")
        if arms is not None and arms < 1:
            raise SpecificationError(f"UCBT needs 1 or more arms, not {arms}")
        if not 0 < discount <= 1:
            raise SpecificationError(f"`discount` must be above 0 and at most 1, not {discount}")
        self._most = arms
        self._discount = discount
        self._widening = widening
        self._games = 0
        self._rewards: NDArray[np.float64] = np.zeros(0)
        self._counts: NDArray[np.float64] = np.zeros(0)
        self._open()

    @property
    def open_arms(self) -> int:
        """How many arms it may choose from, 0 to one less than this."""
        return len(self._counts)

    @property
    def counts(self) -> NDArray[np.float64]:
        """How often each arm has played, discounted."""
        return self._counts.copy()

    def scores(self) -> NDArray[np.float64]:
        """Return the scores by which the next arm is chosen.

        Discounts apply to t as they do to the arms' n.
        """
        return ucbt_scores(self._rewards, self._counts, 1 + float(self._counts.sum()))

    def choose(self, key: int) -> int:
        """Return the arm for the next game; `key`, 64 random bits, breaks ties."""
        scores = self.scores()
        tied = np.flatnonzero(scores == scores.max())
        return int(tied[((mix_int(key) >> 32) * len(tied)) >> 32])

    def update(self, arm: int, reward: float) -> None:
        """Take what `arm` scored in a game: 0 for a loss, 1 for a win, or in between."""
        if not 0 <= arm < self.open_arms:
            raise ValueError(f"arm {arm} is not one of the {self.open_arms} that are open")
        if not 0 <= reward <= 1:
            raise ValueError(f"a reward of {reward} is not between 0 and 1")
        if self._discount < 1:
            self._rewards *= self._discount
            self._counts *= self._discount
        self._rewards[arm] += reward
        self._counts[arm] += 1
        self._games += 1
        self._open()

    def best(self) -> int:
        """Return the arm to settle on now: the best mean; of equal means, the most played."""
        played = self._counts > 0
        means = np.where(played, self._rewards / np.where(played, self._counts, 1), -1)
        return int(np.lexsort((-self._counts, -means))[0])

    def _open(self) -> None:
        """Open the arms that should be open by now."""
        count = self._most or 0
        if self._widening is not None:
            opened = self._widening.opened(self._games)
            count = opened if self._most is None else min(opened, self._most)
        more = count - self.open_arms
        if more > 0:
            self._rewards = np.concatenate([self._rewards, np.zeros(more)])
            self._counts = np.concatenate([self._counts, np.zeros(more)])


DISCOUNT = 0.99
"""About the last hundred games of a colour count."""
FEWEST_TRIES = 3
"""Games of an arm before it may give way."""
WIDENING = Widening(1.0, 1 / 3)
"""By the games that count."""
_GIVES_WAY = 0.5
"""An arm below this mean may give way."""


@dataclass
class _Kept:
    """What is remembered of an open arm."""

    games: int = 0
    points: float = 0.0
    """Discounted, as is the weight."""
    weight: float = 0.0

    @property
    def mean(self) -> float:
        return self.points / self.weight if self.weight else -1.0


class EndlessUcbt:
    """One discounted UCBT player; its arms are numbered 0, 1, 2, ... without end."""

    def __init__(self, *, discount: float = DISCOUNT) -> None:
        if not isinstance(discount, int | float) or not 0 < discount <= 1:
            raise SpecificationError(f"`discount` must be above 0 and at most 1, not {discount}")
        self._discount = discount
        self._total = 0.0
        self._next = 0
        self._arms: dict[int, _Kept] = {}
        self._open()

    @classmethod
    def after(
        cls, games: Iterable[tuple[int, float]], *, discount: float = DISCOUNT
    ) -> EndlessUcbt:
        """Return it after these games, each an arm and what it scored."""
        player = cls(discount=discount)
        for arm, reward in games:
            player.update(arm, reward)
        return player

    @property
    def open_arms(self) -> tuple[int, ...]:
        """The arms that it may choose now."""
        return tuple(sorted(self._arms))

    def mean(self, arm: int) -> float | None:
        """Return the discounted mean of an open arm; None if it has not played or is not open."""
        kept = self._arms.get(arm)
        return kept.mean if kept is not None and kept.weight else None

    def scores(self) -> dict[int, float]:
        """Return the scores of the open arms, by which the next is chosen."""
        arms = self.open_arms
        points = np.array([self._arms[arm].points for arm in arms])
        weights = np.array([self._arms[arm].weight for arm in arms])
        found = ucbt_scores(points, weights, 1 + self._total)
        return {arm: float(score) for arm, score in zip(arms, found, strict=True)}

    def choose(self, key: int) -> int:
        """Return the arm for the next game; `key`, 64 random bits, breaks ties."""
        scores = self.scores()
        highest = max(scores.values())
        tied = [arm for arm, score in scores.items() if score == highest]
        return tied[((mix_int(key) >> 32) * len(tied)) >> 32]

    def update(self, arm: int, reward: float) -> None:
        """Take what `arm` scored in a game: 0 for a loss, 1 for a win, or in between.

        An arm that is not open joins: somebody else may have chosen it.
        """
        if not 0 <= reward <= 1:
            raise ValueError(f"a reward of {reward} is not between 0 and 1")
        for kept in self._arms.values():
            kept.points *= self._discount
            kept.weight *= self._discount
        kept = self._arms.setdefault(arm, _Kept())
        kept.games += 1
        kept.points += reward
        kept.weight += 1
        self._total = self._total * self._discount + 1
        self._next = max(self._next, arm + 1)
        self._close()
        self._open()

    def best(self) -> int:
        """Return the open arm with the best mean; of equal ones the most played."""
        return min(self._arms, key=lambda a: (-self._arms[a].mean, -self._arms[a].weight, a))

    def _close(self) -> None:
        best, scores = self.best(), self.scores()
        highest = max(scores.values())
        for arm, kept in list(self._arms.items()):
            tried_next = scores[arm] >= highest and kept.mean < _GIVES_WAY
            if tried_next and kept.games >= FEWEST_TRIES and arm != best:
                del self._arms[arm]

    def _open(self) -> None:
        wanted = WIDENING.opened(int(self._total + 1e-9))
        while len(self._arms) < wanted:
            self._arms[self._next] = _Kept()
            self._next += 1
