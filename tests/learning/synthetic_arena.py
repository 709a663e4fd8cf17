"""Results without games: matrices with arms that differ, and explorations of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.exploration import Exploration, ExploringLearner
from seedfolio.learning.matrix import GrowingMatrix, MatrixLearner
from seedfolio.learning.registry import find_learner

Matrix = NDArray[np.uint8]
Points = Callable[[NDArray[np.int64], NDArray[np.int64]], Matrix]


def differing(rows: int, columns: int, seed: int, strength: float = 0.6) -> Matrix:
    """Wins of random arms: by strength, and by 20 traits that suit some opponents only."""
    draw = np.random.default_rng(seed)
    ours, theirs = draw.normal(0, strength, rows), draw.normal(0, strength, columns)
    traits, counters = draw.normal(0, 1.2, (rows, 20)), draw.normal(0, 1.2, (columns, 20))
    lead = ours[:, None] - theirs + traits @ counters.T / np.sqrt(20)
    return 2 * (draw.random((rows, columns)) < 1 / (1 + np.exp(-lead))).astype(np.uint8)


def from_matrix(matrix: Matrix) -> Points:
    """Results out of a matrix; seeds beyond it count on from its beginning."""
    rows, columns = matrix.shape
    return lambda row, column: matrix[row % rows, column % columns]


def run(exploration: Exploration, points: Points, asks: int | None = None) -> list[tuple[int, int]]:
    """Tell an exploration what it asks for, at most `asks` times; return the cells, in order."""
    cells: list[tuple[int, int]] = []
    while asks is None or asks > 0:
        asked = exploration.ask()
        if asked is None:
            assert exploration.ask() is None
            break
        assert len(asked.rows) == len(asked.columns) > 0
        assert asked.rows.dtype == asked.columns.dtype == np.uint64
        cells += zip(asked.rows.tolist(), asked.columns.tolist(), strict=True)
        exploration.tell(points(asked.rows.astype(np.int64), asked.columns.astype(np.int64)))
        asks = None if asks is None else asks - 1
    return cells


def value(matrix: NDArray[Any]) -> float:
    """The value of a matrix game, by linear programming."""
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-matrix.T.astype(float), np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    assert found.success
    return float(-found.fun)


def exploring_learner(text: str) -> ExploringLearner:
    """The learner that a text names, as one that chooses its games."""
    learner = find_learner(text)
    if isinstance(learner, MatrixLearner):
        return GrowingMatrix(learner)
    assert isinstance(learner, ExploringLearner)
    return learner
