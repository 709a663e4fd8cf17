"""The success of arms against the original program, from opponents drawn with unequal chances."""

from __future__ import annotations

from math import e, log, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.learner import Certificate
from seedfolio.learning.one_colour import DOUBT
from seedfolio.portfolios.portfolio import Distribution

_SLOPES = 12


class FairMeans:
    """Bounds, at any moment, of the success of every arm against the original program.

    Arms 0, 1, ... met opponents that were drawn with unequal, known probabilities, never below
    gamma / opponents. A game counts in inverse proportion to the probability of its opponent:
    1/2 + (success - 1/2) / (opponents * probability) has the mean that equally likely opponents
    give. Its sum departs from that of the means by no more than L / s + (e - 2) * s * V for any
    slope s up to 2 * gamma / (1 + gamma), where V adds up the variances that the probabilities
    allow, and exp(-L) is the error probability (Freedman's inequality, Beygelzimer et al. 2011,
    Theorem 1; its proof holds for all lengths of the sum at once). All arms, both directions and a
    few slopes share the error probability, so the results may decide on arm and moment. Half of it
    is for the opponents, which are a sample of the original program's arms (Hoeffding).
    """

    def __init__(self, arms: int, opponents: int, gamma: float) -> None:
        self._opponents = opponents
        self._games: NDArray[np.int64] = np.zeros(arms, np.int64)
        self._sums: NDArray[np.float64] = np.zeros(arms)
        self._variances: NDArray[np.float64] = np.zeros(arms)
        self._slopes = 2 * gamma / (1 + gamma) * 0.5 ** np.arange(_SLOPES)

    def add(
        self,
        arms: NDArray[np.intp],
        opponents: NDArray[np.intp],
        successes: NDArray[np.float64],
        probabilities: NDArray[np.float64],
    ) -> None:
        """Take games of arms against opponents drawn independently with these probabilities."""
        factors = 1 / (self._opponents * probabilities)
        np.add.at(self._games, arms, 1)
        np.add.at(self._sums, arms, 0.5 + (successes - 0.5) * factors[opponents])
        np.add.at(self._variances, arms, factors.mean() / 4)

    def bounds(self, distribution: Distribution) -> Certificate:
        """Return where the success of a distribution over the arms lies, with 95% confidence."""
        arms = np.array(distribution.arms, np.intp)
        weights = np.array(distribution.weights)
        games = np.maximum(self._games[arms], 1)
        doubt = DOUBT / (4 * len(self._games))
        slopes = self._slopes[:, None]
        sums = log(_SLOPES / doubt) / slopes + (e - 2) * slopes * self._variances[arms]
        radii = sums.min(axis=0) / games + sqrt(log(1 / doubt) / (2 * self._opponents))
        radii[self._games[arms] == 0] = 1
        means = self._sums[arms] / games
        lower = float((weights * np.clip(means - radii, 0, 1)).sum())
        upper = float((weights * np.clip(means + radii, 0, 1)).sum())
        return Certificate(lower, min(1.0, upper))
