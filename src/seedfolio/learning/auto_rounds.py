"""Games between the arms of both colours, and how strong they show each arm to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.study.cells import Cells

Places = NDArray[np.intp]
Numbers = NDArray[np.float64]

# The prior: the success of arms of one colour varies by 0.01, as is usual. That is a tenth between
# a good arm and an average one. The prior counts as much as this many pairs of games.
_USUAL_VARIANCE = 0.01
_USUAL_PAIRS = 1000
_LEAST_VARIANCE = 1e-4
_LEAST_NOISE = 0.01
_SWEEPS = 5
_SHIFT, _COLUMN = 32, 2**32 - 1


@dataclass(frozen=True)
class Spread:
    """Variances of the success in a game."""

    arms: tuple[float, float]
    """Between the arms of each colour, by their strength."""
    rest: float
    """What strength does not explain."""


class Duels:
    """All games so far between the first arms of both colours, in successes of the first player.

    The model: success = level + strength of the arm - strength of its opponent + luck. Strengths
    are estimated together. Each is shrunk towards 0, depending on the spread of the arms and the
    number of its games (empirical Bayes). So arms that met different opponents are comparable, and
    the best of many is not overrated.
    """

    def __init__(self, arms: int) -> None:
        self._arms = arms
        self._known = np.zeros(0, np.uint64)
        self._asked = np.zeros(0, np.uint64)
        self._rows: Places = np.zeros(0, np.intp)
        self._columns: Places = np.zeros(0, np.intp)
        self._successes: Numbers = np.zeros(0)
        self._spread: Spread | None = None

    def ask(self, rows: Places, columns: Places) -> Cells:
        """Return those of the cells that were not played yet; `tell` takes their results."""
        keys = (rows.astype(np.uint64) << np.uint64(_SHIFT)) | columns.astype(np.uint64)
        self._asked = np.setdiff1d(keys, self._known)
        return Cells(self._asked >> np.uint64(_SHIFT), self._asked & np.uint64(_COLUMN))

    def tell(self, successes: Numbers) -> None:
        """Take the successes in the cells asked for last."""
        if len(successes) == 0:
            return
        rows = (self._asked >> np.uint64(_SHIFT)).astype(np.intp)
        columns = (self._asked & np.uint64(_COLUMN)).astype(np.intp)
        self._known = np.union1d(self._known, self._asked)
        self._rows = np.concatenate([self._rows, rows])
        self._columns = np.concatenate([self._columns, columns])
        self._successes = np.concatenate([self._successes, successes])
        if self._spread is None:
            self._spread = self._first_spread()

    @property
    def spread(self) -> Spread:
        """How much arms differ, by the games of the first round, before any arm dropped out."""
        return self._spread or Spread((_USUAL_VARIANCE, _USUAL_VARIANCE), 0.25)

    def strengths(self) -> tuple[Numbers, Numbers]:
        """Return how much more than an average arm every arm of each colour wins."""
        places = self._rows, self._columns
        counts = self._count(places[0]), self._count(places[1])
        of = [np.zeros(self._arms), np.zeros(self._arms)]
        if len(self._successes):
            level = float(self._successes.mean())
            ridges = [self.spread.rest / variance for variance in self.spread.arms]
            for _ in range(_SWEEPS):
                for colour in (1, 0):
                    mine, other = places[colour], places[1 - colour]
                    sign = 1 if colour == 0 else -1
                    left = sign * (self._successes - level) + of[1 - colour][other]
                    sums = np.bincount(mine, weights=left, minlength=self._arms)
                    of[colour] = sums / (counts[colour] + ridges[colour])
        return of[0], of[1]

    def level(self, colour: int) -> float:
        """Return the success of an average arm of a colour."""
        mean = float(self._successes.mean()) if len(self._successes) else 0.5
        return mean if colour == 0 else 1 - mean

    def _count(self, places: Places) -> Places:
        return np.bincount(places, minlength=self._arms)

    def _first_spread(self) -> Spread:
        left = self._successes - self._successes.mean()
        arms = []
        for places in (self._rows, self._columns):
            counts = self._count(places)
            sums = np.bincount(places, weights=left, minlength=self._arms)
            squares = np.bincount(places, weights=left**2, minlength=self._arms)
            pairs = float((counts * (counts - 1)).sum()) / 2
            products = float((sums**2 - squares).sum()) / 2
            shared = _USUAL_VARIANCE * _USUAL_PAIRS + products
            arms.append(max(_LEAST_VARIANCE, shared / (_USUAL_PAIRS + pairs)))
        total = float((left**2).mean())
        return Spread((arms[0], arms[1]), max(_LEAST_NOISE, total - arms[0] - arms[1]))


def spread_out(ours: Places, theirs: Places, each: int) -> tuple[Places, Places]:
    """Return games in which each of our arms meets `each` of theirs, and these about equally often.

    Neighbouring arms meet neighbouring opponents, so pass both in a random order.
    """
    each = min(each, len(theirs))
    number = np.arange(len(ours))
    begins = np.repeat(number * len(theirs) // len(ours), each)
    met = (begins + np.tile(np.arange(each), len(ours))) % len(theirs)
    return np.repeat(ours, each), theirs[met]
