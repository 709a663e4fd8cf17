"""The solver against solved games, against linear programming, and on games made to be awkward."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import linprog

from seedfolio.errors import EquilibriumError
from seedfolio.learning.solvers.equilibrium import Equilibrium, solve


def check(matrix: NDArray[Any], found: Equilibrium) -> None:
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


def value_by_linear_programming(matrix: NDArray[Any]) -> float:
    """Max v such that x'M >= v, by HiGHS on the whole matrix."""
    rows, columns = matrix.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-matrix.T.astype(np.float64), np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    assert found.status == 0
    return float(-found.fun)


def coin_flips(rows: int, columns: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 2, (rows, columns), dtype=np.uint8)


# Games whose solution is known.


def test_matching_pennies() -> None:
    found = solve(np.array([[2, 0], [0, 2]], dtype=np.uint8))
    assert found.row.tolist() == [0.5, 0.5]
    assert found.column.tolist() == [0.5, 0.5]
    assert (found.lower, found.upper, found.value, found.gap) == (1, 1, 1, 0)


def test_rock_paper_scissors() -> None:
    matrix = np.array([[1, 0, 2], [2, 1, 0], [0, 2, 1]])
    found = solve(matrix)
    check(matrix, found)
    assert found.row == pytest.approx([1 / 3] * 3, abs=1e-14)
    assert found.column == pytest.approx([1 / 3] * 3, abs=1e-14)
    assert found.value == pytest.approx(1, abs=1e-14)


def test_a_two_by_two_game_with_unequal_weights() -> None:
    # x = (d - c) / (a + d - b - c), value = (ad - bc) / (a + d - b - c)
    matrix = np.array([[3.0, -1.0], [-2.0, 1.0]])
    found = solve(matrix)
    assert found.row == pytest.approx([3 / 7, 4 / 7], abs=1e-14)
    assert found.column == pytest.approx([2 / 7, 5 / 7], abs=1e-14)
    assert found.value == pytest.approx(1 / 7, abs=1e-14)


def test_weighted_rock_paper_scissors() -> None:
    matrix = np.array([[0, -1, 2], [1, 0, -3], [-2, 3, 0]])
    found = solve(matrix)
    assert found.row == pytest.approx([1 / 2, 1 / 3, 1 / 6], abs=1e-14)
    assert found.value == pytest.approx(0, abs=1e-14)


def test_a_dominated_row_is_not_played() -> None:
    matrix = np.array([[2, 0, 1], [0, 2, 1], [0, 0, 0]], dtype=np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert found.row[2] == 0
    assert found.value == pytest.approx(1, abs=1e-14)


def test_a_saddle_point_is_found_exactly() -> None:
    matrix = np.array([[4, 2, 5], [6, 3, 7], [1, 0, 9]])
    found = solve(matrix)
    assert found.row.tolist() == [0, 1, 0]
    assert found.column.tolist() == [0, 1, 0]
    assert (found.lower, found.upper) == (3, 3)


def test_a_diagonal_game_has_the_harmonic_value() -> None:
    diagonal = np.arange(1.0, 11.0)
    found = solve(np.diag(diagonal))
    assert found.value == pytest.approx(1 / (1 / diagonal).sum(), abs=1e-14)
    assert found.row == pytest.approx(found.value / diagonal, abs=1e-14)


@pytest.mark.parametrize("games", [2, 16, 127])
@pytest.mark.parametrize("shape", [(30, 20), (7, 40), (250, 200)])
def test_sums_over_the_games_of_a_cell(games: int, shape: tuple[int, int]) -> None:
    random = np.random.default_rng(games)
    ours, theirs = random.normal(size=(shape[0], 1)), random.normal(size=(1, shape[1]))
    matrix = 2 * random.binomial(games, 1 / (1 + np.exp(theirs - ours))).astype(np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value_by_linear_programming(matrix), abs=1e-8)


# Awkward shapes and ties.


@pytest.mark.parametrize("entry", [0, 1, 2])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (5, 3)])
def test_constant_games_are_shared_equally(shape: tuple[int, int], entry: int) -> None:
    matrix = np.full(shape, entry, dtype=np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert (found.lower, found.upper) == (entry, entry)
    assert found.row == pytest.approx(np.full(shape[0], 1 / shape[0]), abs=1e-14)
    assert found.column == pytest.approx(np.full(shape[1], 1 / shape[1]), abs=1e-14)


def test_one_row_and_one_column() -> None:
    assert solve(np.array([[2, 1, 0, 1]])).column.tolist() == [0, 0, 1, 0]
    assert solve(np.array([[2], [1], [0]])).row.tolist() == [1, 0, 0]


def test_equal_arms_share_their_weight() -> None:
    pennies = np.array([[2, 0], [0, 2]], dtype=np.uint8)
    matrix = pennies[[0, 1, 0, 0, 1]][:, [1, 0, 0]]
    found = solve(matrix)
    check(matrix, found)
    assert found.row == pytest.approx([1 / 6, 1 / 4, 1 / 6, 1 / 6, 1 / 4], abs=1e-13)
    assert found.column == pytest.approx([1 / 2, 1 / 4, 1 / 4], abs=1e-13)
    assert found.row.sum() == 1


def test_negative_zero_is_zero() -> None:
    found = solve(np.array([[0.0, 1.0], [-0.0, 1.0]]))
    assert found.row.tolist() == [0.5, 0.5]


def test_among_optimal_strategies_the_best_against_uniform_opponents_is_chosen() -> None:
    # The last column beats every row, so any row is optimal; the second has the best mean.
    matrix = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]], dtype=np.uint8)
    found = solve(matrix)
    assert found.row.tolist() == [0, 1, 0]
    assert found.column.tolist() == [0, 0, 0, 1]
    assert found.gap == 0


# Against an independent method.

small_results = arrays(
    np.uint8,
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    elements=st.integers(0, 2),
)


@given(small_results)
@settings(max_examples=150, deadline=None)
def test_small_games_agree_with_linear_programming(matrix: NDArray[np.uint8]) -> None:
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value_by_linear_programming(matrix), abs=1e-7)


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(1, 7), st.integers(1, 7)),
        elements=st.integers(-1000, 1000).map(lambda n: n / 8),
    )
)
@settings(max_examples=100, deadline=None)
def test_real_games_agree_with_linear_programming(matrix: NDArray[np.float64]) -> None:
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value_by_linear_programming(matrix), abs=1e-5)


@pytest.mark.parametrize("shape", [(60, 40), (40, 60), (300, 20), (20, 300), (250, 250)])
@pytest.mark.parametrize("share_of_wins", [0.02, 0.5, 0.9])
def test_bigger_games_agree_with_linear_programming(
    shape: tuple[int, int], share_of_wins: float
) -> None:
    matrix = (np.random.default_rng(shape[0]).random(shape) < share_of_wins).astype(np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value_by_linear_programming(matrix), abs=1e-7)


@given(small_results, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_arms_does_not_change_the_value(
    matrix: NDArray[np.uint8], random: Any
) -> None:
    rows, columns = list(range(matrix.shape[0])), list(range(matrix.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    assert solve(matrix[rows][:, columns]).value == pytest.approx(solve(matrix).value, abs=1e-9)


@given(small_results)
@settings(max_examples=60, deadline=None)
def test_changing_sides_turns_the_value_round(matrix: NDArray[np.uint8]) -> None:
    assert solve(2 - matrix.T).value == pytest.approx(2 - solve(matrix).value, abs=1e-9)


def test_a_symmetric_game_is_even() -> None:
    upper = np.triu(coin_flips(301, 301, 5).astype(np.int64) * 2 - 1, 1)
    found = solve(upper - upper.T + 1)
    assert found.value == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize("upsets", [0.0, 0.001, 0.01, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_arms_of_one_strength_with_upsets(upsets: float, seed: int) -> None:
    # Nearly everyone is dominated: long degenerate ties that rounding likes to trip over.
    random = np.random.default_rng(seed)
    ours, theirs = random.normal(size=(180, 1)), random.normal(size=(1, 60))
    matrix = ((ours > theirs) ^ (random.random((180, 60)) < upsets)).astype(np.uint8)
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(value_by_linear_programming(matrix), abs=1e-7)


# Bits, certificates, refusals.


def test_the_same_matrix_gives_the_same_bits() -> None:
    matrix = coin_flips(400, 300, 1)
    first, second = solve(matrix), solve(np.asfortranarray(matrix.astype(np.int64)))
    assert first.row.tobytes() == second.row.tobytes()
    assert first.column.tobytes() == second.column.tobytes()
    assert (first.lower, first.upper) == (second.lower, second.upper)


def test_the_only_equilibrium_has_the_same_bits_in_any_order_of_arms() -> None:
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


def test_weights_add_up_to_exactly_one() -> None:
    found = solve(coin_flips(200, 250, 3))
    assert found.row.sum() == 1
    assert found.column.sum() == 1


def test_an_impossible_tolerance_is_refused() -> None:
    third = np.array([[1, 0, 2], [2, 1, 0], [0, 2, 1]])  # weights of 1/3 cannot be held exactly
    with pytest.raises(EquilibriumError, match=r"3 x 3 matrix is known only to .* not to 0"):
        solve(third, tolerance=0.0)


@pytest.mark.parametrize(
    "matrix", [np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(3), np.array([[1.0, np.nan]])]
)
def test_what_is_no_game_is_refused(matrix: NDArray[np.float64]) -> None:
    with pytest.raises(EquilibriumError, match="a matrix game needs"):
        solve(matrix)


def test_the_matrix_is_left_alone() -> None:
    matrix = coin_flips(30, 30, 4).astype(np.float64)
    before = matrix.copy()
    solve(matrix)
    assert np.array_equal(matrix, before)


# Sizes at which the block matters.


@pytest.mark.parametrize(
    ("rows", "columns"), [pytest.param(2000, 300, marks=pytest.mark.slow), (900, 120), (120, 900)]
)
def test_big_coin_flips(rows: int, columns: int) -> None:
    matrix = coin_flips(rows, columns, 6)
    found = solve(matrix)
    check(matrix, found)
    assert found.gap < 1e-11


def test_big_games_with_many_equal_arms() -> None:
    random = np.random.default_rng(7)
    few = coin_flips(60, 40, 7)
    matrix = few[random.integers(0, 60, 1500)][:, random.integers(0, 40, 500)]
    found = solve(matrix)
    check(matrix, found)
    assert found.value == pytest.approx(solve(few).value, abs=1e-9)


def test_a_big_game_in_which_one_column_wins_all() -> None:
    matrix = coin_flips(1500, 400, 8)
    matrix[:, 17] = 0
    found = solve(matrix)
    assert (found.lower, found.upper) == (0, 0)
    assert found.column[17] == 1
    means = matrix.mean(axis=1)
    assert found.row @ means == pytest.approx(means.max(), abs=1e-9)


def test_big_games_that_hardly_anybody_wins() -> None:
    matrix = (np.random.default_rng(9).random((1200, 400)) < 0.01).astype(np.uint8)
    found = solve(matrix)
    check(matrix, found)
