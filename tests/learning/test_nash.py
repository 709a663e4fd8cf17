"""Nash: a matrix is solved once, and both colours at the same time."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info
from waiting import ran

from seedfolio.learning import nash
from seedfolio.learning.matrix import MatrixLearner, Weights, weigh_both
from seedfolio.learning.nash import Nash, SparseNash
from seedfolio.learning.regret_matching import RegretMatching
from seedfolio.learning.solvers.equilibrium import solve
from seedfolio.learning.solvers.regret_matching import regret_matching


@pytest.fixture
def solved(monkeypatch):
    """The shapes of the matrices solved from now on; nothing is remembered from before."""
    shapes = []

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
    with pytest.raises(ValueError, match="read-only"):
        first.weights[0] = 1


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


def test_memory_is_bounded_and_the_oldest_goes_first(solved, monkeypatch):
    monkeypatch.setattr(nash, "_MOST_SOLVED", 4)
    for seed in range(6):
        Nash().weigh(random_scores(3, 5, seed), 2, 0)
    assert len(nash._SOLVED) == 4
    solved.clear()
    Nash().weigh(random_scores(3, 5, 5), 2, 0)
    assert solved == []
    Nash().weigh(random_scores(3, 5, 0), 2, 0)
    assert solved == [(3, 5)]


def blas_threads():
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


@pytest.mark.parametrize("learner", [Nash(), RegretMatching(20)])
@pytest.mark.parametrize("shape", [(30, 10), (500, 230)])
def test_each_colour_is_learnt_as_alone(learner, shape, monkeypatch):
    monkeypatch.setattr(nash, "_SOLVED", dict[bytes, Weights]())
    scores = random_scores(*shape, 1), random_scores(*shape, 2)
    alone = [learner.weigh(each, 2, key) for key, each in enumerate(scores, 7)]
    threads = blas_threads()
    nash._SOLVED.clear()
    both = weigh_both(learner, scores, 2, 7)
    assert blas_threads() == threads
    for one, other in zip(alone, both, strict=True):
        assert one.weights.tobytes() == other.weights.tobytes()
        assert one.certificate == other.certificate


@pytest.mark.slow
def test_no_library_keeps_the_limit_in_a_fresh_process():
    # scipy has a BLAS of its own, which is loaded when it is needed first.
    code = """
import numpy as np
from threadpoolctl import threadpool_info
from seedfolio.learning.matrix import weigh_both
from seedfolio.learning.nash import Nash
scores = [np.random.default_rng(k).integers(0, 3, (500, 230), dtype=np.uint8) for k in (1, 2)]
weigh_both(Nash(), tuple(scores), 2, 7)
print(*(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"))
"""
    threads = ran("-c", code).stdout.split()
    assert len(threads) >= 2
    assert len(set(threads)) == 1


class Keys(MatrixLearner):
    name = "keys"

    def weigh(self, scores, full, key):
        return Weights(np.array([scores.sum(), full, key], np.float64))


@pytest.mark.parametrize("shape", [(30, 10), (500, 230), (11000, 1000)])
def test_each_colour_has_its_matrix_and_key(shape):
    scores = np.ones(shape, np.uint8), np.zeros(shape, np.uint8)
    first, second = weigh_both(Keys(), scores, 6, 40)
    assert first.weights.tolist() == [shape[0] * shape[1], 6, 40]
    assert second.weights.tolist() == [0, 6, 41]


def test_regret_matching_against_a_plain_implementation():
    """Predictive regret matching+, alternating, the t-th strategies counted t squared times."""
    game = np.array([[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.2, 0.9], [0.3, 0.6, 0.1]])
    payoffs, regrets = (game, -game.T), [np.zeros(4), np.zeros(3)]
    plays, totals = [np.full(4, 1 / 4), np.full(3, 1 / 3)], [np.zeros(4), np.zeros(3)]
    for step in range(1, 8):
        for side in (0, 1):
            payoff = payoffs[side] @ plays[1 - side]
            instant = payoff - plays[side] @ payoff
            regrets[side] = np.maximum(regrets[side] + instant, 0)
            wish = np.maximum(regrets[side] + instant, 0)
            plays[side] = wish / wish.sum() if wish.sum() > 0 else plays[side]
        totals = [total + step**2 * play for total, play in zip(totals, plays, strict=True)]
    for found, total in zip(regret_matching(game, 7), totals, strict=True):
        assert found == pytest.approx(total / total.sum(), abs=1e-5)
