"""The single best arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.learner import in_range
from seedfolio.learning.matrix import MatrixLearner, Scores, Weights, share_equally, totals


@dataclass(frozen=True)
class BestHalf(MatrixLearner):
    """Draw uniformly from the arms whose mean score is strictly above the median.

    From "Automatically Reinforcing a Game AI" (St-Pierre et al.). Costs K x Kt cells for each
    colour. Half the arms stay, so it gains less than the best arm but is almost as hard to exploit
    as the original program. There is no guarantee against a given opponent. If no arm is above the
    median, all are drawn.
    """

    short = "best-half"

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Weigh the arms above the median equally."""
        sums = totals(scores)
        better = sums > np.median(sums)
        return share_equally(better if better.any() else np.ones(len(scores), dtype=np.bool_))


@dataclass(frozen=True)
class BestSeed(MatrixLearner):
    """Always play the arm with the best mean score; ties are broken at random.

    From "Automatically Reinforcing a Game AI" (St-Pierre et al., there BestArm) and "Fast
    seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016). Costs K x Kt cells for each
    colour. With probability 1 - delta each mean is within e = sqrt(log(2 K / delta) / (2 Kt)) of
    the arm's true success, so the choice is at most 2 e below the best arm; an opponent who knows
    the choice can exploit it at will.
    """

    short = "best-seed"

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Put all weight on one arm of the best mean."""
        return Weights(best_arm(totals(scores), key))


def best_arm(sums: NDArray[Any], key: int) -> NDArray[np.float64]:
    """Return all weight on the arm with the largest total; `key` draws lots among equal ones."""
    tied = np.flatnonzero(sums == sums.max())
    weights = np.zeros(len(sums))
    weights[min(tied.tolist(), key=lambda arm: _rank(key, arm))] = 1.0
    return weights


def _rank(key: int, arm: int) -> int:
    """Return a hash of key and arm, different for each arm."""
    from seedfolio.core.randomness import GOLDEN, mix_int

    return mix_int(mix_int(key + int(GOLDEN)) + int(GOLDEN) * (arm + 1))


@dataclass(frozen=True)
class Top(MatrixLearner):
    """Draw uniformly from the n arms with the best mean scores; ties are broken at random.

    Between the best arm (n = 1) and the original program (n = K). Costs K x Kt cells for each
    colour. With probability 1 - delta each mean is within e = sqrt(log(2 K / delta) / (2 Kt)) of
    the arm's true success, so the portfolio is at most 2 e below the best n arms against a
    stranger. There is no guarantee against an opponent that knows it, but such an
    opponent has to beat n arms at once.
    """

    short = "top"

    n: int = 16

    def __post_init__(self) -> None:
        in_range("top needs n of {}", self.n, 1, advice="try n=16")

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Weigh the arms of the best means equally."""
        from seedfolio.core.randomness import mix_int

        lots = np.array([mix_int(mix_int(key) + arm) for arm in range(len(scores))], np.uint64)
        chosen = np.zeros(len(scores), dtype=np.bool_)
        chosen[np.lexsort((lots, -totals(scores)))[: self.n]] = True
        return share_equally(chosen)


@dataclass(frozen=True)
class Uniform(MatrixLearner):
    """Draw each arm equally often: the original program, learning nothing.

    The baseline of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016). It
    needs no games and gains nothing: its success against unseen opponents is that of the original.
    """

    short = "uniform"

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Weigh all arms equally."""
        return share_equally(np.ones(len(scores), dtype=np.bool_))
