"""The training matrices: K arms of each colour against Kt arms of the other.

One cell belongs to both colours' matrices where both arms are among the first Kt, so
2*K*Kt - Kt**2 cells fill them, and none is played twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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


def opposed_rectangles(
    arms: TrainingArms, opposing: tuple[NDArray[np.uint64], NDArray[np.uint64]]
) -> list[Rectangle]:
    """Return the same against other programs: their arms as first and as second player."""
    return [(arms.seeds(), opposing[1]), (opposing[0], arms.seeds())]


def opposed_scores(
    study: Study, rectangles: list[Rectangle]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return K x Kt half points of each colour's arms against other programs."""
    first, second = (study.results(*each) for each in rectangles)
    return first, np.ascontiguousarray(study.full - second.T)


def training_scores(
    study: Study, arms: TrainingArms, kt: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return K x Kt half points (0 to `study.full`) of each colour's arms, seen by that colour."""
    seeds = arms.seeds()
    first = study.results(seeds, seeds[:kt])
    second = study.results(seeds[:kt], seeds)
    if (first == UNPLAYED).any() or (second == UNPLAYED).any():
        raise StudyError(
            f"{study.path} has no whole matrix of {len(arms)} seeds against {kt}: its learners "
            "chose their games; run seedfolio boost without `budget`, with a learner such as nash"
        )
    return first, np.ascontiguousarray(study.full - second.T)
