"""Table I of "Automatically Reinforcing a Game AI" and exploitability, beside plain numpy."""

import numpy as np
import pytest
from linear_program import row_strategy

from seedfolio.analysis.matrix_game import Portfolios


def random_matrix(number):
    random = np.random.default_rng(number)
    return random.random((3 + number % 7, 2 + number % 5))


def plainly(matrix):
    p, value = row_strategy(matrix)
    q, _ = row_strategy(-matrix.T)
    best_row = matrix[np.argmax(matrix.sum(axis=1))]
    best_column = matrix[:, np.argmin(matrix.sum(axis=0))]
    return [value, (p @ matrix).mean(), (matrix @ q).mean(), 1 - best_row @ q, p @ best_column]


@pytest.mark.parametrize("number", range(12))
def test_the_row_of_a_random_matrix(number):
    matrix = random_matrix(number)
    found = Portfolios.of(matrix)
    assert found.numbers() == pytest.approx(plainly(matrix), abs=1e-7)
    other = found.numbers(own_view=False)  # the fourth number as the first player sees it
    assert other[3] == pytest.approx(1 - found.numbers()[3])
    assert other[:3] + other[4:] == found.numbers()[:3] + found.numbers()[4:]
    assert found.value == pytest.approx(row_strategy(matrix)[1], abs=1e-7)
    p, q = row_strategy(matrix)[0], row_strategy(-matrix.T)[0]
    assert found.supports == (np.sum(p > 1e-9), np.sum(q > 1e-9))


def test_the_row_of_matrices_made_by_hand():
    # Rock, paper, scissors, with a stone that loses to all: nobody draws it.
    rock = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5], [0, 0, 0]])
    found = Portfolios.of(rock)
    assert found.value == pytest.approx(0.5)
    assert found.supports == (3, 3)
    assert found.numbers()[:2] == pytest.approx([0.5, 0.5])
    assert found.numbers()[2] == pytest.approx(3 / 8)
    assert found.printed()[-1] == "3 and 3"
    # A saddle point: the second row and the first column.
    saddle = np.array([[0.3, 0.9], [0.6, 0.7]])
    assert Portfolios.of(saddle).numbers() == pytest.approx([0.6, 0.65, 0.45, 0.4, 0.6])
    matrix = np.array([[0.1, 0.9], [0.9, 0.1], [0.2, 0.2]])
    chosen = {tuple(Portfolios.of(matrix, key).best[0]) for key in range(40)}
    assert chosen == {(1, 0, 0), (0, 1, 0)}
    assert np.array_equal(Portfolios.of(matrix, 7).best[0], Portfolios.of(matrix, 7).best[0])


@pytest.mark.parametrize("number", range(6))
def test_exploitability_by_its_definition(number):
    matrix = random_matrix(number)
    found = Portfolios.of(matrix)
    _, value = row_strategy(matrix)
    random = np.random.default_rng(number)
    p, q = (random.dirichlet(np.ones(size)) for size in matrix.shape)
    exploited = found.exploitability((p, q))
    assert exploited.first == pytest.approx(value - min(p @ matrix), abs=1e-7)
    assert exploited.second == pytest.approx(max(matrix @ q) - value, abs=1e-7)
    assert exploited.mean == pytest.approx((exploited.first + exploited.second) / 2)
    nash = found.exploitability(found.nash)
    assert abs(nash.first) < 1e-7
    assert abs(nash.second) < 1e-7
    for sides in (found.best, found.half, found.uniform):
        assert found.exploitability(sides).first >= -1e-9
