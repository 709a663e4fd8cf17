"""Success with its interval, and Elo."""

from math import inf, isnan

import numpy as np
import pytest
from scipy.stats import binomtest

from seedfolio.evaluation.intervals import SuccessInterval, elo, success_of


@pytest.mark.parametrize(
    ("success", "difference"), [(0.5, 0), (10 / 11, 400), (0.64, 99.95), (1, inf), (0, -inf)]
)
def test_elo_of_a_success(success, difference):
    assert elo(success) == pytest.approx(difference, abs=0.01)
    assert success_of(difference) == pytest.approx(success, abs=1e-4)


def test_the_interval_is_wilsons_if_games_are_independent():
    # Pairs that are won or lost as a whole count as one game each, but for the n - 1 of a variance.
    scores = [1.0] * 30 + [0.0] * 70
    found = SuccessInterval.of(scores)
    assert found.mean == pytest.approx(0.3)
    assert (found.low, found.high) == pytest.approx((0.2189, 0.3958), abs=1e-3)


def test_no_games_one_pair_and_the_other_side():
    assert SuccessInterval.of([]) == SuccessInterval(0.5, 0.0, 1.0)
    one = SuccessInterval.of([0.75])
    assert one.low < 0.75 < one.high
    assert not any(map(isnan, one.elo))
    data = SuccessInterval.of([1.0] * 5).as_data()  # an infinite Elo is none
    assert (data["elo"], data["elo_high"], data["elo_low"] > 0) == (None, None, True)
    for score in (0.0, 0.5, 1.0):  # equal pairs do not make an interval of nothing
        found = SuccessInterval.of([score] * 20)
        assert found.mean == score
        assert 0 <= found.low <= score <= found.high <= 1
        assert found.high - found.low > 0.1
    scores = np.array([1.0, 0.5, 0.5, 1.0, 0.0, 0.75])
    one, other = SuccessInterval.of(scores).turned(), SuccessInterval.of(1 - scores)
    assert (other.mean, other.low, other.high) == pytest.approx((one.mean, one.low, one.high))


def test_the_interval_covers_and_the_variance_has_no_bias():
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(1000):
        scores = rng.choice([0, 0.5, 1], 50, p=[0.1, 0.4, 0.5])
        found = SuccessInterval.of(scores)
        held += found.low <= 0.7 <= found.high
    assert 0.93 <= held / 1000 <= 0.97
    # Two pairs, 1/4 and 3/4: variance 1/8 by n - 1, so the mean has the error of four games.
    expected = binomtest(2, 4).proportion_ci(method="wilson")
    found = SuccessInterval.of([0.25, 0.75])
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
