"""The best few arms, on cases worked out by hand."""

import numpy as np
import pytest

from seedfolio.errors import SpecificationError
from seedfolio.learning.by_mean import Top

SCORES = np.array([[2, 0, 1], [2, 2, 0], [0, 0, 0], [0, 1, 2], [2, 2, 2]], dtype=np.uint8)


def test_the_best_means_are_drawn_equally() -> None:
    assert Top(1).weigh(SCORES, 2, 0).weights.tolist() == [0, 0, 0, 0, 1]
    assert Top(2).weigh(SCORES, 2, 0).weights.tolist() == [0, 0.5, 0, 0, 0.5]
    assert Top(4).weigh(SCORES, 2, 0).weights.tolist() == [0.25, 0.25, 0, 0.25, 0.25]


def test_more_than_there_are_is_all() -> None:
    assert Top(16).weigh(SCORES, 2, 0).weights.tolist() == [0.2] * 5


def test_half_points_do_not_overflow() -> None:
    matrix = np.full((2, 300), 2, dtype=np.uint8)  # 600 half points do not fit 8 bits
    matrix[0, 250:] = 0
    assert Top(1).weigh(matrix, 2, 0).weights.tolist() == [0, 1]


def test_ties_at_the_border_are_broken_at_random_by_key_alone() -> None:
    # Arms 0 and 3 share third place.
    chosen = [int(Top(3).weigh(SCORES, 2, key).weights[0] > 0) for key in range(2000)]
    # 2000 draws at 1/2: the standard deviation is 22.
    assert abs(sum(chosen) - 1000) < 110
    # Pinned: a portfolio learnt today must be learnt again tomorrow.
    assert chosen[:12] == [1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1]
    for key in range(10):
        assert Top(3).weigh(SCORES, 2, key).weights[[1, 2, 4]] == pytest.approx([1 / 3, 0, 1 / 3])


def test_names() -> None:
    assert Top(16).name == "top"
    assert Top(3).name == "top:n=3"
    with pytest.raises(SpecificationError, match="top needs n of 1 or more, not 0"):
        Top(0)
