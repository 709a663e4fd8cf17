"""Arms to learn from, and arms that learning never sees.

Training and unseen arms have different types, so that nobody passes training arms by mistake where
unseen arms are needed. Their ranges are in `core.seeds`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.seeds import TRAINING_SEEDS, UNSEEN_SEEDS
from seedfolio.errors import SpecificationError


@dataclass(frozen=True, slots=True)
class TrainingArms:
    """``count`` consecutive arms to learn from, beginning with seed ``first``."""

    first: int
    count: int

    def __post_init__(self) -> None:
        _check("training", self.first, self.count, len(TRAINING_SEEDS))

    def __len__(self) -> int:
        return self.count

    def seeds(self) -> NDArray[np.uint64]:
        """Return the seeds, in increasing order, all in ``TRAINING_SEEDS``."""
        return _consecutive(TRAINING_SEEDS[self.first], self.count)


@dataclass(frozen=True, slots=True)
class UnseenArms:
    """``count`` consecutive arms for evaluation; ``first`` counts from 0 within the unseen ones."""

    first: int
    count: int

    def __post_init__(self) -> None:
        _check("unseen", self.first, self.count, len(UNSEEN_SEEDS))

    def __len__(self) -> int:
        return self.count

    def seeds(self) -> NDArray[np.uint64]:
        """Return the seeds, in increasing order, all in ``UNSEEN_SEEDS``."""
        return _consecutive(UNSEEN_SEEDS[self.first], self.count)


def _check(kind: str, first: int, count: int, size: int) -> None:
    for name, value in (("first", first), ("count", count)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise SpecificationError(f"{kind} arms: {name} must be an integer, not {value!r}")
    if first < 0:
        raise SpecificationError(f"{kind} arms: first must be 0 or more, not {first}")
    if count < 1:
        raise SpecificationError(f"{kind} arms: count must be 1 or more, not {count}")
    if first + count > size:
        raise SpecificationError(
            f"{kind} arms: {first} + {count} is more than all {size} {kind} arms; "
            "ask for fewer, or begin lower"
        )


def _consecutive(first: int, count: int) -> NDArray[np.uint64]:
    return np.arange(first, first + count, dtype=np.uint64)
