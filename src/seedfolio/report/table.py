"""The table of success against exploiters: its rows, how it is printed, and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    model_serializer,
)

from seedfolio.core.display import Brief
from seedfolio.core.table import Bold, Table, percent
from seedfolio.evaluation.exploiters import CRITERIA, Estimate

FIXED_SEED = "original, 1 seed"
"""Baseline: a seed drawn once and kept for all games."""
MIXTURE = "original, mixture"
"""Baseline: the original program, which draws a new seed each game."""
_HEADINGS = tuple(f"K'={opponents}" for opponents in CRITERIA)
_COLUMNS = range(1, len(CRITERIA) + 1)
"""How many there may be: with few unseen opponents, only the first."""
_MOST_COLUMNS = 5
"""With more opponents these are the rows, so that the table fits a terminal."""


def _with_columns(estimates: Sequence[Estimate]) -> list[dict[str, Any]]:
    columns = zip(CRITERIA, _ESTIMATES.dump_python(estimates), strict=False)
    return [{"exploiter": opponents, **estimate} for opponents, estimate in columns]


def _without_columns(written: Sequence[Any]) -> Sequence[Any]:
    """Raise ValueError if columns are not the first of CRITERIA."""
    columns = tuple(each["exploiter"] for each in written)
    if columns != CRITERIA[: len(columns)]:
        raise ValueError(f"columns for {columns} opponents")
    return written


_ESTIMATES = TypeAdapter(Sequence[Estimate])
_WRITTEN = ("name", "detail", "group", "success", "best_response", "each", "opponents", "learnings")
"""What is written of a row, in this order; the last three only if they are known."""


@dataclass(frozen=True, repr=False)
class Row(Brief):
    """One line of the table: a baseline or a learner, and its success for each of CRITERIA.

    With few unseen opponents, only for the first of them.
    `detail` says how many arms there are, for instance "37 + 41" for the two colours.

    >>> from seedfolio import boost
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> row = boosted.rows[1]
    >>> row.name, row.detail, row.group, row.estimates[0].mean
    ('original, mixture', '8+8', 'baseline', 0.5)
    """

    name: str
    detail: str
    estimates: Annotated[
        Sequence[Estimate],
        Field(alias="success"),
        BeforeValidator(_without_columns),
        AfterValidator(tuple),
        PlainSerializer(_with_columns),
    ]
    group: Literal["baseline", "learner"]
    best_response: float | None = None
    """Success against the opponent's best response, if known."""
    each: Annotated[Sequence[Estimate], AfterValidator(tuple)] = ()
    """At K'=1 against each of several other programs, if these are the opponents."""
    opponents: int | None = None
    """How many opponents it has met as each colour, or as the one that met fewer."""
    learnings: int | None = None
    """Of the mean of several learnings, with the error over these: how many they were."""

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data = write(self)
        return {name: data[name] for name in _WRITTEN if name not in _WRITTEN[-3:] or data[name]}

    def _summary(self) -> str:
        return f"{self.name}, {self.detail}: {' '.join(each.text for each in self.estimates)}"

    def __post_init__(self) -> None:
        if len(self.estimates) not in _COLUMNS:
            raise ValueError(f"{self.name}: expected 1 to {len(CRITERIA)} estimates")


def success_table(title: str, rows: Sequence[Row], *, caption: str) -> Table:
    """Return the table: percent, baselines on top, the best learners marked."""
    exact = any(row.best_response is not None for row in rows)
    ordered = _baselines_first(rows)
    lines: list[Sequence[str]] = []
    for number, (row, cells) in enumerate(zip(ordered, _printed(ordered, exact), strict=True)):
        if number and row.group != ordered[number - 1].group:
            lines.append(())
        lines.append((row.name, row.detail, *cells))
    numbers = [*_headings(rows), *(["best\nresponse"] if exact else [])]
    headings = ["success in %", "arms", *numbers]
    return Table(headings, lines, title=title, caption=caption, words=(0, 1), firm=True)


def each_table(names: Sequence[str], rows: Mapping[str, Sequence[Estimate]]) -> Table:
    """Return success against each opponent: a column each, or a row each where these are many."""
    table = [["success in % at K'=1", *names]]
    table += [[name, *(each.text for each in success)] for name, success in rows.items()]
    return _upright(table)


def shares_table(
    names: Sequence[str],
    first: Mapping[str, Sequence[float]],
    second: Mapping[str, Sequence[float]],
) -> Table:
    """Return how often learners draw each kind of arms, as first and as second player."""
    table = [["drawn in %, as first / second", *names]]
    for learner, shares in first.items():
        pairs = zip(shares, second[learner], strict=True)
        table.append([learner, *(f"{percent(one)} / {percent(other)}" for one, other in pairs)])
    return _upright(table)


def _upright(table: list[list[str]]) -> Table:
    """Return a table with its columns as rows, if there are many."""
    if len(table[0]) > _MOST_COLUMNS + 1:
        table = [list(line) for line in zip(*table, strict=True)]
    return Table(table[0], table[1:])


def frame_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the table as the rows of a frame, in fractions of 1."""
    exact = any(row.best_response is not None for row in rows)
    return [
        {"name": row.name, "group": row.group, "arms": row.detail}
        | {f"K'={k}": each.mean for k, each in zip(CRITERIA, row.estimates, strict=False)}
        | {f"K'={k} error": each.error for k, each in zip(CRITERIA, row.estimates, strict=False)}
        | ({"best response": row.best_response} if exact else {})
        for row in _baselines_first(rows)
    ]


def _baselines_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.group != "baseline")


def _headings(rows: Sequence[Row]) -> tuple[str, ...]:
    return _HEADINGS[: max((len(row.estimates) for row in rows), default=len(CRITERIA))]


def _printed(rows: Sequence[Row], exact: bool) -> list[list[str]]:
    """Return the numbers of each row; the best of a column are marked if they are a learner's.

    With `exact`, the last is the success against a best response. Numbers that print the same are
    a tie. A learner below a baseline is not the best.
    """
    numbers = [[*row.estimates, *([_exact(row)] if exact else [])] for row in rows]
    best = [
        percent(max(each.mean for each in column if each)) for column in zip(*numbers, strict=True)
    ]
    return [
        [_cell(row, *pair) for pair in zip(line, best, strict=True)]
        for row, line in zip(rows, numbers, strict=True)
    ]


def _exact(row: Row) -> Estimate | None:
    return None if row.best_response is None else Estimate(row.best_response, nan)


def _cell(row: Row, estimate: Estimate | None, best: str) -> str:
    if estimate is None:
        return "-"
    wins = row.group == "learner" and percent(estimate.mean) == best
    return Bold(estimate.text) if wins else estimate.text
