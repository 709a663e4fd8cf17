"""The table of successes against exploiters: for the terminal, for documents, as plain data."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, Literal

from rich import box
from rich.table import Table
from rich.text import Text

from seedfolio.evaluation.exploiters import CRITERIA, Estimate

_HEADINGS = tuple(f"K'={opponents}" for opponents in CRITERIA)
_UNIT = "success in %"


@dataclass(frozen=True)
class Row:
    """One line of the table: a baseline or a learner, and its success for each of CRITERIA.

    `detail` says what was drawn from, for instance the arms of each colour, "37 + 41".
    """

    name: str
    detail: str
    estimates: Sequence[Estimate]
    group: Literal["baseline", "learner"]

    def __post_init__(self) -> None:
        if len(self.estimates) != len(CRITERIA):
            raise ValueError(f"{self.name}: expected {len(CRITERIA)} estimates")


def success_table(title: str, rows: Sequence[Row], *, caption: str) -> Table:
    """The table for a terminal: percent, baselines on top, winning learners in bold."""
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
    table.add_column("arms", no_wrap=True)
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    ordered = _baselines_first(rows)
    best = _best_printed(ordered)
    for number, row in enumerate(ordered):
        if number and row.group != ordered[number - 1].group:
            table.add_section()
        cells = [
            Text(percent(estimate), style="bold" if _wins(row, estimate, winner) else "")
            for estimate, winner in zip(row.estimates, best, strict=True)
        ]
        # Text, not str: a name with square brackets is a name and not markup.
        table.add_row(Text(row.name), Text(row.detail), *cells)
    return table


def markdown_table(rows: Sequence[Row]) -> str:
    """The same table in Markdown, ending with a newline."""
    lines = [[_UNIT, "arms", *_HEADINGS], ["---", "---", *("---:" for _ in CRITERIA)]]
    ordered = _baselines_first(rows)
    best = _best_printed(ordered)
    for row in ordered:
        cells = [
            f"**{percent(estimate)}**" if _wins(row, estimate, winner) else percent(estimate)
            for estimate, winner in zip(row.estimates, best, strict=True)
        ]
        lines.append([_escaped(row.name), _escaped(row.detail), *cells])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def json_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The same table as plain data, in fractions of 1; an error that is not known is None."""
    return [
        {
            "name": row.name,
            "detail": row.detail,
            "group": row.group,
            "success": [
                {
                    "exploiter": opponents,
                    "mean": estimate.mean,
                    "error": None if isnan(estimate.error) else estimate.error,
                }
                for opponents, estimate in zip(CRITERIA, row.estimates, strict=True)
            ],
        }
        for row in _baselines_first(rows)
    ]


def rows_from_json(data: Sequence[dict[str, Any]]) -> list[Row]:
    """The rows that `json_rows` made into data."""
    return [
        Row(
            item["name"],
            item["detail"],
            [
                Estimate(each["mean"], nan if each["error"] is None else each["error"])
                for each in item["success"]
            ],
            item["group"],
        )
        for item in data
    ]


def _baselines_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.group != "baseline")


def _best_printed(rows: Sequence[Row]) -> list[str]:
    """The best mean of each column, as printed: what reads as a tie is one.

    A learner that does not beat the baselines is thus not marked as a winner.
    """
    return [
        _mean(max((row.estimates[column] for row in rows), key=lambda e: e.mean))
        for column in range(len(CRITERIA))
    ]


def _wins(row: Row, estimate: Estimate, winner: str) -> bool:
    return row.group == "learner" and _mean(estimate) == winner


def _mean(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.1f}"


def percent(estimate: Estimate) -> str:
    """Return an estimate as it is printed, the error left out where it is not known."""
    if isnan(estimate.error):
        return _mean(estimate)
    return f"{_mean(estimate)}±{100 * estimate.error:.1f}"


def _escaped(text: str) -> str:
    return text.replace("|", r"\|")
