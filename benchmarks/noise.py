"""Judging what was measured by its noise: a requirement is missed only beyond the interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A median and a confidence interval for it."""

    middle: float
    low: float
    high: float


def median_interval(values: Sequence[float]) -> Interval:
    """Return the median of repeated measurements with an interval of 95% or more.

    It reaches from the k-th smallest to the k-th largest value, whatever the noise is like: each
    value is below the true median as often as a coin shows heads. Fewer than 6 values have no such
    interval; then it is all of them.
    """
    ordered = sorted(values)
    number, k = len(ordered), 1
    while 2 * sum(comb(number, heads) for heads in range(k + 1)) <= (1 - CONFIDENCE) * 2**number:
        k += 1
    return Interval(median(ordered), ordered[k - 1], ordered[-k])


def judge(found: Interval, *, at_least: float | None = None, at_most: float | None = None) -> str:
    """Return `met`, `missed`, or `unclear` where the requirement lies within the noise."""
    if at_most is not None:
        return judge(Interval(-found.middle, -found.high, -found.low), at_least=-at_most)
    assert at_least is not None
    if found.high < at_least:
        return "missed"
    return "met" if found.middle >= at_least else "unclear"


def coloured(verdict: str) -> str:
    """Return a verdict for a table of rich."""
    colour = {"met": "green", "missed": "red", "unclear": "yellow"}[verdict]
    return f"[{colour}]{verdict}[/]"
