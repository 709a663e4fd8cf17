"""Arms to learn from, and arms that learning never sees.

Training and unseen arms have different types, so that nobody passes training arms by mistake where
unseen arms are needed. Their ranges are in `core.seeds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.seeds import TRAINING_SEEDS, UNSEEN_SEEDS, opposing
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.study.store import UNPLAYED, Study


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


Rectangle = tuple[NDArray[np.uint64], NDArray[np.uint64]]


def training_rectangles(arms: TrainingArms, kt: int) -> list[Rectangle]:
    """Return the rows and columns to play: two rectangles that do not overlap."""
    seeds = arms.seeds()
    rectangles = [(seeds, seeds[:kt])]
    if kt < len(arms):
        rectangles.append((seeds[:kt], seeds[kt:]))
    return rectangles


def training_cells(k: int, kt: int, *, itself: bool = True) -> int:
    """Return how many cells these rectangles have.

    Where the program does not meet itself but others, no cell belongs to both colours.
    """
    return 2 * k * kt - kt**2 * itself


def has_opponents(study: Study) -> bool:
    """Tell whether a study plays a program against others, not against itself."""
    return "opponents" in study.identity


def arms_that_met(study: Study) -> int:
    """Return for how many first training arms a study has every game between two of them."""
    if has_opponents(study):
        return 0

    def met(arms: int) -> bool:
        seeds = TrainingArms(0, arms).seeds()
        return not study.missing(seeds, seeds).any()

    known, most = 0, isqrt(study.count())
    while known < most:
        tried = min(most, max(1, 2 * known))  # small matrices first: most studies have no large one
        if not met(tried):
            most = tried - 1
            break
        known = tried
    while known < most:
        tried = (known + most + 1) // 2
        known, most = (tried, most) if met(tried) else (known, tried - 1)
    return known


def opposed_rectangles(arms: TrainingArms, kt: int) -> list[Rectangle]:
    """Return the same against other programs: their arms as second and as first player."""
    theirs = TrainingArms(0, kt).seeds()
    return [(arms.seeds(), opposing(theirs, 1)), (opposing(theirs, 0), arms.seeds())]


def exported_arms(study: Study, k: int, kt: int) -> Rectangle:
    """Return the rows and columns of a study's whole matrix.

    Against other programs both have the program's own arms and the opposing ones: cells between
    two of the same kind are never played.
    """
    arms = TrainingArms(0, k)
    if not has_opponents(study):
        return arms.seeds(), arms.seeds()
    (ours, second), (first, _) = opposed_rectangles(arms, kt)
    return np.concatenate([ours, first]), np.concatenate([ours, second])


def success_of(colour: int, results: NDArray[Any], full: float) -> NDArray[np.float64]:
    """Return the success of arms of `colour` (rows), from results of the first player's (rows)."""
    return results / full if colour == 0 else 1 - results.T / full


def training_scores(
    study: Study, arms: TrainingArms, kt: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return K x Kt half points (0 to `study.full`) of each colour's arms, seen by that colour."""
    seeds = arms.seeds()
    both = [(seeds, seeds[:kt]), (seeds[:kt], seeds)]
    if has_opponents(study):
        both = opposed_rectangles(arms, kt)
    first, second = (study.results(*each) for each in both)
    if (first == UNPLAYED).any() or (second == UNPLAYED).any():
        raise StudyError(
            f"{study.path} has no whole matrix of {len(arms)} seeds against {kt}: its learners "
            "chose their games; run seedfolio boost without `budget`, with a learner such as nash"
        )
    return first, np.ascontiguousarray(study.full - second.T)
