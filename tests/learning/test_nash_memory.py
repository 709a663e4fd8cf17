"""Nash solves a matrix once, and remembers only what is the same matrix."""

import numpy as np
import pytest

from seedfolio.learning import nash
from seedfolio.learning.matrix import Weights
from seedfolio.learning.nash import Nash, SparseNash
from seedfolio.learning.solvers.equilibrium import solve


@pytest.fixture
def solved(monkeypatch):
    """The shapes of the matrices solved from now on; nothing is remembered from before."""
    shapes: list[tuple[int, ...]] = []

    def counting(scores, *, tolerance):
        shapes.append(scores.shape)
        return solve(scores, tolerance=tolerance)

    monkeypatch.setattr(nash, "solve", counting)
    monkeypatch.setattr(nash, "_SOLVED", dict[bytes, Weights]())
    return shapes


def random_scores(rows, columns, seed):
    return np.random.default_rng(seed).integers(0, 3, (rows, columns), dtype=np.uint8)


def test_nash_and_its_thinned_forms_solve_a_matrix_once(solved):
    scores = random_scores(20, 10, 1)
    first = Nash().weigh(scores, 2, 0)
    SparseNash(0.5).weigh(scores, 2, 0)
    SparseNash(0.75).weigh(np.asfortranarray(scores), 2, 1)
    again = Nash().weigh(scores.copy(), 2, 1)
    assert solved == [(20, 10)]
    assert again.weights.tobytes() == first.weights.tobytes()
    assert again.certificate == first.certificate


def test_every_part_of_a_matrix_is_remembered_for_a_curve(solved):
    both = random_scores(20, 5, 2), random_scores(20, 5, 3)
    for learner in (Nash(), SparseNash()):
        for k in range(10, 20):
            for scores in both:
                learner.weigh(scores[:k], 2, 0)
    assert len(solved) == 20


def test_another_matrix_is_another_matter(solved):
    scores = np.array([[2, 0, 1, 1]], dtype=np.uint8)
    changed = scores.copy()
    changed[0, 0] = 1
    for matrix in (scores, changed, scores.reshape(2, 2), scores.T):  # three of the same bytes
        assert len(Nash().weigh(matrix, 2, 0).weights) == len(matrix)
    assert solved == [(1, 4), (1, 4), (2, 2), (4, 1)]
    scores[0, 0] = 0  # in place: the array is the same, the matrix is not
    Nash().weigh(scores, 2, 0)
    assert len(solved) == 5


def test_memory_is_bounded_and_the_oldest_goes_first(solved):
    for seed in range(66):
        Nash().weigh(random_scores(3, 5, seed), 2, 0)
    assert len(nash._SOLVED) == 64
    solved.clear()
    Nash().weigh(random_scores(3, 5, 65), 2, 0)
    assert solved == []
    Nash().weigh(random_scores(3, 5, 0), 2, 0)
    assert solved == [(3, 5)]


def test_what_is_remembered_cannot_be_written_to():
    learnt = Nash().weigh(random_scores(4, 4, 4), 2, 0)
    with pytest.raises(ValueError, match="read-only"):
        learnt.weights[0] = 1
