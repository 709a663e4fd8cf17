"""The equilibrium of the matrix."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.equilibrium import solve
from seedfolio.learning.learner import Certificate, Learnt


@dataclass(frozen=True)
class Nash:
    """Draw arms from our side's equilibrium strategy of the matrix game.

    From "Automatically Reinforcing a Game AI" (St-Pierre et al.), at large K from "The Rectangular
    Seeds of Domineering, Atari-Go and Breakthrough" (Cazenave, Liu, Teytaud 2015). Costs one game
    a cell, K x Kt for each colour. Against each opponent arm of the matrix, and each mixture of
    them, its success is at least the lower bound of the certificate, and no strategy can promise
    more than the upper bound.
    """

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "nash"

    def learn(self, scores: NDArray[np.uint8], key: int) -> Learnt:
        """Weigh the arms as the row player does at equilibrium."""
        found = solve(scores)
        return Learnt(found.row, Certificate(found.lower / 2, found.upper / 2))
