"""The table of success against exploiters: for the terminal, as Markdown, and as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from typing import Any, Literal

from rich import box
from rich.table import Table
from rich.text import Text

from seedfolio.core.display import Brief
from seedfolio.evaluation.exploiters import CRITERIA, Estimate

FIXED_SEED = "original, 1 seed"
"""Baseline: a seed drawn once and kept for all games."""
MIXTURE = "original, mixture"
"""Baseline: the original program, which draws a new seed each game."""
_HEADINGS = tuple(f"K'={opponents}" for opponents in CRITERIA)
_COLUMNS = range(1, len(CRITERIA) + 1)
"""How many there may be: with few unseen opponents, only the first."""
_UNIT = "success in %"
_BEST_RESPONSE = "best response"


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
    estimates: Sequence[Estimate]
    group: Literal["baseline", "learner"]
    best_response: float | None = None
    """Success against the opponent's best response, if known."""
    each: Sequence[Estimate] = ()
    """At K'=1 against each of several other programs, if these are the opponents."""

    def _summary(self) -> str:
        return f"{self.name}, {self.detail}: {' '.join(map(percent, self.estimates))}"

    def __post_init__(self) -> None:
        if len(self.estimates) not in _COLUMNS:
            raise ValueError(f"{self.name}: expected 1 to {len(CRITERIA)} estimates")


def success_table(title: str, rows: Sequence[Row], *, caption: str) -> Table:
    """Return the table for a terminal: percent, baselines on top, the best learners in bold."""
    table = Table(
        title=Text(title, style="bold"),
        caption=Text(caption, style="dim"),
        box=box.HORIZONTALS,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title_justify="left",
        caption_justify="left",
    )
    table.add_column(_UNIT, overflow="fold")
    table.add_column("arms", overflow="fold")  # both fold where numbers need the room
    for heading in _headings(rows):
        table.add_column(heading, justify="right", no_wrap=True)
    if _has_best_response(rows):
        table.add_column("\n".join(_BEST_RESPONSE.split()), justify="right", no_wrap=True)
    ordered = _baselines_first(rows)
    for number, (row, cells) in enumerate(zip(ordered, _printed(ordered), strict=True)):
        if number and row.group != ordered[number - 1].group:
            table.add_section()
        numbers = [Text(cell, style="bold" if wins else "") for cell, wins in cells]
        # Text, not str, so that square brackets in a name are not read as markup.
        table.add_row(Text(row.name), Text(row.detail), *numbers)
    return table


@dataclass(frozen=True)
class PrintedRow:
    """A line of the table as it is printed."""

    name: str
    detail: str
    group: str
    cells: tuple[tuple[str, bool], ...]
    """Each number, and whether it is a learner's and the best of its column."""


def printed_table(rows: Sequence[Row]) -> tuple[list[str], list[PrintedRow]]:
    """Return the headings of the numbers and the lines, for pages that lay them out."""
    headings = [*_headings(rows), *([_BEST_RESPONSE] if _has_best_response(rows) else [])]
    ordered = _baselines_first(rows)
    return headings, [
        PrintedRow(row.name, row.detail, row.group, tuple(cells))
        for row, cells in zip(ordered, _printed(ordered), strict=True)
    ]


def markdown_table(rows: Sequence[Row]) -> str:
    """Return the table in Markdown, ending with a newline."""
    headings = [*_headings(rows), *([_BEST_RESPONSE] if _has_best_response(rows) else [])]
    lines = [[_UNIT, "arms", *headings], ["---", "---", *("---:" for _ in headings)]]
    ordered = _baselines_first(rows)
    for row, cells in zip(ordered, _printed(ordered), strict=True):
        numbers = [f"**{cell}**" if wins else cell for cell, wins in cells]
        lines.append([_escaped(row.name), _escaped(row.detail), *numbers])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def json_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the table as plain data, in fractions of 1; an unknown error is None."""
    return [
        {
            "name": row.name,
            "detail": row.detail,
            "group": row.group,
            "success": [
                {"exploiter": opponents, **_json_estimate(estimate)}
                for opponents, estimate in zip(CRITERIA, row.estimates, strict=False)
            ],
            "best_response": row.best_response,
            **({"each": [_json_estimate(one) for one in row.each]} if row.each else {}),
        }
        for row in _baselines_first(rows)
    ]


def frame_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the table as the rows of a frame, in fractions of 1."""
    exact = _has_best_response(rows)
    return [
        {"name": row.name, "group": row.group, "arms": row.detail}
        | {f"K'={k}": each.mean for k, each in zip(CRITERIA, row.estimates, strict=False)}
        | {f"K'={k} error": each.error for k, each in zip(CRITERIA, row.estimates, strict=False)}
        | ({_BEST_RESPONSE: row.best_response} if exact else {})
        for row in _baselines_first(rows)
    ]


def rows_from_json(data: Sequence[dict[str, Any]]) -> list[Row]:
    """Return the rows from the data that `json_rows` returned; ValueError if they are none."""
    columns = {tuple(each["exploiter"] for each in item["success"]) for item in data}
    if len(columns) != 1 or not columns <= {CRITERIA[:number] for number in _COLUMNS}:
        raise ValueError("a table without rows, or a row without its columns")
    return [
        Row(
            str(item["name"]),
            str(item["detail"]),
            tuple(estimate_from_json(each) for each in item["success"]),
            "baseline" if item["group"] == "baseline" else "learner",
            None if item.get("best_response") is None else float(item["best_response"]),
            tuple(estimate_from_json(each) for each in item.get("each", ())),
        )
        for item in data
    ]


def _json_estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.mean, "error": None if isnan(estimate.error) else estimate.error}


def estimate_from_json(data: dict[str, Any]) -> Estimate:
    """Return an estimate from data; ValueError, KeyError or TypeError if it is none."""
    mean, error = float(data["mean"]), data["error"]
    if not isfinite(mean):
        raise ValueError(f"a mean of {mean}")
    return Estimate(mean, nan if error is None else float(error))


def _baselines_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.group != "baseline")


def _headings(rows: Sequence[Row]) -> tuple[str, ...]:
    return _HEADINGS[: max((len(row.estimates) for row in rows), default=len(CRITERIA))]


def _has_best_response(rows: Sequence[Row]) -> bool:
    return any(row.best_response is not None for row in rows)


def _printed(rows: Sequence[Row]) -> list[list[tuple[str, bool]]]:
    """Return the printed numbers of each row, and whether each is a learner's and the best.

    Numbers that print the same are a tie. A learner below a baseline is not the best.
    """
    numbers = [_numbers(row) for row in rows]
    if not _has_best_response(rows):
        numbers = [line[:-1] for line in numbers]
    best = [
        _mean(max(filter(None, column), key=lambda estimate: estimate.mean))
        for column in zip(*numbers, strict=True)
    ]
    return [
        [
            (percent(each), row.group == "learner" and _mean(each) == winner)
            if each
            else ("-", False)
            for each, winner in zip(line, best, strict=True)
        ]
        for row, line in zip(rows, numbers, strict=True)
    ]


def _numbers(row: Row) -> list[Estimate | None]:
    """Return the estimates of a row, then its success against a best response, which is exact."""
    exact = row.best_response
    return [*row.estimates, None if exact is None else Estimate(exact, nan)]


def _mean(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.1f}"


def percent(estimate: Estimate) -> str:
    """Return an estimate as it is printed, without the error if that is unknown."""
    if isnan(estimate.error):
        return _mean(estimate)
    return f"{_mean(estimate)}±{100 * estimate.error:.1f}"


def counted_games(number: int) -> str:
    """Return a number of games as text: `1 game`, `2,000 games`."""
    return f"{number:,} game{'' if number == 1 else 's'}"


def used_games(by_learner: Mapping[str, int]) -> str:
    """Return how many games each learner has used, as text."""
    return ", ".join(f"{name} {games:,}" for name, games in by_learner.items())


def _escaped(text: str) -> str:
    return text.replace("|", r"\|")


_MOST_COLUMNS = 5
"""With more opponents these are the lines, so that the table fits a terminal."""
_CORNER = "success in % at K'=1"


def each_lines(names: Sequence[str], rows: Sequence[Row]) -> list[list[str]]:
    """Return the heading and the lines: a column for each opponent, or a line if these are many."""
    shown = [row for row in rows if row.each]
    table = [[_CORNER, *names]]
    table += [[row.name, *(percent(each) for each in row.each)] for row in shown]
    if len(names) <= _MOST_COLUMNS:
        return table
    return [list(line) for line in zip(*table, strict=True)]


def each_table(names: Sequence[str], rows: Sequence[Row]) -> Table:
    """Return the table for a terminal."""
    heading, *lines = each_lines(names, rows)
    table = Table(box=box.HORIZONTALS, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for place, text in enumerate(heading):
        table.add_column(Text(text), justify="right" if place else "left", overflow="fold")
    for line in lines:
        table.add_row(*map(Text, line))
    return table


def each_markdown(names: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the table in Markdown, ending with a newline."""
    heading, *lines = each_lines(names, rows)
    rule = ["---", *("---:" for _ in heading[1:])]
    return "".join(f"| {' | '.join(line)} |\n" for line in (heading, rule, *lines))
