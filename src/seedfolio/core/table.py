"""A table of results: made once, shown in a terminal, in a notebook, as Markdown and as rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from math import isnan, nan
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.table import Table as RichTable


def percent(share: float, error: float = nan) -> str:
    """Return a share in percent with its standard error, if that is known: `54.2±1.3`."""
    mean = f"{100 * share:.1f}"
    return mean if isnan(error) else f"{mean}±{100 * error:.1f}"


class Marked(str):
    """The text of a cell that stands out."""

    __slots__ = ()
    style: Literal["bold", "italic"]


class Bold(Marked):
    """The best number of its column."""

    __slots__ = ()
    style = "bold"


class Italic(Marked):
    """The name of the rows below."""

    __slots__ = ()
    style = "italic"


_LATEX = {"bold": "textbf", "italic": "textit"}
_ESCAPED = str.maketrans(
    {
        **{each: rf"\{each}" for each in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "±": r"\,$\pm$\,",
    }
)
_TAGS = {"bold": ("b", "**"), "italic": ("i", "*")}
"""By style: the tag in HTML, and the mark in Markdown."""


@dataclass(frozen=True)
class Table:
    """Texts in rows and columns, which show themselves wherever they are read."""

    headings: Sequence[str]
    """None: the table has no headings. A line break in one shows in a terminal only."""
    rows: Sequence[Sequence[str]]
    """A row without cells is a rule; one with few cells has empty ones after them."""
    title: str = ""
    caption: str = ""
    words: Collection[int] = (0,)
    """The columns of words, justified to the left. The others hold numbers."""
    firm: bool = False
    """Whether a narrow terminal breaks words only, and no number or its heading."""
    ruled: bool = True
    """Whether a terminal shows rules."""

    @property
    def lines(self) -> list[tuple[list[str], bool]]:
        """The cells of each row, and whether there is a rule below it."""
        size = len(self.headings) or max(map(len, self.rows), default=0)
        return [
            ([*row, *[""] * (size - len(row))], below is not None and not below)
            for row, below in zip_longest(self.rows, self.rows[1:])
            if row
        ]

    def __rich__(self) -> RichTable:
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        # Text, not str, so that square brackets in a name are not read as markup.
        table = RichTable(
            title=Text(self.title, style="bold") if self.title else None,
            caption=Text(self.caption, style="dim") if self.caption else None,
            box=box.HORIZONTALS if self.ruled else None,
            show_edge=False,
            show_header=bool(self.headings),
            pad_edge=False,
            padding=(0, 1 if self.ruled else 3, 0, 0),
            title_justify="left",
            caption_justify="left",
        )
        for number, heading in enumerate(self._columns):
            right = number not in self.words
            firm = self.firm and right
            table.add_column(
                Text(heading),
                justify="right" if right else "left",
                overflow="ellipsis" if firm else "fold",
                no_wrap=firm,
            )
        for cells, rule in self.lines:
            texts = (Text(cell, style=_style(cell)) for cell in cells)
            table.add_row(*texts, end_section=rule)
        return table

    def _repr_html_(self) -> str:
        sides = [
            f"text-align: {'left' if number in self.words else 'right'}"
            for number in range(len(self._columns))
        ]
        parts = ["<table>"]
        if self.title:
            parts.append(
                "<caption style='caption-side: top; text-align: left; font-weight: bold'>"
                f"{escape(self.title)}</caption>"
            )
        if self.headings:
            heads = "".join(
                f"<th style='{side}'>{escape(text)}</th>"
                for side, text in zip(sides, self._one_line(), strict=True)
            )
            parts.append(f"<thead><tr>{heads}</tr></thead>")
        parts.append("<tbody>")
        above = ""
        for cells, rule in self.lines:
            row = "".join(
                f"<td style='{side}'>{_html(cell)}</td>"
                for side, cell in zip(sides, cells, strict=True)
            )
            parts.append(f"<tr{above}>{row}</tr>")
            above = " style='border-top: 1px solid'" if rule else ""
        parts.append("</tbody></table>")
        if self.caption:
            parts.append(f"<p style='max-width: 50em; opacity: 0.7'>{escape(self.caption)}</p>")
        return "\n".join(parts)

    def markdown(self) -> str:
        """Return the table in Markdown, without title and caption; it ends with a newline."""
        rule = ["---" if number in self.words else "---:" for number in range(len(self._columns))]
        lines = [self._one_line(), rule, *([_markdown(c) for c in row] for row, _ in self.lines)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def latex(self) -> str:
        """Return the table in LaTeX, for the package booktabs, without title and caption."""
        sides = ["l" if number in self.words else "r" for number in range(len(self._columns))]
        lines = [rf"\begin{{tabular}}{{{''.join(sides)}}}", r"\toprule"]
        lines += [" & ".join(map(_latex, self._one_line())) + r" \\", r"\midrule"]
        for cells, rule in self.lines:
            lines.append(" & ".join(map(_latex, cells)) + r" \\")
            lines += [r"\midrule"] if rule else []
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])

    def records(self) -> list[dict[str, str]]:
        """Return the rows as plain data: the texts by their headings."""
        names = self._one_line()
        return [dict(zip(names, map(str, cells), strict=True)) for cells, _ in self.lines]

    @property
    def _columns(self) -> Sequence[str]:
        return self.headings or [""] * max(map(len, self.rows), default=0)

    def _one_line(self) -> list[str]:
        return [heading.replace("\n", " ") for heading in self._columns]


def _style(cell: str) -> str:
    return cell.style if isinstance(cell, Marked) else ""


def _html(cell: str) -> str:
    text = escape(cell)
    if not isinstance(cell, Marked):
        return text
    tag, _ = _TAGS[cell.style]
    return f"<{tag}>{text}</{tag}>"


def _latex(cell: str) -> str:
    text = cell.translate(_ESCAPED)
    return rf"\{_LATEX[cell.style]}{{{text}}}" if isinstance(cell, Marked) else text


def _markdown(cell: str) -> str:
    text = cell.replace("|", r"\|")
    if not isinstance(cell, Marked):
        return text
    _, mark = _TAGS[cell.style]
    return f"{mark}{text}{mark}"
