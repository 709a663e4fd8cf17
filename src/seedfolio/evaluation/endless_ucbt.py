"""UCBT with a discount over arms without end, for an opponent that changes, such as a person.

"Automatically Reinforcing a Game AI" (St-Pierre et al.) asks for both in its conclusion: for
"discounted bandits [...], so that very old games have little influence on the current games", and
for "an infinite set of seeds". Put together, they need two rules more:

* *Open arms* follow the games that still count, N: there are ceil(N^(1/3)). N is at most
  1 / (1 - discount), so a number of arms that grew with all games would in the end leave less than
  one try for each.
* *An arm gives way.* When UCBT would try an arm again that has lost most of three games or more,
  the next new arm takes its place. The arm with the best mean never gives way.

So there are always new arms to try, few games go to trying, and all others go to the arm that does
best now: with the defaults, an arm that always wins plays four games of five in the long run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.ucbt import Widening, ucbt_scores

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
