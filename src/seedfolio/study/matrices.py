"""The training matrices: K arms of each colour against Kt arms of the other.

One cell belongs to both colours' matrices where both arms are among the first Kt, so
2*K*Kt - Kt**2 cells fill them, and none is played twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seedfolio.engines.field import opposing
from seedfolio.errors import StudyError
from seedfolio.study.arms import TrainingArms
from seedfolio.study.store import UNPLAYED, Study

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
