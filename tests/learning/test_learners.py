"""The learners of a matrix on cases worked out by hand, and a matrix is solved once."""

from hashlib import sha256
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from synthetic_arena import RESULTS, differing, value
from threadpoolctl import threadpool_info, threadpool_limits
from waiting import ran

from seedfolio.core.randomness import mix_int
from seedfolio.learning import exploiter_objective, nash
from seedfolio.learning.by_mean import BestHalf, BestSeed, Top, Uniform
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.learning.matrix import Weights, weigh_both
from seedfolio.learning.nash import Nash, SparseNash
from seedfolio.learning.regret_matching import RegretMatching
from seedfolio.learning.solvers.equilibrium import solve
from seedfolio.learning.solvers.exploiter_bounds import worst_weights
from seedfolio.learning.solvers.regret_matching import regret_matching

ALL = [
    *(Uniform(), BestSeed(), BestHalf(), Top(3), Nash()),
    *(SparseNash(0.5), SparseNash(1), RegretMatching(50), ExploiterObjective(2)),
]


def scores(*rows):
    return np.array(rows, dtype=np.uint8)


@pytest.mark.parametrize("learner", ALL, ids=lambda learner: learner.name)
@given(results=RESULTS, key=st.integers(0, 2**64 - 1))
@settings(max_examples=12, deadline=None)
def test_weights_are_a_distribution_and_repeat(learner, results, key):
    learnt = learner.weigh(results, 2, key)
    assert learnt.weights.shape == (len(results),)
    assert learnt.weights.dtype == np.float64
    assert learnt.weights.min() >= 0
    assert learnt.weights.sum() == pytest.approx(1, abs=1e-12)
    assert learnt.weights.tobytes() == learner.weigh(results, 2, key).weights.tobytes()


@pytest.mark.parametrize("full", [2, 32, 254])
def test_the_certificate_is_a_success_whatever_a_cell_holds(full):
    # Rows at 1/3 and 2/3 win 2/3 of each game.
    matrix = np.array([[full, 0], [full // 2, full]], dtype=np.uint8)
    learnt = Nash().weigh(matrix, full, 0)
    assert learnt.weights == pytest.approx([1 / 3, 2 / 3])
    assert learnt.certificate.lower == pytest.approx(2 / 3, abs=1e-12)
    assert learnt.certificate.upper == pytest.approx(2 / 3, abs=1e-12)
    # The same bytes as the part of another whole are another success.
    less = Nash().weigh(matrix, 4 * full, 0).certificate
    assert less.lower == pytest.approx(1 / 6, abs=1e-12)


@pytest.mark.parametrize("learner", ALL, ids=lambda learner: learner.name)
def test_sums_over_more_games_with_the_same_means_weigh_alike(learner):
    matrix = np.random.default_rng(3).integers(0, 3, (30, 20), dtype=np.uint8)
    once, often = learner.weigh(matrix, 2, 7), learner.weigh(127 * matrix, 254, 7)
    assert often.weights == pytest.approx(once.weights, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.75, 1.0])
def test_sparse_nash_drops_the_small_weights(alpha):
    matrix = np.random.default_rng(2).integers(0, 2, (60, 40), dtype=np.uint8) * 2
    nash, sparse = Nash().weigh(matrix, 2, 0), SparseNash(alpha).weigh(matrix, 2, 0)
    kept = nash.weights >= alpha * nash.weights.max()
    assert 0 < np.count_nonzero(kept) < np.count_nonzero(nash.weights)
    assert sparse.weights[~kept].max() == 0
    assert sparse.weights[kept] == pytest.approx(nash.weights[kept] / nash.weights[kept].sum())
    assert sparse.certificate == nash.certificate


def test_importing_the_learners_loads_no_solver():
    code = """
import sys
from seedfolio.learning.registry import LEARNERS
assert all(entry.make for entry in LEARNERS.values())
# numba loads scipy itself, but no part of it.
sys.exit(any(f"scipy.{part}" in sys.modules for part in ("linalg", "optimize", "sparse")))
"""
    assert ran("-c", code).returncode == 0


PENNIES, EQUAL = [[2, 0], [0, 2]], [[1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("learner", "rows", "weights"),
    [
        (Uniform(), [[0], [2], [1], [0]], [0.25] * 4),
        (BestSeed(), [[2, 0, 1], [2, 2, 0], [0, 1, 2]], [0, 1, 0]),
        (BestHalf(), [[2, 2], [2, 1], [1, 0], [0, 0]], [0.5, 0.5, 0, 0]),
        (BestHalf(), [[2, 2], [1, 1], [0, 0]], [1, 0, 0]),  # without the median itself
        (BestHalf(), [[2], [2], [2], [0]], [0.25] * 4),  # all, as none is above the median
        (Nash(), [*PENNIES, [0, 0]], [0.5, 0.5, 0]),
        (SparseNash(1.0), PENNIES, [0.5, 0.5]),
        (SparseNash(0.5), [[2, 0], [1, 2]], [1 / 3, 2 / 3]),
        (SparseNash(0.51), [[2, 0], [1, 2]], [0, 1]),
        (SparseNash(1.0), [[1, 0, 2], [2, 1, 0], [0, 2, 1]], [1 / 3] * 3),
        *((learner, EQUAL, [0.5, 0.5]) for learner in (BestHalf(), Nash(), SparseNash(1.0))),
        *((learner, [[0, 2, 1]], [1]) for learner in ALL),
    ],
)
def test_weights_by_hand(learner, rows, weights):
    assert learner.weigh(scores(*rows), 2, 5).weights == pytest.approx(weights)


TOP = [[2, 0, 1], [2, 2, 0], [0, 0, 0], [0, 1, 2], [2, 2, 2]]


@pytest.mark.parametrize(("n", "kept"), [(1, [4]), (2, [1, 4]), (4, [0, 1, 3, 4]), (16, range(5))])
def test_the_best_means_are_drawn_equally(n, kept):
    weights = Top(n).weigh(scores(*TOP), 2, 0).weights
    assert np.flatnonzero(weights).tolist() == list(kept)
    assert weights[list(kept)] == pytest.approx(1 / len(kept))


@pytest.mark.parametrize("learner", [BestSeed(), Top(1)])
def test_half_points_do_not_overflow(learner):
    matrix = np.full((2, 300), 2, dtype=np.uint8)  # 600 half points do not fit 8 bits
    matrix[0, 250:] = 0
    assert learner.weigh(matrix, 2, 0).weights.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("learner", "rows", "tied", "pinned"),
    [
        (BestSeed(), [[2, 0], [0, 0], [0, 2], [1, 1]], [0, 2, 3], [2, 2, 0, 2, 0, 3, 0, 2]),
        (Top(3), TOP, [0, 3], [0, 0, 0, 3, 3, 3, 0, 3]),  # for the third place
    ],
)
def test_ties_are_broken_at_random_by_key_alone(learner, rows, tied, pinned):
    weights = [learner.weigh(scores(*rows), 2, key).weights for key in range(2000)]
    chosen = [tied[int(np.argmax(each[tied]))] for each in weights]
    counts = np.bincount(chosen)[tied]
    # The standard deviation is 22 at the most.
    assert np.abs(counts - 2000 / len(tied)).max() < 110
    # Pinned: a portfolio learnt today must be learnt again tomorrow.
    assert chosen[: len(pinned)] == pinned


@given(scores=RESULTS)
@settings(max_examples=40, deadline=None)
def test_the_bracket_holds_the_value(scores):
    learnt = RegretMatching().weigh(scores, 2, 0)
    bounds = learnt.certificate
    assert bounds.lower == pytest.approx((learnt.weights @ scores / 2).min(), abs=1e-12)
    assert bounds.lower - 1e-9 <= value(scores / 2) <= bounds.upper + 1e-9
    assert bounds.upper - bounds.lower < 0.02


def test_more_iterations_close_the_gap_and_few_arms_are_left_of_many():
    scores = differing(400, 200, 1)
    gaps = []
    for iterations in (10, 100, 1000):
        bounds = RegretMatching(iterations).weigh(scores, 2, 0).certificate
        gaps.append(bounds.upper - bounds.lower)
    assert gaps[0] > 3 * gaps[1] > 9 * gaps[2] > 0
    assert gaps[2] < 1e-3
    weights = RegretMatching().weigh(differing(1000, 100, 2), 2, 0).weights
    assert 10 < np.count_nonzero(weights) < 250


@pytest.fixture
def solved(monkeypatch):
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


@pytest.mark.parametrize("learner", [Nash(), RegretMatching(20), Top(3)])
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


def expected_worst(weights, scores, drawn):
    """The definition, on success: the mean over all draws of the worst of those drawn."""
    success = (weights @ (scores / 2)).tolist()
    draws = list(product(success, repeat=drawn))
    return sum(min(draw) for draw in draws) / len(draws)


def bracket(learnt):
    return learnt.certificate.lower, learnt.certificate.upper


@pytest.mark.parametrize(("count", "drawn"), [(1, 1), (1, 5), (4, 1), (4, 3), (6, 2), (3, 6)])
def test_the_weights_are_how_often_each_is_the_worst(count, drawn):
    worst = [min(draw) for draw in product(range(count), repeat=drawn)]
    often = np.bincount(worst, minlength=count) / len(worst)
    assert worst_weights(count, drawn) == pytest.approx(often, abs=1e-15)


@given(
    scores=arrays(
        np.uint8, st.tuples(st.integers(1, 6), st.integers(1, 4)), elements=st.integers(0, 2)
    ),
    drawn=st.integers(1, 5),
)
@settings(max_examples=60, deadline=None)
def test_the_bracket_holds_the_optimum_of_the_linear_program(scores, drawn):
    learnt = ExploiterObjective(drawn).weigh(scores, 2, 0)
    lower, upper = bracket(learnt)
    assert learnt.weights.min() >= 0
    assert learnt.weights.sum() == 1
    assert lower == pytest.approx(expected_worst(learnt.weights, scores, drawn), abs=1e-9)
    # The opponent may put his arms in any order: each is a column.
    count = scores.shape[1]
    orders = np.array(list(permutations(worst_weights(count, drawn))))
    best = value(scores / 2 @ orders.T)
    assert lower - 1e-9 <= best <= upper + 1e-9
    assert upper - lower < 1.01e-4


def test_against_one_opponent_it_is_the_best_mean():
    scores = np.array([[2, 0, 1], [2, 2, 0], [0, 1, 2], [0, 2, 2]], dtype=np.uint8)
    learnt = ExploiterObjective(1).weigh(scores, 2, 0)
    assert learnt.weights == pytest.approx([0, 0.5, 0, 0.5])
    assert bracket(learnt) == pytest.approx((2 / 3, 2 / 3))


@pytest.mark.parametrize("drawn", [2, 4, 16, 200])
def test_it_closes_the_gap_and_is_better_by_its_own_measure_than_nash(drawn):
    scores = differing(150, 80, 2)
    lower, upper = bracket(ExploiterObjective(drawn).weigh(scores, 2, 0))
    assert 0 <= upper - lower <= 1.01e-4
    success = np.sort(Nash().weigh(scores, 2, 0).weights @ scores / 2)
    assert lower > success @ worst_weights(80, drawn) - 1e-4
    assert drawn >= 16 or lower > success @ worst_weights(80, drawn) + 0.002


def test_all_machines_and_numbers_of_threads_step_to_the_same_bits(monkeypatch):
    monkeypatch.setattr(exploiter_objective, "_CUTS", 0)
    numbers = [mix_int(cell) % 3 for cell in range(150 * 80)]
    scores = np.array(numbers, np.uint8).reshape(150, 80)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads, user_api="blas"):
            found.append(ExploiterObjective(4).weigh(scores, 2, 0).weights.tobytes())
    found.append(ExploiterObjective(4).weigh(np.asfortranarray(scores), 2, 0).weights.tobytes())
    assert found[0] == found[1] == found[2]
    assert sha256(found[0]).hexdigest()[:16] == "4f7dd763d2e1e254"
