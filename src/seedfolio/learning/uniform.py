"""The original program as a mixture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.matrix import MatrixLearner, Weights, share_equally


@dataclass(frozen=True)
class Uniform(MatrixLearner):
    """Draw each arm equally often: the original program, learning nothing.

    The baseline of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016). It
    needs no games and gains nothing: its success against unseen opponents is that of the original.
    """

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "uniform"

    def weigh(self, scores: NDArray[np.uint8], full: int, key: int) -> Weights:
        """Weigh all arms equally."""
        return share_equally(np.ones(len(scores), dtype=np.bool_))
