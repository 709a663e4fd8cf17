"""The scores of pairs of games: what they say of two programs, and a sequential test of that.

A pair has one of five scores, from two games lost to two games won. This is the pentanomial model
of fishtest and fastchess. M. Van den Bergh, "Comparing the approximations for the generalized log
likelihood ratio of a multinomial distribution", and "Comments on normalized Elo".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, erf, inf, log, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seedfolio.errors import SpecificationError
from seedfolio.evaluation.intervals import Z, success_of

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
ERROR = 0.05
"""The probability of each wrong decision, unless another is asked for."""
LOGISTIC, NORMALIZED = MODELS = ("logistic", "normalized")
_NORMALIZED = 800 / log(10)
"""Normalized Elo of one standard deviation of a game."""
_MOST_ELO = 4000
_UNSEEN = 1e-3
"""How often a score that has not come counts, as in fastchess."""
_BISECTIONS = 50
_INSIDE = 1 - 1e-12
"""At the very ends of the range a share would be infinite."""
_ROUNDS = 100
_EXACT = 1e-9
_MOST_NORMALIZED = 200
"""Beyond that the search for the likely distributions may not end, with few pairs."""


@dataclass(frozen=True)
class PairScores:
    """How often pairs of games have each of the five scores.

    >>> scores = PairScores((1, 8, 20, 15, 6), 50)
    >>> round(scores.mean, 3), round(scores.normalized_elo, 1), round(scores.superiority, 3)
    (0.585, 87.8, 0.994)
    """

    counts: tuple[float, ...]
    """Of the scores 0, 1/4, 1/2, 3/4 and 1."""
    different: float
    """How many pairs of different games tell as much."""

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of each score."""
        counts = np.asarray(self.counts, np.float64)
        return np.asarray(counts / counts.sum())

    @property
    def mean(self) -> float:
        """The mean score of a pair."""
        return float(self.shares @ PAIR_SCORES)

    @property
    def variance(self) -> float:
        """The variance of the score of a pair."""
        return float(self.shares @ (PAIR_SCORES - self.mean) ** 2)

    @property
    def normalized_elo(self) -> float:
        """How many standard deviations of a game the mean is above 1/2, as Elo.

        It says how many games show the difference, whatever the draws and the openings.
        """
        above = self.mean - 0.5
        if self.variance == 0:
            return copysign(inf, above) if above else 0.0
        return _NORMALIZED * above / sqrt(2 * self.variance)

    @property
    def normalized_error(self) -> float:
        """Half of the 95% interval of the normalized Elo."""
        return _NORMALIZED * Z / sqrt(2 * self.different)

    @property
    def superiority(self) -> float:
        """The probability that the first program is the better one (LOS).

        Few pairs may be nearly alike. So it is never surer than tosses of a coin that all agree.
        """
        above, error = self.mean - 0.5, sqrt(self.variance / self.different)
        if above == 0:
            return 0.5
        sure = erf(abs(above) / error / sqrt(2)) if error else 1.0
        return 0.5 + copysign(min(sure / 2, 0.5 - 0.5 ** (self.different + 1)), above)


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test of two differences in Elo.

    It is the generalized test of the five scores of a pair, as in fastchess: the likelihood ratio
    of the most likely distributions that have one and the other difference.
    """

    elo0: float
    elo1: float
    alpha: float = ERROR
    """The probability to accept `elo1` where `elo0` is true."""
    beta: float = ERROR
    """The probability to accept `elo0` where `elo1` is true."""
    model: str = LOGISTIC

    def __post_init__(self) -> None:
        numbers = all(isinstance(each, int | float) for each in (self.elo0, self.elo1))
        if not numbers or not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise SpecificationError(
                "`sprt` must be two differences in Elo, the lower one first, such as 0,30, not "
                f"{self.elo0},{self.elo1}"
            )
        most = max(abs(self.elo0), abs(self.elo1))
        if self.model == NORMALIZED and most > _MOST_NORMALIZED:
            raise SpecificationError(
                f"normalized Elo in `sprt` is from -{_MOST_NORMALIZED} to {_MOST_NORMALIZED}, not "
                f"{most:g}"
            )
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not isinstance(error, int | float) or not 0 < error < 0.5:
                raise SpecificationError(
                    f"`{name}` must be a probability above 0 and below 0.5, not {error}"
                )
        if self.model not in MODELS:
            raise SpecificationError(f"`model` must be {' or '.join(MODELS)}, not {self.model!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends when the ratio leaves the range between these."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, counts: ArrayLike) -> Any:
        """Return the logarithm of the likelihood ratio of counts of the five scores.

        The last axis has the five; 0 without pairs.
        """
        found = np.asarray(counts, np.float64)
        number = found.sum(axis=-1)
        seen = np.where(found == 0, _UNSEEN, found)
        total = seen.sum(axis=-1)
        shares = seen / total[..., None]
        likely = _with_mean if self.model == LOGISTIC else _with_deviations
        low, high = (likely(shares, each) for each in self._targets)
        ratio = total * (shares * (np.log(high) - np.log(low))).sum(axis=-1)
        return np.where(number == 0, 0.0, ratio)

    @property
    def _targets(self) -> tuple[float, float]:
        if self.model == LOGISTIC:
            return success_of(self.elo0), success_of(self.elo1)
        scale = sqrt(2) / _NORMALIZED
        return self.elo0 * scale, self.elo1 * scale

    def decision(self, ratio: float) -> Literal["elo0", "elo1"] | None:
        """Return which of the two the test accepts, None while it must go on."""
        low, high = self.bounds
        if low < ratio < high:
            return None
        return "elo1" if ratio >= high else "elo0"


def _with_mean(shares: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Return the most likely distributions with a mean."""
    return _tilted(shares, np.broadcast_to(PAIR_SCORES - mean, shares.shape))


def _with_deviations(shares: NDArray[np.float64], wanted: float) -> NDArray[np.float64]:
    """Return the most likely distributions whose mean is so many deviations above 1/2."""
    found = np.full_like(shares, 1 / len(PAIR_SCORES))
    for _ in range(_ROUNDS):
        mean = (found * PAIR_SCORES).sum(axis=-1, keepdims=True)
        deviation = np.sqrt((found * (PAIR_SCORES - mean) ** 2).sum(axis=-1, keepdims=True))
        units = (PAIR_SCORES - mean) / deviation
        slope = PAIR_SCORES - 0.5 - wanted * deviation * (1 + units**2) / 2
        before, found = found, _tilted(shares, slope)
        found /= found.sum(axis=-1, keepdims=True)
        if np.abs(found - before).max() < _EXACT:
            break
    return found


def _tilted(shares: NDArray[np.float64], slope: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return shares / (1 + t slope), with the t for which the mean of the slope is 0."""
    low = -_INSIDE / slope.max(axis=-1, keepdims=True)
    high = -_INSIDE / slope.min(axis=-1, keepdims=True)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        above = (shares * slope / (1 + middle * slope)).sum(axis=-1, keepdims=True) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(shares / (1 + (low + high) / 2 * slope))


def parse_sprt(text: str) -> tuple[float, float]:
    """Return the two differences in Elo of a text such as 0,30."""
    try:
        low, high = (float(each) for each in text.split(","))
    except ValueError:
        raise SpecificationError(
            f"`sprt` must be two differences in Elo such as 0,30, not {text!r}"
        ) from None
    return low, high
