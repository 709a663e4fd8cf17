"""Double oracle: the equilibrium of the whole matrix, from a part of its cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from synthetic_arena import differing, from_matrix, run, value

from seedfolio.learning.double_oracle import DoubleOracle

PLENTY = 10**6


def guarantees(choice, matrix):
    """What both portfolios are sure of on the matrix, as success of the first player."""
    weights = np.zeros(len(matrix)), np.zeros(len(matrix))
    for colour in (0, 1):
        weights[colour][list(choice.portfolio[colour].arms)] = choice.portfolio[colour].weights
    return float((weights[0] @ matrix).min() / 2), float((matrix @ weights[1]).max() / 2)


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
