"""The better half of the arms."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.matrix import MatrixLearner, Weights, share_equally


@dataclass(frozen=True)
class BestHalf(MatrixLearner):
    """Draw uniformly from the arms whose mean score is strictly above the median.

    From "Automatically Reinforcing a Game AI" (St-Pierre et al.). Costs K x Kt cells for each
    colour. Half the arms stay, so it gains less than the best arm but is almost as hard to exploit
    as the original program. There is no guarantee against a given opponent. If no arm is above the
    median, all are drawn.
    """

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "best-half"

    def weigh(self, scores: NDArray[np.uint8], full: int, key: int) -> Weights:
        """Weigh the arms above the median equally."""
        totals = scores.sum(axis=1, dtype=np.int64)
        better = totals > np.median(totals)
        return share_equally(better if better.any() else np.ones(len(scores), dtype=np.bool_))
