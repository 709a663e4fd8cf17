"""Ranges of seeds, and arms out of them."""

import numpy as np
import pytest

from seedfolio.errors import SpecificationError
from seedfolio.study.arms import TrainingArms, UnseenArms, training_cells


def test_games_of_a_matrix():
    """Both colours of 9 arms against 4; against others no game is in both."""
    assert training_cells(9, 4) == 2 * 9 * 4 - 4 * 4
    assert training_cells(9, 4, itself=False) == 2 * 9 * 4


@pytest.mark.parametrize(
    ("arms", "seeds"),
    [
        (TrainingArms(5, 3), [5, 6, 7]),
        (UnseenArms(5, 3), [2**32 + 5, 2**32 + 6, 2**32 + 7]),
        (TrainingArms(2**32 - 1, 1), [2**32 - 1]),
        (UnseenArms(2**32 - 1, 1), [2**33 - 1]),
    ],
)
def test_seeds_are_consecutive_unsigned_integers(arms, seeds):
    assert arms.seeds().dtype == np.uint64
    assert arms.seeds().tolist() == seeds
    assert len(arms) == len(seeds)


@pytest.mark.parametrize("kind", [TrainingArms, UnseenArms])
@pytest.mark.parametrize(
    ("first", "count"), [(-1, 1), (0, 0), (2**32 - 1, 2), (0, 2**32 + 1), (0.5, 1), (0, True)]
)
def test_impossible_arms_are_refused(kind, first, count):
    with pytest.raises(SpecificationError, match=r"^(training|unseen) arms: [^\n]*$"):
        kind(first, count)
