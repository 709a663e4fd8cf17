import dataclasses

import numpy as np
import pytest

from seedfolio.core.seeds import (
    BOOK_HELD_BACK_SEEDS,
    EXTERNAL_UNSEEN,
    FIRST_PLAY_SEED,
    HELD_BACK_SEEDS,
    TRAINING_SEEDS,
    UNSEEN_SEEDS,
)
from seedfolio.errors import SpecificationError
from seedfolio.study.arms import TrainingArms, UnseenArms

KINDS = (TrainingArms, UnseenArms)


def test_ranges_meet_nowhere_and_leave_no_gap() -> None:
    assert (TRAINING_SEEDS.start, TRAINING_SEEDS.stop) == (0, 2**32)
    assert (UNSEEN_SEEDS.start, UNSEEN_SEEDS.stop) == (2**32, 2**33)
    assert UNSEEN_SEEDS.stop == FIRST_PLAY_SEED


def test_what_is_held_back_is_of_training_and_external_engines_have_their_own_border() -> None:
    for held_back in (HELD_BACK_SEEDS, BOOK_HELD_BACK_SEEDS):
        assert held_back.start in TRAINING_SEEDS
        assert held_back.stop <= TRAINING_SEEDS.stop
    assert HELD_BACK_SEEDS.stop <= EXTERNAL_UNSEEN


def test_seeds_are_consecutive_unsigned_integers() -> None:
    training, unseen = TrainingArms(5, 3).seeds(), UnseenArms(5, 3).seeds()
    assert training.dtype == unseen.dtype == np.uint64
    assert training.tolist() == [5, 6, 7]
    assert unseen.tolist() == [2**32 + 5, 2**32 + 6, 2**32 + 7]


def test_the_last_arm_of_each_kind() -> None:
    assert TrainingArms(2**32 - 1, 1).seeds().tolist() == [2**32 - 1]
    assert UnseenArms(2**32 - 1, 1).seeds().tolist() == [2**33 - 1]


@pytest.mark.parametrize("kind", KINDS)
def test_length_is_the_count(kind: type[TrainingArms] | type[UnseenArms]) -> None:
    arms = kind(10, 7)
    assert len(arms) == len(arms.seeds()) == 7


def test_the_kinds_are_different_types() -> None:
    training: object = TrainingArms(0, 1)
    assert not isinstance(training, UnseenArms)
    assert training != UnseenArms(0, 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("first", "count"),
    [(-1, 1), (0, 0), (0, -3), (2**32, 1), (2**32 - 1, 2), (0, 2**32 + 1), (0.5, 1), (0, True)],
)
def test_impossible_arms_are_refused(
    kind: type[TrainingArms] | type[UnseenArms], first: int, count: int
) -> None:
    with pytest.raises(SpecificationError, match=r"^(training|unseen) arms: [^\n]*$"):
        kind(first, count)


def test_arms_cannot_be_changed_after_their_check() -> None:
    arms = UnseenArms(0, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        arms.first = -1  # type: ignore[misc]
