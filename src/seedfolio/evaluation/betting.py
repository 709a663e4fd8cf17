"""Confidence sequences by betting: intervals of means that hold at all times together.

Somebody bets on each result X, from 0 to 1, that its chance is not m: they stake so that their
money is multiplied by exp(λX) / (1 + m (exp(λ) - 1)), which is a fair bet if the chance is m, or an
unfavourable one. Many who begin with one unit together, each with another λ, will hardly ever have
twenty units. The interval holds all m for which they do not (Waudby-Smith and Ramdas, "Estimating
means of bounded random variables by betting", JRSS B 2024). As log(1 + m (exp(λ) - 1)) is concave
in m, the product over results with different chances is at most the one with their mean. So the
interval is for the mean chance of the games that were played; they need not be alike, and may
depend on those before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq, minimize_scalar
from scipy.special import logsumexp

from seedfolio.evaluation.intervals import ALPHA

_BETS = np.linspace(-8.0, 8.0, 161)
_SHARES = -(_BETS**2) / 2 - logsumexp(-(_BETS**2) / 2)
"""The logarithms of the money that each begins with: normal in λ."""


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
        number = len(results)
        if number == 0:
            return cls(0, 0.5, 0.0, 1.0)
        total, mean = sum(results), sum(results) / number

        def beyond(chance: float) -> float:
            return float(money(total, number, chance)) + log(ALPHA)

        return cls(number, mean, _end(beyond, mean, 0.0), _end(beyond, mean, 1.0))

    @classmethod
    def of_difference(cls, first: Sequence[float], second: Sequence[float]) -> AnytimeInterval:
        """Return the interval of the mean of `first` less that of `second`, all from 0 to 1.

        It holds the differences of all pairs of chances for which nobody wins who bets on both.
        """
        if not first or not second:
            return cls(0, 0.0, -1.0, 1.0)
        one, other = ((sum(each), len(each)) for each in (first, second))
        mean = one[0] / one[1] - other[0] / other[1]

        def beyond(difference: float) -> float:
            def both(chance: float) -> float:
                return float(money_on_both((*one, chance + difference), (*other, chance)))

            bounds = max(0.0, -difference), min(1.0, 1.0 - difference)
            return float(minimize_scalar(both, bounds=bounds, method="bounded").fun) + log(ALPHA)

        low, high = _end(beyond, mean, -1.0), _end(beyond, mean, 1.0)
        return cls(len(first) + len(second), mean, low, high)

    @classmethod
    def of_pairs(cls, pairs: Sequence[Sequence[float]]) -> AnytimeInterval:
        """Return the interval of the mean of single results, where those of a pair may depend.

        A pair, or what there is of it, is one result from 0 to 2.
        """
        number = sum(map(len, pairs))
        if number == 0:
            return cls.of(())
        found, scale = cls.of([sum(pair) / 2 for pair in pairs]), 2 * len(pairs) / number
        low, high = scale * found.low, min(1.0, scale * found.high)
        return replace(found, results=number, mean=scale * found.mean, low=low, high=high)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data; without results there is no mean."""
        mean = self.mean if self.results else None
        return {"results": self.results, "mean": mean, "low": self.low, "high": self.high}


def money(total: ArrayLike, number: ArrayLike, chance: ArrayLike) -> NDArray[np.float64]:
    """Return the logarithm of what all have together after `number` results of this sum."""
    return np.asarray(logsumexp(_SHARES + _grown(1, total, number, chance), axis=-1))


def money_on_both(
    first: tuple[ArrayLike, ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike, ArrayLike]
) -> NDArray[np.float64]:
    """Return the same for bets on two groups of results.

    Half of the money is bet on one group being better, and the other worse, than is said; the other
    half on each group by itself.
    """
    apart = money(*first) + money(*second)
    together = logsumexp(_SHARES + _grown(1, *first) + _grown(-1, *second), axis=-1)
    return np.asarray(np.logaddexp(apart, together) - log(2))


def _grown(
    sign: int, total: ArrayLike, number: ArrayLike, chance: ArrayLike
) -> NDArray[np.float64]:
    """Return the logarithm of what each bet has made of its money."""
    s, n, m = (np.asarray(each, np.float64)[..., None] for each in (total, number, chance))
    bets = sign * _BETS
    return np.asarray(s * bets - n * np.log1p(m.clip(0.0, 1.0) * np.expm1(bets)))


def _end(beyond: Callable[[float], float], inside: float, outside: float) -> float:
    """Return the end of an interval, where `beyond` is 0, or where it cannot be further out."""
    if inside == outside or beyond(outside) <= 0:
        return outside
    return float(brentq(beyond, inside, outside, xtol=1e-9))
