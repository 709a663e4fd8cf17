"""The equilibrium's favourite arms."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SpecificationError
from seedfolio.learning.matrix import MatrixLearner, Weights
from seedfolio.learning.nash import Nash

# Weights that differ by less, in proportion, count as equal. The solver differs by less between
# machines, so arms of equal weight stay or go together on all of them.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class SparseNash(MatrixLearner):
    """Draw arms as Nash does, but only those with at least alpha times its largest weight.

    From "Learning opening books in partially observable games: using random seeds in Phantom Go"
    (Cazenave, Liu, Teytaud, Teytaud 2016). Costs no more games than Nash. Alpha near 0 is Nash;
    the larger alpha, the stronger against an unprepared opponent and the easier to exploit. The
    certificate bounds the value of the matrix game; it is no promise for the thinned strategy.
    """

    alpha: float = 0.75

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 1:
            raise SpecificationError(
                f"sparse-nash needs alpha above 0 and at most 1, not {self.alpha}; try alpha=0.75"
            )

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        default = SparseNash().alpha
        return "sparse-nash" if self.alpha == default else f"sparse-nash:alpha={self.alpha!r}"

    def weigh(self, scores: NDArray[np.uint8], full: int, key: int) -> Weights:
        """Weigh the arms as Nash does, without the small weights."""
        nash = Nash().weigh(scores, full, key)
        least = self.alpha * nash.weights.max() * (1 - _ROUNDING)
        kept = np.where(nash.weights < least, 0.0, nash.weights)
        return Weights(kept / kept.sum(), nash.certificate)
