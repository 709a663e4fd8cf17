"""Sequential halving (Karnin, Koren, Somekh 2013): the best of many arms for few games."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.learning.exploration import MOST_ARMS, Exploration, ExploringLearner
from seedfolio.learning.learner import Certificate, in_range
from seedfolio.learning.one_colour import BothColours, Games, confidence
from seedfolio.portfolios.portfolio import Distribution


@dataclass(frozen=True)
class Halving(ExploringLearner):
    """Play all arms a little, drop the worse half, and play the others more, until `keep` are left.

    All arms of a round meet the same opponents, new ones in every round, so luck with opponents
    does not decide between them. Every round costs about the same number of games. The arms that
    are left are drawn equally often: one is strongest against a stranger, several are
    harder to exploit. `arms` is the number to begin with; 0 chooses the most for which every arm
    plays once in the first round.

    With n arms and b games a colour the best arm is found with probability at least
    1 - 3 log2(n) exp(-b / (8 H2 log2(n))), where H2 is the largest i / gap_i**2 over the gaps of
    the arms from the best, in order ("Almost optimal exploration in multi-armed bandits", Karnin,
    Koren, Somekh 2013, Theorem 4.1). The paper counts the games of each round alone. Here those of
    all rounds so far add up, and the bound is the same: a round's failure, counted over all arms
    below the best quarter instead of those left, has a chance of at most exp(-x) / x, where -x is
    the exponent above; and for x below 1/3 the bound is empty anyway.
    """

    short = "halving"

    keep: int = 1
    arms: int = 0

    def __post_init__(self) -> None:
        in_range("halving: keep must be {}", self.keep, 1, MOST_ARMS)
        if self.arms:
            in_range("halving: arms must be 0, or keep={}", self.arms, self.keep, MOST_ARMS)

    def begin(self, cells: int, full: int, key: int) -> Exploration:
        """Begin an exploration of at most `cells` cells."""
        return BothColours(
            lambda colour, games: HalvingOfOneColour(self.keep, self.arms, games, key + colour),
            cells,
            full,
        )


class HalvingOfOneColour:
    """The rounds of one colour."""

    def __init__(self, keep: int, arms: int, games: int, key: int) -> None:
        count = arms or _most_arms(games, keep)
        self._keep = min(keep, count)
        self._budget = games
        self._rounds = max(1, round(log2(count / self._keep)))
        self._left = self._rounds
        self._spent = 0
        self._arms: NDArray[np.uint64] = np.arange(count, dtype=np.uint64)
        self._totals: NDArray[np.float64] = np.zeros(count)
        self._met = 0
        self._all = count
        # A random order decides between equal means, the same in all rounds.
        self._lots = np.array([mix_int(mix_int(key) + arm) for arm in range(count)], np.uint64)

    def ask(self) -> Games | None:
        """Return a round: every arm that is left against the same new opponents."""
        if self._left == 0:
            return None
        share = (self._budget - self._spent) // self._left
        opponents = share // len(self._arms)
        if opponents == 0:
            return None
        met = np.arange(self._met, self._met + opponents, dtype=np.uint64)
        return Games(np.repeat(self._arms, opponents), np.tile(met, len(self._arms)))

    def tell(self, successes: NDArray[np.float64]) -> None:
        """Add up the round, and drop the worse half."""
        table = successes.reshape(len(self._arms), -1)
        self._totals += table.sum(axis=1)
        self._met += table.shape[1]
        self._spent += table.size
        self._left -= 1
        survivors = max(self._keep, -(-len(self._arms) // 2))
        if self._left == 0:
            survivors = self._keep
        kept = np.sort(self._best(survivors))
        self._arms = self._arms[kept]
        self._totals = self._totals[kept]
        self._lots = self._lots[kept]

    def choice(self) -> tuple[Distribution, Certificate]:
        """Return the best remaining arms, equally often."""
        best = np.sort(self._best(min(self._keep, len(self._arms))))
        weights = np.full(len(best), 1 / len(best))
        mean = float(self._totals[best].mean()) / max(self._met, 1)
        return Distribution.of(self._arms[best], weights), confidence(mean, self._met, self._all)

    def _best(self, count: int) -> NDArray[np.intp]:
        """Return the places of the best arms."""
        return np.lexsort((self._lots, -self._totals))[:count]


def _most_arms(games: int, keep: int) -> int:
    """Return the most arms, `keep` times a power of 2, that can all play once in every round."""
    count = keep
    while count < MOST_ARMS and 2 * count * max(1, round(log2(2 * count / keep))) <= games:
        count *= 2
    return count


_FIRST_BRACKET = 16  # games for each arm that is kept


@dataclass(frozen=True)
class HalvingBrackets(ExploringLearner):
    """Sequential halving again and again, each time with twice the games, and so more arms.

    The doubling trick on "Almost optimal exploration in multi-armed bandits" (Karnin, Koren, Somekh
    2013), as brackets like those of "Hyperband" (Li and others 2018). It may stop at any moment and
    then returns the bracket whose `keep` arms have the best lower bound, the current one included.
    Brackets play their arms against the same opponents and never repeat a game of an earlier
    bracket: of b games, the last bracket has b / 2 or more.

    The certificates hold at all moments together: for the arms of all brackets, after each of their
    rounds (Hoeffding; the t-th bracket has 1 / (t (t + 1)) of the allowed error probability).
    """

    short = "halving-brackets"

    keep: int = 1

    def __post_init__(self) -> None:
        in_range("halving-brackets: keep must be {}", self.keep, 1, MOST_ARMS)

    def begin(self, cells: int, full: int, key: int) -> Exploration:
        """Begin an exploration of at most `cells` cells."""
        return BothColours(
            lambda colour, games: BracketsOfOneColour(self.keep, games, key + colour), cells, full
        )


class BracketsOfOneColour:
    """The brackets of one colour."""

    def __init__(self, keep: int, games: int, key: int) -> None:
        self._keep, self._key, self._left = keep, key, games
        self._bracket = _Bracket(1, min(games, _FIRST_BRACKET * keep), keep, key)
        self._best = self._bracket.choice()
        # Every arm has met opponents 0, 1, 2, ... up to its own number.
        self._known = np.zeros(0, np.int64)
        self._done = False

    def ask(self) -> Games | None:
        """Return the next round, including those of its games that were played before."""
        if self._done:
            return None
        asked = self._bracket.ask()
        if asked is None:
            old = self._bracket
            self._bracket = _Bracket(old.number + 1, 2 * old.games, self._keep, self._key)
            asked = self._bracket.ask()
        new = 0 if asked is None else self._note(asked)
        self._done = asked is None or new > self._left
        self._left -= new
        return None if self._done else asked

    def tell(self, successes: NDArray[np.float64]) -> None:
        """Pass the round to its bracket, and check if that is now the best."""
        self._bracket.tell(successes)
        standing = self._bracket.choice()
        if standing[1].lower >= self._best[1].lower:
            self._best = standing

    def choice(self) -> tuple[Distribution, Certificate]:
        """Return the arms with the best lower bound."""
        return self._best

    def _note(self, asked: Games) -> int:
        """Count the games that were not played before, and take them as played."""
        arms = asked.arms.astype(np.intp)
        more = np.zeros(max(0, int(arms.max()) + 1 - len(self._known)), np.int64)
        self._known = np.concatenate([self._known, more])
        new = int(np.count_nonzero(asked.opponents >= self._known[arms]))
        met = int(asked.opponents.max()) + 1
        self._known[arms] = np.maximum(self._known[arms], met)
        return new


class _Bracket:
    """One run of sequential halving, with the sums that a certificate over all runs needs."""

    def __init__(self, number: int, games: int, keep: int, key: int) -> None:
        self.number, self.games = number, games
        self._halving = HalvingOfOneColour(keep, 0, games, key)
        self._asked = self._halving.ask()
        self._arms = 1 if self._asked is None else int(self._asked.arms.max()) + 1
        self._won = np.zeros(self._arms)
        self._met = 0

    def ask(self) -> Games | None:
        return self._asked

    def tell(self, successes: NDArray[np.float64]) -> None:
        asked = self._asked
        assert asked is not None, "tell follows ask"
        np.add.at(self._won, asked.arms.astype(np.intp), successes)
        self._met = int(asked.opponents.max()) + 1
        self._halving.tell(successes)
        self._asked = self._halving.ask()

    def choice(self) -> tuple[Distribution, Certificate]:
        kept, _ = self._halving.choice()
        if self._met == 0:
            return kept, Certificate(0.0, 1.0)
        mean = float(self._won[list(kept.arms)].mean()) / self._met
        # All arms after all rounds; there are at most as many rounds as binary digits of the arms.
        choices = self._arms * self._arms.bit_length() * self.number * (self.number + 1)
        return kept, confidence(mean, self._met, choices)
