"""Results without games: matrices with arms that differ, and explorations of them."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from linear_program import row_strategy

from seedfolio.learning.exploration import ExploringLearner
from seedfolio.learning.matrix import GrowingMatrix, MatrixLearner
from seedfolio.learning.registry import find_learner

RESULTS = arrays(
    np.uint8, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.integers(0, 2)
)
"""Small matrices of half points, for hypothesis."""


def differing(rows, columns, seed, strength=0.6):
    """Wins of random arms: by strength, and by 20 traits that suit some opponents only."""
    draw = np.random.default_rng(seed)
    ours, theirs = draw.normal(0, strength, rows), draw.normal(0, strength, columns)
    traits, counters = draw.normal(0, 1.2, (rows, 20)), draw.normal(0, 1.2, (columns, 20))
    lead = ours[:, None] - theirs + traits @ counters.T / np.sqrt(20)
    return 2 * (draw.random((rows, columns)) < 1 / (1 + np.exp(-lead))).astype(np.uint8)


def from_matrix(matrix):
    rows, columns = matrix.shape
    return lambda row, column: matrix[row % rows, column % columns]


def run(exploration, points, asks=None):
    """Tell an exploration what it asks for, at most `asks` times; return the cells, in order."""
    cells = []
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


def guarantees(choice, matrix):
    weights = np.zeros(len(matrix)), np.zeros(len(matrix))
    for colour in (0, 1):
        weights[colour][list(choice.portfolio[colour].arms)] = choice.portfolio[colour].weights
    return float((weights[0] @ matrix).min() / 2), float((matrix @ weights[1]).max() / 2)


def value(matrix):
    return float(row_strategy(matrix.astype(float))[1])


def exploring_learner(text):
    learner = find_learner(text)
    if isinstance(learner, MatrixLearner):
        return GrowingMatrix(learner)
    assert isinstance(learner, ExploringLearner)
    return learner
