"""The single best arm."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.learner import Learnt

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class BestSeed:
    """Always play the arm with the best mean score; ties are broken at random.

    From "Automatically Reinforcing a Game AI" (St-Pierre et al., there BestArm) and "Fast
    seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016). Costs one game a cell,
    K x Kt for each colour. With probability 1 - delta each mean is within
    e = sqrt(log(2 K / delta) / (2 Kt)) of the arm's true success, so the choice is at most 2 e
    below the best arm; an opponent who knows the choice can exploit it at will.
    """

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "best-seed"

    def learn(self, scores: NDArray[np.uint8], key: int) -> Learnt:
        """Put all weight on one arm of the best mean."""
        totals = scores.sum(axis=1, dtype=np.int64)
        tied = np.flatnonzero(totals == totals.max())
        weights = np.zeros(len(scores))
        weights[tied[np.argmin(_random_ranks(tied, key))]] = 1.0
        return Learnt(weights)


def _random_ranks(arms: NDArray[np.intp], key: int) -> NDArray[np.uint64]:
    """Return a hash of (key, arm) for each arm: two rounds of the splitmix64 finaliser."""
    start = _mix(np.array([(key + _GOLDEN) & _MASK], dtype=np.uint64))
    return _mix(start + np.uint64(_GOLDEN) * (arms.astype(np.uint64) + np.uint64(1)))


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
