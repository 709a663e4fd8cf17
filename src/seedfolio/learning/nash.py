"""The equilibrium of the matrix."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.learner import Certificate
from seedfolio.learning.matrix import MatrixLearner, Weights
from seedfolio.learning.solvers.equilibrium import solve

_SOLVED: dict[bytes, Weights] = {}  # by digest of the matrix, the oldest first
_TOLERANCE = 5e-10  # of the certificate, as success
_MOST_SOLVED = 64  # every K of a curve, for both colours


@dataclass(frozen=True)
class Nash(MatrixLearner):
    """Draw arms from our side's equilibrium strategy of the matrix game.

    From "Automatically Reinforcing a Game AI" (St-Pierre et al.), at large K from "The Rectangular
    Seeds of Domineering, Atari-Go and Breakthrough" (Cazenave, Liu, Teytaud 2015). Costs K x Kt
    cells for each colour. Against each opponent arm of the matrix, and each mixture of them, its
    success is at least the lower bound of the certificate, and no strategy guarantees more than the
    upper bound. If a cell is a mean over games with luck, so is the guarantee.
    """

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "nash"

    def weigh(self, scores: NDArray[np.uint8], full: int, key: int) -> Weights:
        """Weigh the arms as the row player does at equilibrium.

        The last results are cached, since learners that thin the equilibrium ask for it again.
        The weights are read-only.
        """
        digest = _digest(scores, full)
        weights = _SOLVED.get(digest)
        if weights is None:
            weights = _SOLVED[digest] = _solve(scores, full)
            for oldest in list(_SOLVED)[:-_MOST_SOLVED]:
                _SOLVED.pop(oldest, None)
        return weights


def _solve(scores: NDArray[np.uint8], full: int) -> Weights:
    found = solve(scores, tolerance=_TOLERANCE * full)
    found.row.setflags(write=False)
    return Weights(found.row, Certificate(found.lower / full, found.upper / full))


def _digest(scores: NDArray[np.uint8], full: int) -> bytes:
    digest = blake2b(f"{scores.dtype.str} {scores.shape} {full}".encode(), digest_size=32)
    digest.update(np.ascontiguousarray(scores).data)
    return digest.digest()
