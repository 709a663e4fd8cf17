"""How many arms to draw from, and how often each, for the best success against an exploiter."""

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
    """Return how many deviations the worst of `exploiters` normal numbers is below the mean."""
    if exploiters == 1:
        return 0.0
    # Blom's approximation of the mean of the largest.
    return NormalDist().inv_cdf((exploiters - 0.375) / (exploiters + 0.25))


def promising_number(
    strengths: Numbers, opponents: float, rest: float, exploiters: int
) -> tuple[int, Numbers]:
    """Return the best number of arms to draw from, and the expected success with 1, 2, 3, ...

    `strengths` are those of the arms, best first; an arm counts as no stronger than the one before
    it. m arms, drawn equally often, have the mean of their strengths. Between opponents whose
    strength has the variance `opponents`, their success has the variance opponents + rest / m: the
    more arms, the less an exploiter finds. Success is relative to that of an average arm.
    """
    number = np.arange(1, len(strengths) + 1)
    means = np.cumsum(np.minimum.accumulate(strengths)) / number
    hopes = means - worst_of(exploiters) * np.sqrt(opponents + rest / number)
    return int(np.argmax(hopes)) + 1, hopes


@dataclass(frozen=True)
class Weighed:
    """A way to draw, and its success against an exploiter among opponents it was not fitted to."""

    name: str
    weights: Numbers
    kept: float


def weigh(points: NDArray[np.uint8], full: int, number: int, exploiters: int) -> list[Weighed]:
    """Return ways to draw from arms (rows, best first) that met the same opponents, best way first.

    The ways: the first `number` equally often, or weights of the exploiter objective, or half of
    each. Cross-validation measures them: each part of the opponents meets weights that were fitted
    to the others. The objective is that of half as many exploiters, which overfits less. `points`
    are half points of our arms, 0 to `full`.
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
    """Return the mean success against the worst of `exploiters` of these opponents."""
    return float((np.sort(successes) * worst_weights(len(successes), exploiters)).sum())
