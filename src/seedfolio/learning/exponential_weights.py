"""What the Exp3 learners share: drawing arms by exponential weights, choosing by frequency."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.portfolios.portfolio import Distribution

_NEARLY = 0.99


class ExponentialWeights:
    """One player's arms. The more an arm won when it was drawn, the more often it is drawn.

    Each is drawn with a probability of at least gamma / arms. A result is divided by the
    probability of its arm, so that on average it counts the same for every arm. It is measured
    from 1/2: a win raises the weight of its arm as much as a loss lowers it. Weights are kept as
    logarithms, which do not overflow.
    """

    def __init__(self, arms: int, gamma: float, key: int) -> None:
        self.seeds: NDArray[np.uint64] = np.arange(arms, dtype=np.uint64)
        self.counts: NDArray[np.int64] = np.zeros(arms, np.int64)
        self.opened = arms
        self._logs: NDArray[np.float64] = np.zeros(arms)
        self._gamma = gamma
        self._bits = np.random.Philox(key=mix_int(key))

    def __len__(self) -> int:
        return len(self.seeds)

    def probabilities(self) -> NDArray[np.float64]:
        """Return the probability of each arm in the next draw."""
        weights: NDArray[np.float64] = np.exp(self._logs - self._logs.max())
        weights *= (1 - self._gamma) / weights.sum()
        return weights + self._gamma / len(weights)

    def draw(self, number: int) -> NDArray[np.intp]:
        """Return the places of `number` arms, drawn independently."""
        # Made from the raw bits, which are the same in every version of numpy.
        raw = np.asarray(self._bits.random_raw(number), np.uint64)
        points = (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53
        sums = np.cumsum(self.probabilities())
        # Without the last sum: the last arm has no upper limit, whatever rounding does.
        places: NDArray[np.intp] = np.searchsorted(sums[:-1], points * sums[-1], side="right")
        return places

    def reward(self, places: NDArray[np.intp], successes: NDArray[np.float64], rate: float) -> None:
        """Take the successes, 0 to 1, of arms that were drawn together."""
        shares = self.probabilities()[places]
        np.add.at(self._logs, places, rate * (successes - 0.5) / shares)
        np.add.at(self.counts, places, 1)

    def open(self, arms: int) -> None:
        """Open the next arms, with the mean weight of the open ones."""
        top = self._logs.max()
        neutral = top + np.log(np.exp(self._logs - top).mean())
        seeds = np.arange(self.opened, self.opened + arms, dtype=np.uint64)
        self.seeds = np.concatenate([self.seeds, seeds])
        self.counts = np.concatenate([self.counts, np.zeros(arms, np.int64)])
        self._logs = np.concatenate([self._logs, np.full(arms, neutral)])
        self.opened += arms

    def keep(self, arms: int) -> None:
        """Drop all but the `arms` with the largest weights; of equal ones the later."""
        kept = np.sort(np.argsort(-self._logs, kind="stable")[:arms])
        self.seeds, self.counts, self._logs = self.seeds[kept], self.counts[kept], self._logs[kept]

    def most_frequent(self, power: float) -> Distribution:
        """Return the arms drawn most, in proportion to how often they were.

        With power 0 those drawn more than 99% as often as the most drawn; otherwise those drawn
        at least (the largest number of draws) ** power times. All arms before the first draw.
        """
        most = int(self.counts.max())
        if most == 0:
            return Distribution.of(self.seeds, np.full(len(self), 1 / len(self)))
        often = self.counts >= float(most) ** power if power else self.counts > _NEARLY * most
        kept = np.where(often, self.counts, 0)
        return Distribution.of(self.seeds, kept / kept.sum())
