"""What every learner takes and gives: the scores of one colour's arms, weights for these arms."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Certificate:
    """Proven bounds of the value of the matrix game, as success between 0 and 1."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Learnt:
    """One colour's distribution over its arms: non-negative weights that add up to 1."""

    weights: NDArray[np.float64]
    certificate: Certificate | None = None


class Learner(Protocol):
    """A way to weigh arms by their results. Both colours are treated alike."""

    @property
    def name(self) -> str:
        """The canonical text that `parse_learner` turns back into this learner."""
        ...

    def learn(self, scores: NDArray[np.uint8], full: int, key: int) -> Learnt:
        """Weigh the arms.

        `scores[i, j]` are the half points that our arm i scored against the opponent's arm j,
        whatever our colour: from 0 to `full`, which is 2 for each game that a cell is made of.
        `key`, 64 bits, is the only source of randomness.
        """
        ...


def share_equally(chosen: NDArray[np.bool_]) -> Learnt:
    """Return the uniform distribution over the chosen arms."""
    return Learnt(chosen / np.count_nonzero(chosen))
