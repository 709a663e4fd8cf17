"""A row of Table I of "Automatically Reinforcing a Game AI" (St-Pierre et al.), of any matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.solvers.equilibrium import solve
from seedfolio.papers.engine_experiment import in_percent

HEADINGS = (
    "V",
    "Nash(1) v Uniform(2)",
    "Nash(2) v Uniform(1)",
    "Nash(2) v BestArm(1)",
    "Nash(1) v BestArm(2)",
    "arms of Nash",
)


@dataclass(frozen=True)
class Portfolios:
    """Nash, BestArm and Uniform of a matrix of successes of the first player."""

    matrix: NDArray[np.float64]
    nash: tuple[NDArray[np.float64], NDArray[np.float64]]
    best: tuple[NDArray[np.float64], NDArray[np.float64]]
    uniform: tuple[NDArray[np.float64], NDArray[np.float64]]

    @classmethod
    def of(cls, matrix: NDArray[np.float64]) -> Portfolios:
        """Learn from a matrix."""
        found = solve(matrix)
        rows, columns = matrix.shape
        best = np.zeros(rows), np.zeros(columns)
        best[0][np.argmax(matrix.mean(axis=1))] = 1
        best[1][np.argmin(matrix.mean(axis=0))] = 1
        uniform = np.full(rows, 1 / rows), np.full(columns, 1 / columns)
        return cls(matrix, (found.row, found.column), best, uniform)

    def numbers(self, matrix: NDArray[np.float64] | None = None) -> list[float]:
        """Return the row of the table, on the matrix learnt from or on another of its arms.

        Seen by the first player, but for the fourth number, which is Nash's own success.
        """
        judged = self.matrix if matrix is None else matrix
        nash, best, uniform = self.nash, self.best, self.uniform
        return [
            float(nash[0] @ judged @ nash[1]),
            float(nash[0] @ judged @ uniform[1]),
            float(uniform[0] @ judged @ nash[1]),
            float(1 - best[0] @ judged @ nash[1]),
            float(nash[0] @ judged @ best[1]),
        ]

    @property
    def supports(self) -> str:
        """How many arms of each colour Nash draws from."""
        return " and ".join(str(np.count_nonzero(side)) for side in self.nash)

    def printed(self, matrix: NDArray[np.float64] | None = None) -> list[str]:
        """Return the row as printed."""
        return [*map(in_percent, self.numbers(matrix)), self.supports]
