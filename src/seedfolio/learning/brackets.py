"""Sequential halving when the number of games is unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SpecificationError
from seedfolio.learning.exploration import MOST_ARMS, Exploration, ExploringLearner
from seedfolio.learning.halving import HalvingOfOneColour
from seedfolio.learning.learner import Certificate
from seedfolio.learning.one_colour import BothColours, Games, confidence
from seedfolio.portfolios.portfolio import Distribution

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

    keep: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.keep <= MOST_ARMS:
            raise SpecificationError(
                f"halving-brackets: keep must be 1 to {MOST_ARMS}, not {self.keep}"
            )

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "halving-brackets" if self.keep == 1 else f"halving-brackets:keep={self.keep}"

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
