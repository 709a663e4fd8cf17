"""Regret matching as a learner: its bracket holds the value of the game."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from synthetic_arena import differing, value

from seedfolio.learning.regret_matching import RegretMatching


@given(
    scores=arrays(
        np.uint8, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.integers(0, 2)
    )
)
@settings(max_examples=40, deadline=None)
def test_the_bracket_holds_the_value(scores):
    learnt = RegretMatching().weigh(scores, 2, 0)
    assert learnt.weights.min() >= 0
    assert learnt.weights.sum() == pytest.approx(1, abs=1e-12)
    bounds = learnt.certificate
    assert bounds is not None
    assert bounds.lower == pytest.approx((learnt.weights @ scores / 2).min(), abs=1e-12)
    assert bounds.lower - 1e-9 <= value(scores / 2) <= bounds.upper + 1e-9
    assert bounds.upper - bounds.lower < 0.02


def test_more_iterations_close_the_gap():
    scores = differing(400, 200, 1)
    gaps = []
    for iterations in (10, 100, 1000):
        bounds = RegretMatching(iterations).weigh(scores, 2, 0).certificate
        assert bounds is not None
        gaps.append(bounds.upper - bounds.lower)
    assert gaps[0] > 3 * gaps[1] > 9 * gaps[2] > 0
    assert gaps[2] < 1e-3


def test_few_arms_are_left_of_many():
    weights = RegretMatching().weigh(differing(1000, 100, 2), 2, 0).weights
    assert 10 < np.count_nonzero(weights) < 250
