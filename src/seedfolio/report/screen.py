"""What a terminal can show: its width, and colours unless the user wants none."""

from __future__ import annotations

import io
import re
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console

from seedfolio.core.plain_text import plain
from seedfolio.errors import SpecificationError
from seedfolio.games.board import Board

_STYLES = {0: "2", 1: "1;34", 2: "1;31"}
"""By the content of a cell: dim where it is empty, blue and red for the two players."""
_PAINT = re.compile(rf"(\x1b\[(?:0|{'|'.join(_STYLES.values())})m)")


@dataclass(frozen=True)
class Screen:
    """The width of a terminal, and whether it has colours."""

    width: int = 80
    colours: bool = False

    @classmethod
    def of_terminal(cls) -> Screen:
        """Return that of standard output; NO_COLOR, or output to a file, has no colours."""
        console = Console()
        return cls(console.width, console.color_system is not None and not console.no_color)

    def board(self, board: Board, cells: Sequence[int], last: Sequence[int] = ()) -> str:
        """Return a board as text, with the cells of the last move marked."""
        return board.draw(cells, last, _painted if self.colours else None)

    def wrapped(self, text: str) -> str:
        """Return a text in lines that fit."""
        return "\n".join(textwrap.wrap(text, self.width, break_on_hyphens=False) or [""])

    def put(self, text: str = "") -> None:
        """Print a text at once, without control characters but the colours of boards."""
        parts = _PAINT.split(text) if self.colours else [text]
        own = (part if _PAINT.fullmatch(part) else plain(part) for part in parts)
        print("".join(own), flush=True)


def standard_input() -> io.TextIOBase:
    """Return standard input, in which bytes that are no text do no harm.

    SpecificationError if this process has none. The command has always one.
    """
    if sys.stdin is None:
        raise SpecificationError("there is no standard input; this process was started without one")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdin  # type: ignore[return-value]


def _painted(content: int, glyph: str) -> str:
    style = _STYLES.get(content)
    return glyph if style is None else f"\x1b[{style}m{glyph}\x1b[0m"
