"""The table of success against each of several other programs."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from seedfolio.report.table import Row, percent

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
