"""The single best arm."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.matrix import MatrixLearner, Weights


@dataclass(frozen=True)
class BestSeed(MatrixLearner):
    """Always play the arm with the best mean score; ties are broken at random.

    From "Automatically Reinforcing a Game AI" (St-Pierre et al., there BestArm) and "Fast
    seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016). Costs K x Kt cells for each
    colour. With probability 1 - delta each mean is within e = sqrt(log(2 K / delta) / (2 Kt)) of
    the arm's true success, so the choice is at most 2 e below the best arm; an opponent who knows
    the choice can exploit it at will.
    """

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "best-seed"

    def weigh(self, scores: NDArray[np.uint8], full: int, key: int) -> Weights:
        """Put all weight on one arm of the best mean."""
        return Weights(best_arm(scores.sum(axis=1, dtype=np.int64), key))


def best_arm(totals: NDArray[Any], key: int) -> NDArray[np.float64]:
    """Return all weight on the arm with the largest total; `key` draws lots among equal ones."""
    tied = np.flatnonzero(totals == totals.max())
    weights = np.zeros(len(totals))
    weights[min(tied.tolist(), key=lambda arm: _rank(key, arm))] = 1.0
    return weights


def _rank(key: int, arm: int) -> int:
    """Return a hash of key and arm, different for each arm."""
    from seedfolio.core.randomness import GOLDEN, mix_int

    return mix_int(mix_int(key + int(GOLDEN)) + int(GOLDEN) * (arm + 1))
