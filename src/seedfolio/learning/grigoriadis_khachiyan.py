"""A near equilibrium of a matrix, playing only some of its rows and columns."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isqrt, log

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.learning.exploration import Choice, ExploringLearner, nothing_known
from seedfolio.learning.learner import Certificate, in_range
from seedfolio.learning.one_colour import confidence
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import Cells

_MOST_ARMS = 2**15  # a colour; more than that squared would not fit the memory
_LEAST_EPS = 0.001


@dataclass(frozen=True)
class GrigoriadisKhachiyan(ExploringLearner):
    """Both players prefer arms that do well against what the other has drawn so far.

    From "A sublinear-time randomized approximation algorithm for matrix games" (Grigoriadis,
    Khachiyan 1995). Results count from -1 to 1. U[i] is what row i would have scored against the
    columns drawn so far, V[j] what column j conceded to the rows drawn; the next row is drawn in
    proportion to exp(eps/2 * U), the next column to exp(-eps/2 * V). The answer is how often each
    arm was drawn.

    After 4 ln(2 K) / eps**2 iterations on K arms a side, no opponent of the matrix gains more than
    eps (eps / 2 as success) over its value, with probability at least 1/2. An iteration costs a row
    and a column, K cells each, and nothing if they were drawn before: at most min(K, 2 T) K cells
    in T iterations, less than the whole matrix only where K is above 8 ln(2 K) / eps**2. `arms` is
    K; 0 chooses the most for which the cells are enough in any case.

    Rows that are drawn meet all K opponents, so the certificates hold at any moment: Hoeffding's
    inequality for all K arms of each colour. For the same reason the value of the K x K matrix is
    bracketed at any moment, by what the draws of both colours guarantee.
    """

    short = "gk"

    eps: float = 0.1
    arms: int = 0

    def __post_init__(self) -> None:
        in_range("gk needs eps of {}", self.eps, _LEAST_EPS, 1, advice="try eps=0.1")
        if self.arms:
            wanted = "gk needs {} arms, or 0 to choose"
            in_range(wanted, self.arms, 1, _MOST_ARMS, advice="leave arms out")

    def begin(self, cells: int, full: int, key: int) -> GrigoriadisKhachiyanExploration:
        """Begin an exploration of at most `cells` cells."""
        arms = self.arms or _most_arms(cells, self.eps)
        return GrigoriadisKhachiyanExploration(arms, self.eps, cells, full, key)


class GrigoriadisKhachiyanExploration:
    """The iterations, which wait only for rows and columns that were not drawn before."""

    def __init__(self, arms: int, eps: float, cells: int, full: int, key: int) -> None:
        self._rate, self._full, self._key = eps / 2, full, key
        self._left, self._cells = iterations(arms, eps), cells
        self._points = np.zeros((arms, arms), np.uint8)
        self._played = np.zeros((2, arms), np.bool_)  # whole rows, whole columns
        self._sums = np.zeros((2, arms), np.int64)  # U and V, in half points of the first player
        self._counts = np.zeros((2, arms), np.int64)
        self._drawn = 0, 0
        self._asked: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None

    def ask(self) -> Cells | None:
        """Iterate up to a row or column that is not known yet; return its cells."""
        while self._asked is None and self._left > 0:
            self._drawn = self._draw(0), self._draw(1)
            missing = self._missing()
            if len(missing[0]) > self._cells:
                self._left = 0
            elif len(missing[0]):
                self._asked = missing
            else:
                self._learn()
        if self._asked is None:
            return None
        rows, columns = self._asked
        return Cells(rows.astype(np.uint64), columns.astype(np.uint64))

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Enter the results, and complete the iteration."""
        assert self._asked is not None, "tell follows ask"
        self._points[self._asked] = points
        self._cells -= len(points)
        self._asked = None
        row, column = self._drawn
        self._played[0, row] = self._played[1, column] = True
        self._learn()

    def choice(self) -> Choice:
        """Return how often each arm was drawn."""
        if not self._counts.any():
            return nothing_known()
        first, sure, least = self._colour(0, self._points)
        second, also, other = self._colour(1, self._full - self._points.T)
        value = Certificate(least, 1 - other), Certificate(other, 1 - least)
        return Choice(Portfolio(first, second), sure, also, value=value)

    def _colour(
        self, colour: int, scores: NDArray[np.uint8]
    ) -> tuple[Distribution, Certificate, float]:
        """Return one colour's answer, and the least it scores against any arm of the matrix.

        The scores of arms that were drawn are all known.
        """
        arms = len(scores)
        drawn = np.flatnonzero(self._counts[colour])
        weights = self._counts[colour, drawn] / self._counts[colour].sum()
        successes = (weights @ scores[drawn]) / self._full
        side = Distribution.of(drawn.astype(np.uint64), weights)
        return side, confidence(float(successes.mean()), arms, arms), float(successes.min())

    def _draw(self, colour: int) -> int:
        """Draw an arm in proportion to the exponential of what it would have scored."""
        sums = self._sums[colour] if colour == 0 else -self._sums[colour]
        # From -1 to 1 a result spans 2, in half points `full`.
        weights = np.exp((sums - sums.max()) * (self._rate * 2 / self._full))
        limits = np.cumsum(weights)
        number = 2 * int(self._counts[0].sum()) + colour
        point = (mix_int(mix_int(self._key) + number) >> 11) / 2**53
        return min(int(np.searchsorted(limits, point * limits[-1], "right")), len(limits) - 1)

    def _missing(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the cells of the row and the column drawn that were not played before."""
        row, column = self._drawn
        new_columns = np.flatnonzero(~self._played[1]) if not self._played[0, row] else _NONE
        new_rows = np.flatnonzero(~self._played[0]) if not self._played[1, column] else _NONE
        if len(new_columns):
            new_rows = new_rows[new_rows != row]  # the row has that cell already
        return (
            np.concatenate([np.full(len(new_columns), row), new_rows]),
            np.concatenate([new_columns, np.full(len(new_rows), column)]),
        )

    def _learn(self) -> None:
        row, column = self._drawn
        self._sums[0] += self._points[:, column]
        self._sums[1] += self._points[row]
        self._counts[0, row] += 1
        self._counts[1, column] += 1
        self._left -= 1


_NONE = np.zeros(0, np.intp)


def iterations(arms: int, eps: float) -> int:
    """Return how many iterations the guarantee needs."""
    return ceil(4 * log(2 * arms) / eps**2)


def _most_arms(cells: int, eps: float) -> int:
    """Return the most arms a side for which no sequence of draws costs more than `cells` cells."""
    low, high = max(1, min(isqrt(cells), _MOST_ARMS)), min(max(1, cells), _MOST_ARMS)
    while low < high:
        middle = (low + high + 1) // 2
        if 2 * iterations(middle, eps) * middle <= cells:
            low = middle
        else:
            high = middle - 1
    return low
