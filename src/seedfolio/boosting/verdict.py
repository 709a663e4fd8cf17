"""The verdict under a table: which portfolio to use, and by how much it beats the original.

A portfolio is recommended only if its gain over the original is above 0 with 95% confidence, for
all rows of the table at once (Bonferroni). Intervals are Wilson's, which hold the truth near 0 and
100%, too, where a mean and its error vary together. They have Student's quantile, as opponents may
be few; against the best of 16, few of them decide. The two errors count as independent: where both
rows find the same opponents hard, the interval is wider than it has to be. The opponents that
choose a portfolio flatter it, so fresh ones measure it again, with an interval for it alone.

On a finite list of arms all opponents were learnt from. There a portfolio is recommended only if
its learner gains with half of the list against the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isinf, isnan
from statistics import NormalDist
from typing import Any

from seedfolio.core.display import Brief
from seedfolio.core.table import percent
from seedfolio.evaluation.exploiters import Estimate, independent_opponents
from seedfolio.evaluation.intervals import SuccessInterval, student
from seedfolio.evaluation.learning_opponents import Learns
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
    fresh: Gain | None = None
    """The same against opponents that had no part in the choice."""
    listed: Estimate | None = None
    """On a finite list: the success against all arms, where `success` is by halves."""

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
        data = {"portfolio": self.name, "gain": self.mean, "low": low, "high": high}
        if self.listed is not None:
            gain = self.listed.mean - self.original.mean
            return {"portfolio": self.name, "gain": gain, "gain_by_halves": self.mean}
        return data if self.fresh is None else {**data, "fresh": self.fresh.as_data()}

    @property
    def list_text(self) -> str:
        """The success against the arms of a finite list, and the honest number."""
        assert self.listed is not None, "only on a finite list"
        return (
            f"{self.name}, {percent(self.listed.mean)}% where the original has "
            f"{percent(self.original.mean)}, learnt from all of them; learnt from half of them and "
            f"judged by the other half, it has {self.success.text}%"
        )


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
    """By name: rows that are below the original against opponents who pick, for certain."""
    exploiter: int = CRITERIA[-1]
    """Among how many arms an opponent picks the best; 1: none is shown."""
    finite: bool = False
    """Whether the opponents are a finite list of arms, and all were learnt from."""
    opponent: str = ""
    """The program that was learnt against, if it is one other than the original."""
    learns: Learns | None = None
    """Against an opponent who learns, where that was measured."""

    @property
    def text(self) -> str:
        """The verdict in words, a line for each kind of opponent."""
        if self.finite:
            return "\n".join(self._list_lines())
        stranger = self._line(self.opponent or "strangers", self.stranger)
        lines = [stranger] if self.exploiter == 1 else [stranger, self._prepared_line()]
        learns = [] if self.learns is None else [self.learns.text]
        return "\n".join([*lines, *learns, *self._choice_lines()])

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
        if gain is self.stranger and gain.name in self.losses:
            loss = self.losses[gain.name]
            line += f" Only there: the best of {self.exploiter} opponents holds it to "
            line += f"{loss.success.text}%."
        return line

    def _list_lines(self) -> list[str]:
        whom = "Against the arms of this list:"
        if not self.tried:
            return [
                f"{whom} keep the original. All of them were learnt from, and no learner was "
                "judged by halves of the list. Boost again with one that takes a whole matrix, "
                "such as nash."
            ]
        if self.stranger is None:
            best = max(self.tried, key=lambda each: each.mean).list_text
            lines = [f"{whom} keep the original. By halves nothing beat it for certain ({best})."]
        else:
            lines = [f"{whom} use {self.stranger.list_text}."]
        whom = f"Against the best of {self.exploiter} of them:"
        if self.exploiter == 1:
            return lines
        if self.prepared is None:
            return [*lines, f"{whom} keep the original. By halves nothing beat it for certain."]
        return [*lines, f"{whom} use {self.prepared.list_text}."]

    def _choice_lines(self) -> list[str]:
        """Return what the choice among several learners means for the gain of the chosen."""
        columns = (self.stranger,) if self.exploiter == 1 else (self.stranger, self.prepared)
        gains = [each for each in columns if each is not None]
        if len(self.tried) == 1 or not gains:
            return []
        again: dict[str, list[str]] = {}
        for each in gains:
            if each.fresh is not None:
                where = "" if each is self.stranger else f"at K'={self.exploiter} "
                text = f"{where}{each.fresh.success.text}% ({each.fresh.text})"
                again.setdefault(each.name, []).append(text)
        if again:
            found = "; ".join(f"{name}, {', '.join(each)}" for name, each in again.items())
            return [f"Measured again on fresh seeds, which had no part in the choice: {found}."]
        # About the mean of the largest of as many normal numbers.
        best, rows = gains[0], len(self.tried)
        luck = NormalDist().inv_cdf((rows - 0.375) / (rows + 0.25)) * best.success.error
        return [
            f"The opponents that measured {best.name} also chose it among {rows}. If all were "
            f"equal, about {100 * luck:.1f} points of gain would be luck."
        ]

    def _prepared_line(self) -> str:
        whose = "of its seeds" if self.opponent else "opponents"
        prepared = f"the best of {self.exploiter} {whose} (K'={self.exploiter})"
        if self.prepared is not None:
            return self._line(prepared, self.prepared)
        return f"Against {prepared}: keep the original. Nothing beat it beyond the error."

    def _summary(self) -> str:
        return self.text


def verdict_of(
    rows: Sequence[Row],
    fresh: Sequence[Row] = (),
    halves: Sequence[Row] | None = None,
    opponent: str = "",
) -> Verdict | None:
    """Return the verdict of a table; None if it has no learner or no original.

    `fresh` are rows of learners on opponents that had no part in the choice. Where the opponents
    are a finite list of arms, `halves` are those by halves of the list.
    """
    learners = [row for row in rows if row.group == "learner"]
    original = next((row for row in rows if row.name == MIXTURE), None)
    if original is None or not learners:
        return None
    if halves is not None:
        return _on_list(learners, original, halves)
    found = _verdict(learners, original)
    again = {row.name: row for row in fresh}
    stranger, prepared = (
        gain
        if gain is None or gain.name not in again
        else replace(gain, fresh=gain_of(again[gain.name], original, column))
        for gain, column in ((found.stranger, _STRANGER), (found.prepared, -1))
    )
    return replace(found, stranger=stranger, prepared=prepared, opponent=opponent)


def _on_list(learners: Sequence[Row], original: Row, halves: Sequence[Row]) -> Verdict:
    if not halves:
        return Verdict(None, None, None, (), {}, finite=True)
    columns = min(len(row.estimates) for row in (original, *halves))
    shown = [replace(row, estimates=row.estimates[:columns]) for row in (original, *halves)]
    found = _verdict(shown[1:], shown[0])
    whole = {row.name: row.estimates for row in learners}
    stranger, prepared, *tried = (
        each and replace(each, listed=whole[each.name][column])
        for each, column in (
            (found.stranger, _STRANGER),
            (found.prepared, columns - 1),
            *((each, _STRANGER) for each in found.tried),
        )
    )
    known = tuple(each for each in tried if each is not None)
    return replace(found, stranger=stranger, prepared=prepared, tried=known, finite=True)


def _verdict(learners: Sequence[Row], original: Row) -> Verdict:
    last = len(original.estimates) - 1
    gains = {
        column: [gain_of(row, original, column, len(learners)) for row in learners]
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


def gain_of(row: Row, original: Row, column: int = _STRANGER, rows: int = 1) -> Gain:
    """Return how much more success a row has than the original in a column of the table.

    The interval holds for as many `rows` at once.
    """
    own, theirs = row.estimates[column], original.estimates[column]
    if isnan(own.error + theirs.error):
        return Gain(row.name, own, theirs, -inf, inf)
    exploiter = CRITERIA[: len(original.estimates)][column]
    level = 1 - (1 - _CONFIDENCE) / (2 * rows)
    quantile = student(_freedom((row, original), column, exploiter), level)
    ours, others = (
        SuccessInterval.of_error(each.mean, each.error, quantile) for each in (own, theirs)
    )
    low, high = ours.above(others)
    return Gain(row.name, own, theirs, low, high)


def _freedom(rows: Sequence[Row], column: int, exploiter: int) -> float:
    """Return the degrees of freedom of the error of a difference (Welch's)."""
    total = inverse = 0.0
    for row in rows:
        square = row.estimates[column].error ** 2
        drawn: float = row.learnings or 0
        if row.opponents:
            drawn = independent_opponents(row.opponents, exploiter)
        if drawn and square > 0:
            inverse += square**2 / (drawn - 1) if drawn > 1 else inf
        total += square
    return total**2 / inverse if inverse else inf


def _shown(estimate: Estimate) -> str:
    """Return an estimate as it is printed, the error left out if the number is exact."""
    return estimate.text if estimate.error else percent(estimate.mean)


def _winner(gains: Sequence[Gain]) -> Gain | None:
    sure = [each for each in gains if each.low > _LEAST]
    return max(sure, key=lambda each: each.mean) if sure else None
