"""Intervals that may be looked at after every game: confidence sequences for bounded results.

An ordinary 95% interval is right 95% of the time if it is looked at once, after a number of games
that was fixed before. Who looks after every game, and stops when it suits, is wrong far more often.
A confidence sequence covers at all times together with 95%.

This is the two-sided normal mixture for sub-Gaussian sums of "Time-uniform, nonparametric,
nonasymptotic confidence sequences" (Howard, Ramdas, McAuliffe, Sekhon, Annals of Statistics 2021),
which goes back to Robbins (1970): with probability 1 - alpha, for all n at once,

    |sum - sum of the means| <= sqrt((v + r) log((v + r) / (r alpha^2))),

where v adds up w^2 / 4 for each result, w being the width of its range (Hoeffding's lemma). The
mean of a result is the one that all results before it imply. So the interval is for the average of
the means so far, and it needs no assumption: people differ, learn, tire, and stop when they like.
Sequences by betting (Waudby-Smith and Ramdas 2024) are narrower where results vary little, but
suppose that all results have the same mean; those of people do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

ALPHA = 0.05
BEST_AT = 40
"""The number of games for which the sequence is made narrowest."""


@dataclass(frozen=True)
class AnytimeInterval:
    """A mean with its 95% confidence sequence after some results."""

    results: int
    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, results: Sequence[float]) -> AnytimeInterval:
        """Return the interval of results from 0 to 1."""
        return cls.of_sum(sum(results), len(results), len(results) / 4)

    @classmethod
    def of_sum(cls, total: float, number: int, variance: float) -> AnytimeInterval:
        """Return the interval of `number` results from 0 to 1 with this sum.

        `variance` is v above; it is larger where results depend on each other.
        """
        if number == 0:
            return cls(0, 0.5, 0.0, 1.0)
        mean, half = total / number, deviation(variance) / number
        return cls(number, mean, max(0.0, mean - half), min(1.0, mean + half))

    @classmethod
    def of_difference(cls, first: Sequence[float], second: Sequence[float]) -> AnytimeInterval:
        """Return the interval of the mean of `first` less that of `second`, all from 0 to 1.

        The signed sum of all deviations is below the bound. Where the numbers differ, by d, the
        larger group has d deviations of at most 1 that the other does not balance.
        """
        fewer = min(len(first), len(second))
        if fewer == 0:
            return cls(0, 0.0, -1.0, 1.0)
        number = len(first) + len(second)
        mean = sum(first) / len(first) - sum(second) / len(second)
        half = (deviation(number / 4) + abs(len(first) - len(second))) / fewer
        return cls(number, mean, max(-1.0, mean - half), min(1.0, mean + half))

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data; without results there is no mean."""
        mean = self.mean if self.results else None
        return {"results": self.results, "mean": mean, "low": self.low, "high": self.high}


def deviation(variance: float) -> float:
    """Return the bound on the sum of all deviations, by the v of the formula above."""
    spread = variance + _MIXTURE
    return sqrt(spread * log(spread / (_MIXTURE * ALPHA**2)))


def _best_mixture() -> float:
    """Return the r that makes the bound smallest, nearly, after BEST_AT results."""
    logarithm = -2 * log(ALPHA)
    return BEST_AT / 4 / (logarithm + log(1 + logarithm))


_MIXTURE = _best_mixture()
