"""How results show themselves: a line at the prompt, tables in a notebook, a pandas frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

_WIDTH = 100
"""The most characters of a repr."""
Frame = Any
"""A pandas.DataFrame: pandas need not be installed."""


@dataclass(frozen=True)
class Html:
    """A part that is HTML as it is, such as a drawing, and what a terminal shows instead."""

    text: str
    plain: str


class Brief:
    """A value whose repr fits on a line: `_summary`, or its fields as far as there is room."""

    __slots__ = ()

    def _summary(self) -> str:
        """Return the value in a line."""
        return ", ".join(f"{name}={value!r}" for name, value in vars(self).items())

    def __repr__(self) -> str:
        name, summary = type(self).__name__, " ".join(self._summary().split())
        room = _WIDTH - len(name) - len("< >")
        return f"<{name} {summary if len(summary) <= room else f'{summary[: room - 1]}…'}>"


class Displayed(Brief):
    """A result that shows itself: as tables in a notebook, in a line at the prompt.

    Its class says what is shown by `_summary`, `_parts` and `_records`.
    """

    __slots__ = ()

    def _summary(self) -> str:
        """Return the result in a line."""
        raise NotImplementedError

    def _parts(self) -> Iterable[Table | Html | str]:
        """Return the tables, drawings and paragraphs that show the result."""
        raise NotImplementedError

    def _records(self) -> Sequence[Mapping[str, Any]]:
        """Return the rows of the frame, by the names of its columns."""
        raise NotImplementedError

    def to_pandas(self) -> Frame:
        """Return a pandas frame; SpecificationError where pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError:
            raise SpecificationError("a frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(list(self._records()))

    def _repr_html_(self) -> str:
        return "\n".join(map(_html, self._parts()))

    def __rich__(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        plain = [part.plain if isinstance(part, Html) else part for part in self._parts()]
        return Group(*(Text(part) if isinstance(part, str) else part for part in plain))


def preformatted(text: str) -> Html:
    """Return a part that keeps its lines and columns, such as a board."""
    return Html(f"<pre>{escape(text)}</pre>", text)


def lines_table(title: str, lines: Sequence[tuple[str, str]]) -> Table:
    """Return lines of text, each after its name, as a table without rules.

    A line without a name continues the one above.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title, style="bold"),
        title_justify="left",
        box=None,
        show_header=False,
        pad_edge=False,
    )
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    joined: list[tuple[str, str]] = []
    for name, text in lines:
        if name or not joined:
            joined.append((name, text))
        else:
            joined[-1] = joined[-1][0], f"{joined[-1][1]} {text}"
    for name, text in joined:
        table.add_row(Text(name), Text(text))
    return table


def _html(part: Table | Html | str) -> str:
    if isinstance(part, Html):
        return part.text
    if isinstance(part, str):
        return f"<p style='max-width: 50em'>{escape(part)}</p>"
    return _html_table(part)


def _html_table(table: Table) -> str:
    """Return a table of rich as HTML, with what is bold, justified and parted by a rule."""
    sides = [f"text-align: {column.justify}" for column in table.columns]
    lines = ["<table>"]
    if table.title:
        lines.append(
            "<caption style='caption-side: top; text-align: left; font-weight: bold'>"
            f"{escape(str(table.title))}</caption>"
        )
    if table.show_header:
        headings = (str(column.header).replace("\n", " ") for column in table.columns)
        heads = "".join(
            f"<th style='{side}'>{escape(text)}</th>"
            for side, text in zip(sides, headings, strict=True)
        )
        lines.append(f"<thead><tr>{heads}</tr></thead>")
    lines.append("<tbody>")
    rule = ""
    for row, content in zip(
        table.rows, zip(*(column.cells for column in table.columns), strict=True), strict=True
    ):
        cells = "".join(
            f"<td style='{side}'>{_cell(cell)}</td>"
            for side, cell in zip(sides, content, strict=True)
        )
        lines.append(f"<tr{rule}>{cells}</tr>")
        rule = " style='border-top: 1px solid'" if row.end_section else ""
    lines.append("</tbody></table>")
    if table.caption:
        lines.append(f"<p style='max-width: 50em; opacity: 0.7'>{escape(str(table.caption))}</p>")
    return "\n".join(lines)


def _cell(cell: Any) -> str:
    text = escape(str(cell))
    style = str(getattr(cell, "style", ""))
    for word, tag in (("bold", "b"), ("italic", "i")):
        if word in style:
            text = f"<{tag}>{text}</{tag}>"
    return text
