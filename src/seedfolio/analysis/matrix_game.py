"""The portfolios of one matrix against each other, on the matrix that they were learnt from.

Table I of "Automatically Reinforcing a Game AI" (St-Pierre et al.), and its Section II-B: how much
a portfolio can be exploited by an opponent who knows it and draws arms of the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.table import percent
from seedfolio.learning.by_mean import best_arm
from seedfolio.learning.solvers.equilibrium import solve

_Floats = NDArray[np.float64]
_Sides = tuple[_Floats, _Floats]

HEADINGS = (
    "V",
    "Nash(1) v Uniform(2)",
    "Nash(2) v Uniform(1)",
    "Nash(2) v BestArm(1)",
    "Nash(1) v BestArm(2)",
    "arms of Nash",
)


@dataclass(frozen=True)
class Exploitability:
    """How far below the value of a game the worst opponent of its arms can push a portfolio."""

    first: float
    """v - min_q p M q."""
    second: float
    """max_p p M q - v."""

    @property
    def mean(self) -> float:
        """That of a program that plays both colours equally often."""
        return (self.first + self.second) / 2


@dataclass(frozen=True)
class Portfolios:
    """Nash, BestArm, BestHalf and Uniform of a matrix of successes of the first player."""

    matrix: _Floats
    value: float
    nash: _Sides
    best: _Sides
    half: _Sides
    uniform: _Sides

    @classmethod
    def of(cls, matrix: _Floats, key: int = 0) -> Portfolios:
        """Learn from a matrix; `key` draws lots among the best arms where several are equal."""
        found = solve(matrix)
        means = matrix.mean(axis=1), 1 - matrix.mean(axis=0)
        # Sums of the same numbers in another order may differ in their last bits.
        rounded = tuple(np.round(each, 12) for each in means)
        best = best_arm(rounded[0], key), best_arm(rounded[1], key + 1)
        uniform = tuple(np.full(size, 1 / size) for size in matrix.shape)
        return cls(
            matrix,
            found.value,
            (found.row, found.column),
            best,
            (_above_median(rounded[0]), _above_median(rounded[1])),
            (uniform[0], uniform[1]),
        )

    def numbers(self, matrix: _Floats | None = None, *, own_view: bool = True) -> list[float]:
        """Return the row of the table, on the matrix learnt from or on another of its arms.

        Seen by the first player, but for the fourth number: that is Nash's own success, as it must
        be where the paper's is above V. Without `own_view` it is the first player's as well.
        """
        judged = self.matrix if matrix is None else matrix
        nash, best, uniform = self.nash, self.best, self.uniform
        against_best = float(best[0] @ judged @ nash[1])
        return [
            float(nash[0] @ judged @ nash[1]),
            float(nash[0] @ judged @ uniform[1]),
            float(uniform[0] @ judged @ nash[1]),
            1 - against_best if own_view else against_best,
            float(nash[0] @ judged @ best[1]),
        ]

    @property
    def supports(self) -> tuple[int, int]:
        """How many arms of each colour Nash draws from."""
        return int(np.count_nonzero(self.nash[0])), int(np.count_nonzero(self.nash[1]))

    def printed(self, matrix: _Floats | None = None, *, own_view: bool = True) -> list[str]:
        """Return the row as printed."""
        numbers = self.numbers(matrix, own_view=own_view)
        return [*map(percent, numbers), "{} and {}".format(*self.supports)]

    def exploitability(self, sides: _Sides) -> Exploitability:
        """Return that of a portfolio: the weights of the rows, and those of the columns."""
        return Exploitability(
            self.value - float((sides[0] @ self.matrix).min()),
            float((self.matrix @ sides[1]).max()) - self.value,
        )


def _above_median(means: _Floats) -> _Floats:
    """Return equal weights for the arms above the median, or for all if there are none."""
    better = means > np.median(means)
    chosen = better if better.any() else np.ones(len(means), np.bool_)
    return np.asarray(chosen / np.count_nonzero(chosen))
