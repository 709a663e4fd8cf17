"""Learners over several budgets and learnings: their curves, and how surely they differ."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isnan, nan, sqrt

import numpy as np

from seedfolio.core.table import Table, percent
from seedfolio.evaluation.exploiters import CRITERIA, Estimate
from seedfolio.evaluation.intervals import student
from seedfolio.report.table import Row

_SURE = 0.95
"""How surely all differences of a column lie in their intervals."""


@dataclass(frozen=True)
class Learning:
    """What learners learnt once, with one budget."""

    budget: int | None
    """Games that each learner could choose; None: as many as fill the matrices."""
    repetition: int
    """0 for the first learning; the others have other seeds."""
    rows: tuple[Row, ...]
    games: Mapping[str, int]
    """By learner: how many games it has used."""


@dataclass(frozen=True)
class Difference:
    """How far a learner is below the best one, over learnings with the same seeds for both."""

    name: str
    mean: float
    half: float
    """Half of the interval, which holds for all learners of the column at once."""

    @property
    def text(self) -> str:
        """As it is printed, in points of success; the best learner has none."""
        if not self.half and not self.mean:
            return "best"
        low, high = 100 * (self.mean - self.half), 100 * (self.mean + self.half)
        return f"{100 * self.mean:+.1f} ({low:+.1f} to {high:+.1f})"


def budgets_of(learnings: Sequence[Learning]) -> list[int]:
    """Return the budgets, the smallest first."""
    return sorted({each.budget for each in learnings if each.budget is not None})


def names_of(learnings: Sequence[Learning]) -> list[str]:
    """Return the names of the rows, baselines and learners."""
    return [row.name for row in learnings[0].rows]


def success_at(learnings: Sequence[Learning], budget: int, name: str, column: int) -> Estimate:
    """Return the success of a row over all learnings with a budget.

    Its error is that of the mean over learnings; of a single one, that over its unseen seeds.
    """
    found = [
        row.estimates[column]
        for each in _with(learnings, budget)
        for row in each.rows
        if row.name == name
    ]
    return found[0] if len(found) == 1 else mean_of(found)


def mean_of(found: Sequence[Estimate]) -> Estimate:
    """Return the mean over several learnings, with the error over these.

    It is exact if all are, such as the 50 of the original; unknown if they happen to be the same.
    """
    means = [each.mean for each in found]
    if all(each.error == 0 for each in found):
        return Estimate(float(np.mean(means)), 0.0)
    known = len(set(means)) > 1
    error = float(np.std(means, ddof=1)) / sqrt(len(means)) if known else nan
    return Estimate(float(np.mean(means)), error)


def differences(learnings: Sequence[Learning], budget: int, column: int) -> list[Difference]:
    """Return how far each learner is below the best one, pair by pair: each learning is a pair.

    The intervals are Student's, and hold for all learners at once (Bonferroni).
    """
    chosen = _with(learnings, budget)
    rows = [[row for row in each.rows if row.group == "learner"] for each in chosen]
    found = np.array([[row.estimates[column].mean for row in each] for each in rows])
    best = int(np.argmax(found.mean(axis=0)))
    below = found - found[:, [best]]
    others, learnt = below.shape[1] - 1, len(below)
    quantile = student(learnt - 1, 1 - (1 - _SURE) / (2 * max(1, others)))
    halves = quantile * below.std(axis=0, ddof=1) / sqrt(learnt)
    return [
        Difference(row.name, float(mean), float(half))
        for row, mean, half in zip(rows[0], below.mean(axis=0), halves, strict=True)
    ]


def curve_table(learnings: Sequence[Learning]) -> Table:
    """Return success by budget: a row for each budget and learner."""
    columns = _columns(learnings)
    lines: list[Sequence[str]] = []
    for budget in budgets_of(learnings):
        if lines:
            lines.append(())
        for number, name in enumerate(names_of(learnings)):
            found = [success_at(learnings, budget, name, column) for column in range(columns)]
            shown = "" if number else f"{budget:,}"
            lines.append((shown, name, *(percent(each.mean, each.error) for each in found)))
    exploiters = (f"K'={k}" for k in CRITERIA[:columns])
    return Table(["games", "success in %", *exploiters], lines, words=(1,), firm=True)


def differences_table(learnings: Sequence[Learning]) -> Table:
    """Return how far each learner is below the best one, with the largest budget."""
    budget = budgets_of(learnings)[-1]
    shown = sorted({0, _columns(learnings) - 1})
    found = [differences(learnings, budget, column) for column in shown]
    lines = [[each[0].name, *(one.text for one in each)] for each in zip(*found, strict=True)]
    caption = (
        f"With {budget:,} games: success in points less that of the best learner of the column, "
        f"learning by learning, over {len(_with(learnings, budget))} learnings. In brackets the "
        "95% interval for all learners of the column at once."
    )
    headings = ["less than the best", *(f"K'={CRITERIA[column]}" for column in shown)]
    return Table(headings, lines, caption=caption)


def tidy(learnings: Sequence[Learning]) -> str:
    """Return CSV: a line for each learning, row of its table and K'."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    about = ["budget", "repetition", "name", "group", "arms", "games"]
    table.writerow([*about, "exploiter", "success", "error"])
    for learning in learnings:
        when = ["" if learning.budget is None else learning.budget, learning.repetition]
        for row in learning.rows:
            line = [*when, row.name, row.group, row.detail, learning.games.get(row.name, "")]
            for exploiter, each in zip(CRITERIA, row.estimates, strict=False):
                error = "" if isnan(each.error) else each.error
                table.writerow([*line, exploiter, each.mean, error])
    return text.getvalue()


def _with(learnings: Sequence[Learning], budget: int) -> list[Learning]:
    return [each for each in learnings if each.budget == budget]


def _columns(learnings: Sequence[Learning]) -> int:
    return min(len(row.estimates) for each in learnings for row in each.rows)
