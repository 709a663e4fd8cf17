"""The statistics of a match: success with its interval, and Elo.

Games come in pairs, one with each colour, and the score of a pair is the mean of its two games.
The first move often decides much of a game, so the two games of a pair vary less together than
apart, and intervals are computed from pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, isfinite, isnan, log10, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from seedfolio.core.table import percent

ALPHA = 0.05
Z = 1.959963984540054
"""Standard errors of a 95% interval, to each side."""
_ROUNDING = 1e-9
_WIDEST = 1e6
"""Standard errors."""
_SCALE = 400


def student(freedom: float, level: float = 1 - ALPHA / 2) -> float:
    """Return Student's quantile; it is finite, as no success is beyond 0 and 1 anyway."""
    return min(_WIDEST, float(stdtrit(freedom, level))) if freedom > 0 else _WIDEST


@dataclass(frozen=True)
class SuccessInterval:
    """A success from 0 to 1 with its 95% interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, scores: Sequence[float] | NDArray[np.float64]) -> SuccessInterval:
        """Return the success of the scores of pairs of games, each from 0 to 1.

        This is the Wilson interval for the number of games that has the standard error of the
        pairs. It is close to the normal interval, and never beyond 0 or 1. Where all pairs have
        the same score, the pairs count as single games.
        """
        values = np.asarray(scores, np.float64)
        number = len(values)
        if number == 0:
            return cls(0.5, 0.0, 1.0)
        mean = float(values.mean())
        variance = float(values.var(ddof=1)) / number if number > 1 else 0.0
        games = mean * (1 - mean) / variance if variance > 0 else number
        return cls.of_mean(mean, games)

    @classmethod
    def of_mean(cls, mean: float, games: float, quantile: float = Z) -> SuccessInterval:
        """Return the Wilson interval of a success that is as uncertain as in this many games.

        `quantile` is in standard errors: another one than for 95%, or Student's for few games.
        """
        square = quantile * quantile / games
        centre = (mean + square / 2) / (1 + square)
        half = sqrt(square * (mean * (1 - mean) + square / 4)) / (1 + square)
        # Rounding must not put the mean outside.
        return cls(mean, min(mean, max(0.0, centre - half)), max(mean, min(1.0, centre + half)))

    @classmethod
    def of_error(cls, mean: float, error: float, quantile: float = Z) -> SuccessInterval:
        """Return the Wilson interval of a success with this standard error.

        Without an error it is the success alone; with an unknown one it is all there is, 0 to 1.
        """
        if isnan(error):
            return cls(mean, 0.0, 1.0)
        if error == 0:
            return cls(mean, mean, mean)
        # Where nearly all was won, or lost, the error is by one more result: 1 / (games + 1).
        games = max(1 / error, mean * (1 - mean) / error**2)
        return cls.of_mean(mean, games, quantile)

    def above(self, other: SuccessInterval) -> tuple[float, float]:
        """Return the interval of how far this mean is above another one (Newcombe's).

        The two count as independent.
        """
        gain = self.mean - other.mean
        below = hypot(self.mean - self.low, other.high - other.mean)
        return gain - below, gain + hypot(self.high - self.mean, other.mean - other.low)

    @property
    def text(self) -> str:
        """The ends in percent, for people."""
        if self.low < _ROUNDING and self.high > 1 - _ROUNDING:
            return "error not known"
        return f"95% interval {percent(self.low)} to {percent(self.high)}"

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo: of the mean, and of both ends of the interval."""
        return elo(self.mean), elo(self.low), elo(self.high)

    def turned(self) -> SuccessInterval:
        """Return the success of the other side."""
        return SuccessInterval(1 - self.mean, 1 - self.high, 1 - self.low)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data; an infinite Elo is None."""
        mean, low, high = (each if isfinite(each) else None for each in self.elo)
        return {
            "success": self.mean,
            "low": self.low,
            "high": self.high,
            "elo": mean,
            "elo_low": low,
            "elo_high": high,
        }


def elo(success: float) -> float:
    """Return the difference in Elo that goes with a success; infinite for 0 and 1."""
    if success <= 0:
        return -inf
    return inf if success >= 1 else -_SCALE * log10(1 / success - 1)


def success_of(difference: float) -> float:
    """Return the success that goes with a difference in Elo."""
    return float(1 / (1 + 10 ** (-difference / _SCALE)))
