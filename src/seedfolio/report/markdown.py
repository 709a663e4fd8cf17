"""Markdown read back: its tables and paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich import box
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True)
class MarkdownTable:
    """A table in Markdown: the texts of its cells."""

    headings: tuple[str, ...]
    right: tuple[bool, ...]
    """Which columns are justified to the right."""
    rows: tuple[tuple[str, ...], ...]

    def table(self) -> Table:
        """Return the table for a terminal or a notebook."""
        table = Table(box=box.HORIZONTALS, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        for heading, right in zip(self.headings, self.right, strict=True):
            table.add_column(heading, justify="right" if right else "left")
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        return table


def read_markdown(text: str) -> list[MarkdownTable | str]:
    """Return the tables and paragraphs of a text in Markdown."""
    found: list[MarkdownTable | str] = []
    for block in filter(None, re.split(r"\n\s*\n", text.strip())):
        lines = block.splitlines()
        table = [line for line in lines if line.startswith("|")]
        if len(table) > 1:
            headings, rule, *rows = map(_cells, table)
            right = tuple(cell.endswith(":") for cell in rule)
            found.append(MarkdownTable(headings, right, tuple(rows)))
        found += [line for line in lines if not line.startswith("|")]
    return found


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    cells = re.split(r"(?<!\\)\|", inner)
    return tuple(cell.strip().replace("\\|", "|").replace("**", "") for cell in cells)
