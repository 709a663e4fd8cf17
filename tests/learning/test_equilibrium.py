"""The solver against solved games, against linear programming, and on games made to be awkward."""

import json
import platform

import numpy as np
import pytest
from case_files import programs
from hypothesis import given, settings
from synthetic_arena import RESULTS, value
from waiting import ran

from seedfolio.errors import EquilibriumError
from seedfolio.learning.solvers.centre import centre
from seedfolio.learning.solvers.equilibrium import solve


def check(matrix, found, near=None):
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
    assert near is None or found.value == pytest.approx(value(matrix), abs=near)


def coin_flips(rows, columns, seed):
    return np.random.default_rng(seed).integers(0, 2, (rows, columns), dtype=np.uint8)


# Games whose solution is known: of a 2 x 2 game (a, b; c, d) the first row has the weight
# (d - c) / (a + d - b - c), and the value is (ad - bc) / (a + d - b - c).
DIGITS = range(1, 11)
HARMONIC = sum(1 / n for n in DIGITS)
KNOWN = {
    "matching pennies": ([[2, 0], [0, 2]], [1 / 2] * 2, [1 / 2] * 2, 1),
    "rock, paper, scissors": ([[1, 0, 2], [2, 1, 0], [0, 2, 1]], [1 / 3] * 3, [1 / 3] * 3, 1),
    "unequal": ([[3.0, -1.0], [-2.0, 1.0]], [3 / 7, 4 / 7], [2 / 7, 5 / 7], 1 / 7),
    "weighted": ([[0, -1, 2], [1, 0, -3], [-2, 3, 0]], [1 / 2, 1 / 3, 1 / 6], None, 0),
    "dominated": ([[2, 0, 1], [0, 2, 1], [0, 0, 0]], [1 / 2, 1 / 2, 0], None, 1),
    "saddle point": ([[4, 2, 5], [6, 3, 7], [1, 0, 9]], [0, 1, 0], [0, 1, 0], 3),
    "diagonal": (np.diag(DIGITS), [1 / n / HARMONIC for n in DIGITS], None, 1 / HARMONIC),
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


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (5, 3)])
def test_constant_games_are_shared_equally(shape):
    found = solve(np.full(shape, 2, dtype=np.uint8))
    assert (found.lower, found.upper) == (2, 2)
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


@given(RESULTS)
@settings(max_examples=60, deadline=None)
def test_small_games_agree_with_linear_programming(matrix):
    found = solve(matrix)
    check(matrix, found, near=1e-7)
    assert solve(matrix[::-1, ::-1]).value == pytest.approx(found.value, abs=1e-9)
    assert solve(2 - matrix.T).value == pytest.approx(2 - found.value, abs=1e-9)


def wins(shape, share):
    return (np.random.default_rng(shape[0]).random(shape) < share).astype(np.uint8)


def sums(shape, games):
    random = np.random.default_rng(games)
    ours, theirs = random.normal(size=(shape[0], 1)), random.normal(size=(1, shape[1]))
    return 2 * random.binomial(games, 1 / (1 + np.exp(theirs - ours))).astype(np.uint8)


def upsets(share, seed):
    """Arms of one strength: nearly all are dominated, long ties that rounding may trip over."""
    random = np.random.default_rng(seed)
    ours, theirs = random.normal(size=(180, 1)), random.normal(size=(1, 60))
    return ((ours > theirs) ^ (random.random((180, 60)) < share)).astype(np.uint8)


@pytest.mark.parametrize(
    "matrix",
    [
        *(wins((300, 20), share) for share in (0.02, 0.5, 0.9)),
        *(wins((20, 300), 0.5), wins((150, 150), 0.02), wins((150, 150), 0.9)),
        *(sums((7, 40), 2), sums((7, 40), 127), sums((120, 90), 2), sums((120, 90), 127)),
        *(upsets(share, seed) for share in (0.0, 0.001, 0.01, 0.1) for seed in (0, 1)),
    ],
    ids=lambda matrix: "x".join(map(str, matrix.shape)),
)
def test_bigger_games_agree_with_linear_programming(matrix):
    check(matrix, solve(matrix), near=1e-7)


def test_big_games():
    for shape in ((900, 120), (120, 900)):
        matrix = coin_flips(*shape, 6)
        found = solve(matrix)
        check(matrix, found)
        assert found.gap < 1e-11
    matrix = coin_flips(1500, 400, 8)
    matrix[:, 17] = 0
    found = solve(matrix)
    assert (found.lower, found.upper) == (0, 0)
    assert found.column[17] == 1
    means = matrix.mean(axis=1)
    assert found.row @ means == pytest.approx(means.max(), abs=1e-9)


def test_the_same_matrix_gives_the_same_bits_in_any_order_of_arms():
    matrix = coin_flips(400, 300, 1)
    first, second = solve(matrix), solve(np.asfortranarray(matrix.astype(np.int64)))
    assert first.row.tobytes() == second.row.tobytes()
    assert first.column.tobytes() == second.column.tobytes()
    assert (first.lower, first.upper) == (second.lower, second.upper)
    assert first.row.sum() == first.column.sum() == 1
    # Another order is other arithmetic on the way, as on another machine: the bits must not care.
    matrix = coin_flips(331, 300, 2)
    random = np.random.default_rng(3)
    rows, columns = random.permutation(331), random.permutation(300)
    plain, shuffled = solve(matrix), solve(matrix[rows][:, columns])
    assert np.count_nonzero(plain.row) > 50
    assert plain.row[rows].tobytes() == shuffled.row.tobytes()
    assert plain.column[columns].tobytes() == shuffled.column.tobytes()
    assert (plain.lower, plain.upper) == (shuffled.lower, shuffled.upper)


@pytest.mark.parametrize(
    "matrix", [np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(3), np.array([[1.0, np.nan]])]
)
def test_what_is_no_game_is_refused(matrix):
    with pytest.raises(EquilibriumError, match="a matrix game needs"):
        solve(matrix)
    third = np.array([[1, 0, 2], [2, 1, 0], [0, 2, 1]])  # weights of 1/3 are never exact
    with pytest.raises(EquilibriumError, match=r"3 x 3 matrix is known only to .* not to 0"):
        solve(third, tolerance=0.0)


# Kernels for processors so old that every one of today runs them, beside those made for it.
OLD, NEW = {
    **dict.fromkeys(("aarch64", "arm64"), ("ARMV8", "NEOVERSEN1")),
    **dict.fromkeys(("x86_64", "AMD64"), ("Nehalem", "")),
}.get(platform.machine(), ("", ""))

(PROGRAM,) = programs(__file__)


def learn_with(kernels):
    return json.loads(
        ran("-c", PROGRAM, environ={"OPENBLAS_CORETYPE": kernels} if kernels else {}).stdout
    )


@pytest.mark.slow
def test_degenerate_games_have_the_same_bits_with_other_kernels():
    (old, by_old), (new, by_new) = learn_with(OLD), learn_with(NEW)
    if old == new:
        pytest.skip(f"this BLAS has only one kind of kernels here: {', '.join(old)}")
    assert len(by_old) == 72
    assert by_old == by_new


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_arms_does_not_choose_among_optimal_strategies(seed):
    random = np.random.default_rng(seed)
    matrix = 2 * random.integers(0, 2, (60, 12), dtype=np.uint8)
    rows, columns = random.permutation(60), random.permutation(12)
    plain, shuffled = solve(matrix), solve(matrix[rows][:, columns])
    # Not the last bits: units that cannot be shared go to the first of equal arms.
    assert np.abs(plain.row[rows] - shuffled.row).max() < 1e-13
    assert np.abs(plain.column[columns] - shuffled.column).max() < 1e-13


def test_the_centre_is_where_calculus_finds_it():
    # A triangle without slack: its middle. With x0 = x1 the product of (a, a, 1 - 2a): a = 1/3.
    alike = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    for equal, start in ((np.zeros((3, 1)), [0.9, 0.0999, 0.0001]), (alike, [0.1, 0.1, 0.8])):
        found = centre(equal, np.zeros((3, 0)), np.array(start))
        assert found == pytest.approx([1 / 3] * 3, abs=1e-14)
    # Weights (x, 1 - x), slack x - 1/2: the largest x (1 - x) (x - 1/2) is at (3 + sqrt 3) / 6.
    equal, above = np.array([[0.5], [0.5]]), np.array([[1.0], [0.0]])
    for start in (0.51, 0.8, 0.999999):
        found = centre(equal, above, np.array([start, 1 - start]))
        assert found[0] == pytest.approx((3 + 3**0.5) / 6, abs=1e-13)
    assert centre(equal, above, np.array([0.4, 0.6])) is None  # the start is not inside
