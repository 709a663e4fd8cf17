"""The best few arms."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SpecificationError
from seedfolio.learning.matrix import MatrixLearner, Weights, share_equally


@dataclass(frozen=True)
class Top(MatrixLearner):
    """Draw uniformly from the n arms with the best mean scores; ties are broken at random.

    Between the best arm (n = 1) and the original program (n = K). Costs K x Kt cells for each
    colour. With probability 1 - delta each mean is within e = sqrt(log(2 K / delta) / (2 Kt)) of
    the arm's true success, so the portfolio is at most 2 e below the best n arms against an
    unprepared opponent. There is no guarantee against an opponent that knows it, but such an
    opponent has to beat n arms at once.
    """

    n: int = 16

    def __post_init__(self) -> None:
        if self.n < 1:
            raise SpecificationError(f"top needs n of 1 or more, not {self.n}; try n=16")

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "top" if self.n == Top().n else f"top:n={self.n}"

    def weigh(self, scores: NDArray[np.uint8], full: int, key: int) -> Weights:
        """Weigh the arms of the best means equally."""
        from seedfolio.core.randomness import mix_int

        totals = scores.sum(axis=1, dtype=np.int64)
        lots = np.array([mix_int(mix_int(key) + arm) for arm in range(len(scores))], np.uint64)
        chosen = np.zeros(len(scores), dtype=np.bool_)
        chosen[np.lexsort((lots, -totals))[: self.n]] = True
        return share_equally(chosen)
