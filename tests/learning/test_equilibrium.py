"""The solver against solved games, against linear programming, and on games made to be awkward."""

import json
import os
import platform
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from synthetic_arena import value

from seedfolio.errors import EquilibriumError
from seedfolio.learning.solvers.centre import centre
from seedfolio.learning.solvers.equilibrium import solve


def check(matrix, found):
    """Everything the solver promises, computed again in other words."""
    payoff = matrix.astype(np.float64)
    for strategy, arms in ((found.row, matrix.shape[0]), (found.column, matrix.shape[1])):
        assert strategy.shape == (arms,)
        assert strategy.dtype == np.float64
        assert strategy.min() >= 0
        assert strategy.sum() == pytest.approx(1, abs=1e-12)
    assert found.lower == pytest.approx((payoff.T @ found.row).min(), abs=1e-12)
    assert found.upper == pytest.approx((payoff @ found.column).max(), abs=1e-12)
    assert found.gap <= 1e-9


def coin_flips(rows, columns, seed):
    return np.random.default_rng(seed).integers(0, 2, (rows, columns), dtype=np.uint8)


# Games whose solution is known: of a 2 x 2 game (a, b; c, d) the first row has the weight
# (d - c) / (a + d - b - c), and the value is (ad - bc) / (a + d - b - c).
HARMONIC = sum(1 / n for n in range(1, 11))
KNOWN = {
    "matching pennies": ([[2, 0], [0, 2]], [1 / 2] * 2, [1 / 2] * 2, 1),
    "rock, paper, scissors": ([[1, 0, 2], [2, 1, 0], [0, 2, 1]], [1 / 3] * 3, [1 / 3] * 3, 1),
    "unequal": ([[3.0, -1.0], [-2.0, 1.0]], [3 / 7, 4 / 7], [2 / 7, 5 / 7], 1 / 7),
    "weighted": ([[0, -1, 2], [1, 0, -3], [-2, 3, 0]], [1 / 2, 1 / 3, 1 / 6], None, 0),
    "dominated": ([[2, 0, 1], [0, 2, 1], [0, 0, 0]], [1 / 2, 1 / 2, 0], None, 1),
    "saddle point": ([[4, 2, 5], [6, 3, 7], [1, 0, 9]], [0, 1, 0], [0, 1, 0], 3),
    "diagonal": (
        np.diag(range(1, 11)),
        [1 / n / HARMONIC for n in range(1, 11)],
        None,
        1 / HARMONIC,
    ),
    "one row": ([[2, 1, 0, 1]], [1], [0, 0, 1, 0], 0),
    "one column": ([[2], [1], [0]], [1, 0, 0], [1], 2),
    "negative zero": ([[0.0, 1.0], [-0.0, 1.0]], [1 / 2, 1 / 2], [1, 0], 0),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_games(name):
    rows, row, column, value_of_game = KNOWN[name]
    matrix = np.array(rows)
    before = matrix.copy()
    found = solve(matrix)
    check(matrix, found)
    assert np.array_equal(matrix, before)
    assert found.row == pytest.approx(row, abs=1e-14)
    assert column is None or found.column == pytest.approx(column, abs=1e-14)
    assert found.value == pytest.approx(value_of_game, abs=1e-14)


@pytest.mark.parametrize("games", [2, 127])
@pytest.mark.parametrize("shape", [(7, 40), (120, 90)])
def test_sums_over_the_games_of_a_cell(games, shape):
    random = np.random.default_rng(games)
    ours, theirs = random.normal(size=(shape[0], 1)), random.normal(size=(1, shape[1]))
    matrix = 2 * random.binomial(games, 1 / (1 + np.exp(theirs - ours))).astype(np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value(matrix), abs=1e-8)


# Awkward shapes and ties.


@pytest.mark.parametrize("entry", [0, 1, 2])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (5, 3)])
def test_constant_games_are_shared_equally(shape, entry):
    matrix = np.full(shape, entry, dtype=np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert (found.lower, found.upper) == (entry, entry)
    assert found.row == pytest.approx(np.full(shape[0], 1 / shape[0]), abs=1e-14)
    assert found.column == pytest.approx(np.full(shape[1], 1 / shape[1]), abs=1e-14)


def test_equal_arms_share_their_weight():
    pennies = np.array([[2, 0], [0, 2]], dtype=np.uint8)
    matrix = pennies[[0, 1, 0, 0, 1]][:, [1, 0, 0]]
    found = solve(matrix)
    check(matrix, found)
    assert found.row == pytest.approx([1 / 6, 1 / 4, 1 / 6, 1 / 6, 1 / 4], abs=1e-13)
    assert found.column == pytest.approx([1 / 2, 1 / 4, 1 / 4], abs=1e-13)
    assert found.row.sum() == 1


def test_among_optimal_strategies_the_best_against_uniform_opponents_is_chosen():
    # The last column beats every row, so any row is optimal; the second has the best mean.
    matrix = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]], dtype=np.uint8)
    found = solve(matrix)
    assert found.row.tolist() == [0, 1, 0]
    assert found.column.tolist() == [0, 0, 0, 1]
    assert found.gap == 0


# Against an independent method.

small_results = arrays(
    np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.integers(0, 2)
)


@given(small_results)
@settings(max_examples=60, deadline=None)
def test_small_games_agree_with_linear_programming(matrix):
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value(matrix), abs=1e-7)
    assert solve(matrix[::-1, ::-1]).value == pytest.approx(found.value, abs=1e-9)
    assert solve(2 - matrix.T).value == pytest.approx(2 - found.value, abs=1e-9)


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(1, 7), st.integers(1, 7)),
        elements=st.integers(-1000, 1000).map(lambda n: n / 8),
    )
)
@settings(max_examples=60, deadline=None)
def test_real_games_agree_with_linear_programming(matrix):
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value(matrix), abs=1e-5)


@pytest.mark.parametrize("shape", [(300, 20), (20, 300), (150, 150)])
@pytest.mark.parametrize("share_of_wins", [0.02, 0.5, 0.9])
def test_bigger_games_agree_with_linear_programming(shape, share_of_wins):
    matrix = (np.random.default_rng(shape[0]).random(shape) < share_of_wins).astype(np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value(matrix), abs=1e-7)


@pytest.mark.parametrize("upsets", [0.0, 0.001, 0.01, 0.1])
@pytest.mark.parametrize("seed", range(2))
def test_arms_of_one_strength_with_upsets(upsets, seed):
    # Nearly everyone is dominated: long degenerate ties that rounding likes to trip over.
    random = np.random.default_rng(seed)
    ours, theirs = random.normal(size=(180, 1)), random.normal(size=(1, 60))
    matrix = ((ours > theirs) ^ (random.random((180, 60)) < upsets)).astype(np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value(matrix), abs=1e-7)


# Bits, certificates, refusals.


def test_the_same_matrix_gives_the_same_bits():
    matrix = coin_flips(400, 300, 1)
    first, second = solve(matrix), solve(np.asfortranarray(matrix.astype(np.int64)))
    assert first.row.tobytes() == second.row.tobytes()
    assert first.column.tobytes() == second.column.tobytes()
    assert (first.lower, first.upper) == (second.lower, second.upper)
    assert first.row.sum() == first.column.sum() == 1


def test_the_only_equilibrium_has_the_same_bits_in_any_order_of_arms():
    # Another order is other arithmetic on the way, as on another machine: the bits must not care.
    matrix = coin_flips(331, 300, 2)
    rows, columns = (
        np.random.default_rng(3).permutation(331),
        np.random.default_rng(4).permutation(300),
    )
    plain, shuffled = solve(matrix), solve(matrix[rows][:, columns])
    assert np.count_nonzero(plain.row) > 50
    assert plain.row[rows].tobytes() == shuffled.row.tobytes()
    assert plain.column[columns].tobytes() == shuffled.column.tobytes()
    assert (plain.lower, plain.upper) == (shuffled.lower, shuffled.upper)


def test_an_impossible_tolerance_is_refused():
    third = np.array([[1, 0, 2], [2, 1, 0], [0, 2, 1]])  # weights of 1/3 cannot be held exactly
    with pytest.raises(EquilibriumError, match=r"3 x 3 matrix is known only to .* not to 0"):
        solve(third, tolerance=0.0)


@pytest.mark.parametrize(
    "matrix", [np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(3), np.array([[1.0, np.nan]])]
)
def test_what_is_no_game_is_refused(matrix):
    with pytest.raises(EquilibriumError, match="a matrix game needs"):
        solve(matrix)


# Sizes at which the block matters.


@pytest.mark.parametrize(
    ("rows", "columns"), [pytest.param(2000, 300, marks=pytest.mark.slow), (900, 120), (120, 900)]
)
def test_big_coin_flips(rows, columns):
    matrix = coin_flips(rows, columns, 6)
    found = solve(matrix)
    check(matrix, found)
    assert found.gap < 1e-11


def test_a_big_game_in_which_one_column_wins_all():
    matrix = coin_flips(1500, 400, 8)
    matrix[:, 17] = 0
    found = solve(matrix)
    assert (found.lower, found.upper) == (0, 0)
    assert found.column[17] == 1
    means = matrix.mean(axis=1)
    assert found.row @ means == pytest.approx(means.max(), abs=1e-9)


# Kernels for processors so old that every one of today runs them, beside those made for it.
OLD, NEW = {
    "aarch64": ("ARMV8", "NEOVERSEN1"),
    "arm64": ("ARMV8", "NEOVERSEN1"),
    "x86_64": ("Nehalem", ""),
    "AMD64": ("Nehalem", ""),
}.get(platform.machine(), ("", ""))

PROGRAM = """
import json, numpy as np
import scipy.linalg
from threadpoolctl import threadpool_info
from seedfolio.learning.nash import Nash
from seedfolio.learning.nash import SparseNash

def matrices():
    for seed in range(12):
        random = np.random.default_rng(seed)
        rows, columns = [(60, 12), (100, 10), (12, 9), (200, 20)][seed % 4]
        yield 2 * random.integers(0, 2, (rows, columns), dtype=np.uint8)
        ours, theirs = random.normal(size=(rows, 1)), random.normal(size=(1, columns))
        yield 2 * ((ours > theirs) ^ (random.random((rows, columns)) < 0.1)).astype(np.uint8)
        # Sums over the games of a cell, up to the most there may be.
        chance = 1 / (1 + np.exp(theirs - ours))
        yield 2 * random.binomial(127, chance).astype(np.uint8)

learners = Nash(), SparseNash(0.75), SparseNash(0.25)
kernels = sorted({library["architecture"] for library in threadpool_info()})
found = [
    learner.weigh(scores, 254, 0)
    for matrix in matrices()
    for scores in (matrix, np.ascontiguousarray(254 - matrix.T))
    for learner in learners
]
bits = [f"{each.weights.tobytes().hex()} {each.certificate}" for each in found]
print(json.dumps([kernels, bits]))
"""


def learn_with(kernels):
    environment = os.environ | ({"OPENBLAS_CORETYPE": kernels} if kernels else {})
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True, text=True
    )
    return json.loads(done.stdout)


@pytest.mark.slow
def test_degenerate_games_have_the_same_bits_with_other_kernels():
    (old, by_old), (new, by_new) = learn_with(OLD), learn_with(NEW)
    if old == new:
        pytest.skip(f"this BLAS has only one kind of kernels here: {', '.join(old)}")
    assert len(by_old) == 216
    assert [k for k in range(216) if by_old[k] != by_new[k]] == []


def degenerate(seed):
    return 2 * np.random.default_rng(seed).integers(0, 2, (60, 12), dtype=np.uint8)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_arms_does_not_choose_among_optimal_strategies(seed):
    random = np.random.default_rng(seed)
    matrix, rows, columns = degenerate(seed), random.permutation(60), random.permutation(12)
    plain, shuffled = solve(matrix), solve(matrix[rows][:, columns])
    # Not the last bits: units that cannot be shared go to the first of equal arms.
    assert np.abs(plain.row[rows] - shuffled.row).max() < 1e-13
    assert np.abs(plain.column[columns] - shuffled.column).max() < 1e-13


# The centre itself, where calculus finds it.


def test_the_centre_of_a_triangle_with_no_slack_is_its_middle():
    equal, nothing = np.zeros((3, 1)), np.zeros((3, 0))
    found = centre(equal, nothing, np.array([0.9, 0.0999, 0.0001]))
    assert found == pytest.approx([1 / 3] * 3, abs=1e-14)


def test_the_centre_keeps_away_from_where_a_column_would_gain():
    # Weights (x, 1 - x), slack x - 1/2: the largest x (1 - x) (x - 1/2) is at (3 + sqrt 3) / 6.
    equal, above = np.array([[0.5], [0.5]]), np.array([[1.0], [0.0]])
    for start in (0.51, 0.8, 0.999999):
        found = centre(equal, above, np.array([start, 1 - start]))
        assert found is not None
        assert found[0] == pytest.approx((3 + 3**0.5) / 6, abs=1e-13)


def test_the_centre_scores_alike_where_it_must():
    # x0 = x1 scores alike on both columns; the largest product of (a, a, 1 - 2a) has a = 1/3.
    equal = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    found = centre(equal, np.zeros((3, 0)), np.array([0.1, 0.1, 0.8]))
    assert found == pytest.approx([1 / 3] * 3, abs=1e-14)


def test_there_is_no_centre_without_a_start_inside():
    equal, above = np.array([[0.5], [0.5]]), np.array([[1.0], [0.0]])
    assert centre(equal, above, np.array([0.4, 0.6])) is None
