"""How many arms to draw from, and how often each, so as to keep most against an exploiter."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.learning.solvers.exploiter_bounds import worst_weights

Numbers = NDArray[np.float64]
_FOLDS = 4


def worst_of(exploiters: int) -> float:
    """Return how far below the mean the worst of so many normal numbers is, in deviations."""
    if exploiters == 1:
        return 0.0
    # Blom's approximation of the mean of the largest.
    return NormalDist().inv_cdf((exploiters - 0.375) / (exploiters + 0.25))


def promising_number(
    strengths: Numbers, opponents: float, rest: float, exploiters: int
) -> tuple[int, Numbers]:
    """Return of how many of the best arms most is to be hoped, and what of 1, 2, 3, ... of them.

    `strengths` are those of the arms, best first; one that seems stronger than an arm before it is
    not believed to be. Equally often drawn, m arms have the mean of their strengths, and against
    opponents whose strength varies by `opponents` that varies by opponents + rest / m: the more
    arms, the less an exploiter finds.
    """
    number = np.arange(1, len(strengths) + 1)
    means = np.cumsum(np.minimum.accumulate(strengths)) / number
    hopes = means - worst_of(exploiters) * np.sqrt(opponents + rest / number)
    return int(np.argmax(hopes)) + 1, hopes


@dataclass(frozen=True)
class Weighed:
    """A way to draw, and what it kept of opponents that it was not fitted to."""

    name: str
    weights: Numbers
    kept: float


def weigh(points: NDArray[np.uint8], full: int, number: int, exploiters: int) -> list[Weighed]:
    """Return ways to draw from arms (rows, best first) that met the same opponents, best way first.

    The first `number` equally often, or all as the exploiter objective says, or half of each. What
    they keep is told by cross-validation: each part of the opponents by weights that were fitted to
    the others. The objective is that of half as many exploiters, which overfits less. `points` are
    half points of our arms, 0 to `full`.
    """
    arms, opponents = points.shape
    equal = np.where(np.arange(arms) < number, 1 / number, 0.0)
    objective = ExploiterObjective(max(2, exploiters // 2))
    folds = np.arange(opponents) % _FOLDS
    unseen = np.zeros(opponents)
    for fold in range(_FOLDS):
        others = np.ascontiguousarray(points[:, folds != fold])
        weights = objective.weigh(others, full, key=0).weights
        unseen[folds == fold] = _success(weights, points[:, folds == fold], full)
    known = _success(equal, points, full)
    fitted = objective.weigh(points, full, key=0).weights
    ways = [
        Weighed(f"{number} equally often", equal, _kept(known, exploiters)),
        Weighed("as fitted to the games", fitted, _kept(unseen, exploiters)),
        Weighed("half of each", (equal + fitted) / 2, _kept((known + unseen) / 2, exploiters)),
    ]
    return sorted(ways, key=lambda way: -way.kept)


def _success(weights: Numbers, points: NDArray[np.uint8], full: int) -> Numbers:
    # Sums in a fixed order, so that they are the same on all machines.
    total: Numbers = (weights[:, None] * points).sum(axis=0) / full
    return total


def _kept(successes: Numbers, exploiters: int) -> float:
    """Return the success against the worst of so many of these opponents, on average."""
    return float((np.sort(successes) * worst_weights(len(successes), exploiters)).sum())
