"""Portfolios: for each colour, a distribution over arms."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import turned_arm


@dataclass(frozen=True)
class Distribution:
    """Seeds, each with a positive weight; the weights add up to 1."""

    seeds: tuple[int, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.seeds or len(self.seeds) != len(self.weights):
            raise ValueError("a distribution needs seeds, and a weight for each")
        if len(set(self.seeds)) != len(self.seeds):
            raise ValueError("a distribution names each seed once")
        # Written so that nan is refused, too.
        if not (min(self.weights) > 0 and abs(sum(self.weights) - 1) <= 1e-6):
            raise ValueError("weights must be above 0 and add up to 1")

    @classmethod
    def of(cls, seeds: NDArray[np.uint64], weights: NDArray[np.float64]) -> Distribution:
        """Keep the seeds whose weight is not zero."""
        kept = np.flatnonzero(weights)
        return cls(
            tuple(int(seed) for seed in seeds[kept]),
            tuple(float(weight) for weight in weights[kept]),
        )

    def __len__(self) -> int:
        return len(self.seeds)

    def turned(self, symmetries: int) -> Distribution:
        """Return the same arms, each equally often as it is and under `symmetries` others."""
        every = range(symmetries + 1)
        return Distribution(
            tuple(turned_arm(seed, symmetry) for seed in self.seeds for symmetry in every),
            tuple(weight / len(every) for weight in self.weights for _ in every),
        )

    def draw(self, key: int) -> int:
        """Return the seed that `key` (64 random bits) draws."""
        point = (mix_int(key) >> 11) / 2**53
        sums = list(accumulate(self.weights))
        for seed, limit in zip(self.seeds, sums, strict=True):
            if point * sums[-1] < limit:
                return seed
        return self.seeds[-1]


@dataclass(frozen=True)
class Portfolio:
    """What a learner hands back: which arms to draw as first and as second player."""

    first: Distribution
    second: Distribution

    def turned(self, symmetries: int) -> Portfolio:
        """Return the same arms, each equally often as it is and under `symmetries` others.

        As strong against an unprepared opponent where the player treats a board and its image
        alike, and far harder to exploit.
        """
        return Portfolio(self.first.turned(symmetries), self.second.turned(symmetries))

    def __getitem__(self, colour: int) -> Distribution:
        return (self.first, self.second)[colour]
