"""How results show themselves: a line at the prompt, tables in a notebook, a pandas frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from seedfolio.core.table import Table
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

_WIDTH = 100
"""The most characters of a repr."""
Frame = Any
"""A pandas.DataFrame: pandas need not be installed."""


@dataclass(frozen=True)
class Html:
    """A part that is HTML as it is, such as a drawing, and what a terminal shows instead."""

    text: str
    plain: str

    def _repr_html_(self) -> str:
        return self.text

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.plain)


class Line(str):
    """A line that begins with its name. Only a terminal breaks it."""

    __slots__ = ()


Part = Table | Html | Line | str
"""What shows a result: a table, a drawing, a line, or a paragraph."""


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

    def _parts(self) -> Iterable[Part]:
        """Return the tables, drawings and paragraphs that show the result."""
        raise NotImplementedError

    def _records(self) -> Sequence[Mapping[str, Any]]:
        """Return the rows of the frame, by the names of its columns."""
        raise NotImplementedError

    def parts(self) -> list[Part]:
        """Return what shows the result, in the order in which it is read."""
        return list(self._parts())

    def to_pandas(self) -> Frame:
        """Return a pandas frame; SpecificationError where pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError:
            raise SpecificationError("a frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(list(self._records()))

    def _repr_html_(self) -> str:
        return "\n".join(_html(part) for part in self.parts() if part)

    def __rich__(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        return Group(*(Text(part) if isinstance(part, str) else part for part in self.parts()))


def preformatted(text: str) -> Html:
    """Return a part that keeps its lines and columns, such as a board."""
    return Html(f"<pre>{escape(text)}</pre>", text)


def lines_table(title: str, lines: Sequence[tuple[str, str]]) -> Table:
    """Return lines of text, each after its name, as a table without rules.

    A line without a name continues the one above.
    """
    joined: list[tuple[str, str]] = []
    for name, text in lines:
        if name or not joined:
            joined.append((name, text))
        else:
            joined[-1] = joined[-1][0], f"{joined[-1][1]} {text}"
    return Table((), joined, title=title, words=(0, 1), ruled=False)


def _html(part: Part) -> str:
    if isinstance(part, str):
        return f"<p style='max-width: 50em'>{escape(part)}</p>"
    return part._repr_html_()
