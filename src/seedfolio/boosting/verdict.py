"""The verdict under a table: which portfolio to use, and by how much it beats the original.

A portfolio is recommended only if its gain over the original is above 0 with 95% confidence, for
all rows of the table at once (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, isinf, isnan
from statistics import NormalDist
from typing import Any

from seedfolio.core.display import Brief
from seedfolio.core.table import percent
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.portfolios.portfolio import CRITERIA
from seedfolio.report.table import MIXTURE, Row

_CONFIDENCE = 0.95
_LEAST = 0.0005
"""A gain counts if it shows in the table, which has tenths of a percent."""
_STRANGER = 0
"""The column of an opponent who knows nothing; the last is one who picks the best of many seeds."""


@dataclass(frozen=True, repr=False)
class Gain(Brief):
    """How much more success a row has than the original in one column, with its interval."""

    name: str
    success: Estimate
    original: Estimate
    low: float
    high: float
    """The interval; without end where an error is not known, as with too few opponents."""

    @property
    def mean(self) -> float:
        """The gain itself."""
        return self.success.mean - self.original.mean

    @property
    def text(self) -> str:
        """The gain in points, for people."""
        mean, low, high = (100 * each for each in (self.mean, self.low, self.high))
        if isinf(high):
            return f"{mean:+.1f} points, whose error is not known: too few different opponents"
        return f"{mean:+.1f} points, 95% interval {low:+.1f} to {high:+.1f}"

    def as_data(self) -> dict[str, Any]:
        """Return the gain as plain data."""
        low, high = (None if isinf(each) else each for each in (self.low, self.high))
        return {"portfolio": self.name, "gain": self.mean, "low": low, "high": high}


@dataclass(frozen=True, repr=False)
class Verdict(Brief):
    """What the rows of a table say about which portfolio to use.

    >>> from seedfolio import boost
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> boosted.verdict.best
    'best-seed'
    >>> boosted.verdict.text.partition(",")[0]
    'Against strangers: use best-seed'
    """

    stranger: Gain | None
    """The best against opponents who know nothing of us; None: nothing beat the original."""
    prepared: Gain | None
    """The best against opponents who pick the best of 16 seeds against us."""
    best: str | None
    """The portfolio to use if only one is wanted; None: the original."""
    tried: tuple[Gain, ...]
    """All gains against a stranger."""
    losses: dict[str, Gain]
    """By name: rows that are below the original against opponents who prepare, for certain."""
    exploiter: int = CRITERIA[-1]
    """Among how many seeds an opponent who prepares picks; 1: none is shown."""

    @property
    def text(self) -> str:
        """The verdict in words, a line for each kind of opponent."""
        stranger = self._line("strangers", self.stranger)
        return stranger if self.exploiter == 1 else f"{stranger}\n{self._prepared_line()}"

    def as_data(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return {
            "stranger": None if self.stranger is None else self.stranger.as_data(),
            "prepared": None if self.prepared is None else self.prepared.as_data(),
            "best": self.best,
        }

    def _line(self, opponents: str, gain: Gain | None) -> str:
        if gain is None:
            closest = max(self.tried, key=lambda each: each.mean)
            tried_book = any(each.name.startswith("book") for each in self.tried)
            book = "" if tried_book else ", or the learner book"
            return (
                f"Against {opponents}: keep the original. Nothing beat it beyond the error (best: "
                f"{closest.name}, {closest.text}). Try more games{book}."
            )
        line = f"Against {opponents}: use {gain.name}, {gain.success.text}% where the original "
        line += f"has {_shown(gain.original)} ({gain.text})."
        if opponents == "strangers" and gain.name in self.losses:
            loss = self.losses[gain.name]
            line += f" Only there: opponents who prepare hold it to {loss.success.text}%."
        return line

    def _prepared_line(self) -> str:
        prepared = f"opponents who prepare (K'={self.exploiter})"
        if self.prepared is not None:
            return self._line(prepared, self.prepared)
        return f"Against {prepared}: keep the original. Nothing beat it beyond the error."

    def _summary(self) -> str:
        return self.text


def verdict_of(rows: Sequence[Row]) -> Verdict | None:
    """Return the verdict of a table; None if it has no learner or no original."""
    learners = [row for row in rows if row.group == "learner"]
    original = next((row for row in rows if row.name == MIXTURE), None)
    if original is None or not learners:
        return None
    last = len(original.estimates) - 1
    gains = {
        column: [_gain(row, original, column, len(learners)) for row in learners]
        for column in (_STRANGER, last)
    }
    stranger, prepared = (_winner(gains[column]) for column in (_STRANGER, last))
    losses = {each.name: each for each in gains[last] if each.high < 0}
    below = {each.name for column in gains.values() for each in column if each.high < 0}
    sums = {
        one.name: one.mean + other.mean
        for one, other in zip(gains[_STRANGER], gains[last], strict=True)
        if one.name not in below and max(one.low, other.low) > _LEAST
    }
    fallback = None if stranger is None else stranger.name
    best = max(sums, key=lambda name: sums[name]) if sums else fallback
    tried = tuple(gains[_STRANGER])
    return Verdict(stranger, prepared, best, tried, losses, CRITERIA[last])


def _gain(row: Row, original: Row, column: int, rows: int) -> Gain:
    own, theirs = row.estimates[column], original.estimates[column]
    error = hypot(own.error, theirs.error)
    # With too few opponents to tell, nothing is sure.
    width = (
        inf if isnan(error) else NormalDist().inv_cdf(1 - (1 - _CONFIDENCE) / (2 * rows)) * error
    )
    mean = own.mean - theirs.mean
    return Gain(row.name, own, theirs, mean - width, mean + width)


def _shown(estimate: Estimate) -> str:
    """Return an estimate as it is printed, the error left out if the number is exact."""
    return estimate.text if estimate.error else percent(estimate.mean)


def _winner(gains: Sequence[Gain]) -> Gain | None:
    sure = [each for each in gains if each.low > _LEAST]
    return max(sure, key=lambda each: each.mean) if sure else None
