"""The equilibrium of the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from seedfolio.learning.learner import Certificate, in_range
from seedfolio.learning.matrix import MatrixLearner, Scores, Weights
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

    short = "nash"

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
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


def _solve(scores: Scores, full: int) -> Weights:
    found = solve(scores, tolerance=_TOLERANCE * full)
    found.row.setflags(write=False)
    return Weights(found.row, Certificate(found.lower / full, found.upper / full))


def _digest(scores: Scores, full: int) -> bytes:
    digest = blake2b(f"{scores.dtype.str} {scores.shape} {full}".encode(), digest_size=32)
    digest.update(np.ascontiguousarray(scores).data)
    return digest.digest()


# Weights that differ by less, in proportion, count as equal. The solver differs by less between
# machines, so arms of equal weight stay or go together on all of them.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class SparseNash(MatrixLearner):
    """Draw arms as Nash does, but only those with at least alpha times its largest weight.

    From "Learning opening books in partially observable games: using random seeds in Phantom Go"
    (Cazenave, Liu, Teytaud, Teytaud 2016). Costs no more games than Nash. Alpha near 0 is Nash;
    the larger alpha, the stronger against a stranger and the easier to exploit. The
    certificate bounds the value of the matrix game; it is no promise for the thinned strategy.
    """

    short = "sparse-nash"

    alpha: float = 0.75

    def __post_init__(self) -> None:
        in_range("sparse-nash needs alpha {}", self.alpha, 0, 1, ends="(]", advice="try alpha=0.75")

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Weigh the arms as Nash does, without the small weights."""
        nash = Nash().weigh(scores, full, key)
        least = self.alpha * nash.weights.max() * (1 - _ROUNDING)
        kept = np.where(nash.weights < least, 0.0, nash.weights)
        return Weights(kept / kept.sum(), nash.certificate)
