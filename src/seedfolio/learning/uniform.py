"""The original program as a mixture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.learner import Learnt, share_equally


@dataclass(frozen=True)
class Uniform:
    """Draw each arm equally often: the original program, learning nothing.

    The baseline of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016). It
    needs no games and promises no gain; its success against unseen opponents is that of the
    program it came from.
    """

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "uniform"

    def learn(self, scores: NDArray[np.uint8], full: int, key: int) -> Learnt:
        """Weigh all arms equally."""
        return share_equally(np.ones(len(scores), dtype=np.bool_))
