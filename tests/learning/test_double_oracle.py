"""Double oracle, and Grigoriadis and Khachiyan: the equilibrium from a part of the cells."""

from math import ceil, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from synthetic_arena import differing, from_matrix, guarantees, run, value

from seedfolio.core.randomness import mix_int
from seedfolio.learning.double_oracle import DoubleOracle
from seedfolio.learning.grigoriadis_khachiyan import GrigoriadisKhachiyan

PLENTY = 10**6


@given(
    matrix=st.integers(1, 24).flatmap(
        lambda size: arrays(np.uint8, (size, size), elements=st.integers(0, 2))
    ),
    key=st.integers(0, 2**64 - 1),
)
@settings(max_examples=40, deadline=None)
def test_small_games_are_solved(matrix, key):
    exploration = DoubleOracle(arms=len(matrix)).begin(PLENTY, 2, key)
    run(exploration, from_matrix(matrix))
    lower, upper = guarantees(exploration.choice(), matrix)
    true = value(matrix / 2)
    assert true - 0.0011 <= lower <= true + 1e-9
    assert true - 1e-9 <= upper <= true + 0.0011
    first, second = exploration.choice().value or ()
    # Arms that have not met all opponents are only known to be no better than so.
    assert true - 0.0031 <= first.lower <= lower + 1e-9
    assert upper - 1e-9 <= first.upper <= true + 0.0031
    assert (second.lower, second.upper) == pytest.approx((1 - first.upper, 1 - first.lower))


def test_the_value_is_bracketed_at_every_moment():
    matrix = differing(32, 32, 7)
    exploration = DoubleOracle(arms=32).begin(PLENTY, 2, 1)
    gaps = []
    while run(exploration, from_matrix(matrix), asks=1):
        choice = exploration.choice()
        if choice.value is None:
            continue
        # Opened are the first arms: 16, then 32.
        bounds = choice.value[0]
        values = [value(matrix[:k, :k] / 2) for k in (16, 32)]
        assert any(bounds.lower - 1e-9 <= each <= bounds.upper + 1e-9 for each in values)
        gaps.append(bounds.upper - bounds.lower)
    assert gaps[0] > 0.1
    assert gaps[-1] < 0.0021


def test_where_seeds_differ_it_plays_few_of_the_cells():
    matrix = differing(512, 512, 1, strength=1.2)
    exploration = DoubleOracle(arms=256).begin(PLENTY, 2, 0)
    played = run(exploration, from_matrix(matrix))
    assert len(set(played)) == len(played)
    assert sum(max(cell) < 256 for cell in played) < 0.2 * 256**2
    lower, upper = guarantees(exploration.choice(), matrix[:256, :256])
    true = value(matrix[:256, :256] / 2)
    assert true - 0.0011 <= lower <= true <= upper <= true + 0.0011


def plain(matrix, eps, key):
    """The algorithm as the paper has it, on the whole matrix with results from -1 to 1."""
    payoff = (matrix.astype(float) - 1).tolist()
    size = len(payoff)
    rounds = ceil(4 * log(2 * size) / eps**2)
    u, v, x, y = [0.0] * size, [0.0] * size, [0.0] * size, [0.0] * size

    def draw(weights, number):
        point = (mix_int(mix_int(key) + number) >> 11) / 2**53 * sum(weights)
        for arm, weight in enumerate(weights):
            point -= weight
            if point < 0:
                return arm
        return size - 1

    for t in range(rounds):
        i = draw([exp(eps / 2 * each) for each in u], 2 * t)
        j = draw([exp(-eps / 2 * each) for each in v], 2 * t + 1)
        u = [each + payoff[row][j] for row, each in enumerate(u)]
        v = [each + payoff[i][column] for column, each in enumerate(v)]
        x[i] += 1 / rounds
        y[j] += 1 / rounds
    return x, y


@pytest.mark.parametrize(("size", "eps"), [(1, 0.5), (2, 0.3), (12, 0.2), (30, 0.3)])
@pytest.mark.parametrize("key", [0, 2**64 - 1])
def test_it_draws_what_the_plain_algorithm_draws(size, eps, key):
    matrix = differing(size, size, size)
    exploration = GrigoriadisKhachiyan(eps, size).begin(10**6, 2, key)
    run(exploration, from_matrix(matrix))
    portfolio = exploration.choice().portfolio
    for colour, expected in enumerate(plain(matrix, eps, key)):
        found = np.zeros(size)
        found[list(portfolio[colour].arms)] = portfolio[colour].weights
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("eps", [0.15, 0.3])
def test_the_promise_is_kept_at_least_every_other_time(eps):
    matrix = differing(40, 40, 1)
    true = value(matrix / 2)
    kept = 0
    for key in range(8):
        exploration = GrigoriadisKhachiyan(eps, 40).begin(10**6, 2, key)
        run(exploration, from_matrix(matrix))
        choice = exploration.choice()
        lower, upper = guarantees(choice, matrix)
        assert lower <= true <= upper
        value_of_first, value_of_second = choice.value
        assert (value_of_first.lower, value_of_first.upper) == pytest.approx((lower, upper))
        assert value_of_second.lower == pytest.approx(1 - upper)
        kept += lower >= true - eps / 2 and upper <= true + eps / 2
    assert kept >= 4


def test_on_many_arms_it_plays_few_of_the_cells():
    matrix = differing(2000, 2000, 3, strength=1.2)
    exploration = GrigoriadisKhachiyan(0.5, 2000).begin(10**7, 2, 0)
    played = run(exploration, from_matrix(matrix))
    assert len(played) < 0.12 * 2000**2
    choice = exploration.choice()
    ours = choice.portfolio.first
    truth = np.array(ours.weights) @ matrix[list(ours.arms)].mean(axis=1)
    assert 0.5 < choice.first.lower < truth / 2 < choice.first.upper
