"""Boards for people: coordinates, or labelled numbers, and a drawing in plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Brief

CHESS_LETTERS = "abcdefghijklmnopqrstuvwxyz"
GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
PASS = "pass"
"""The name of the move that leaves the board as it is."""


Paint = Callable[[int, str], str]
"""Takes the content of a cell and its glyph; returns the glyph in colour."""


@dataclass(frozen=True, repr=False)
class Board(Brief):
    """A rectangle of cells; cell (row, column) has index row * columns + column.

    Row 0 is drawn at the bottom and is called row 1, as on a chess or Go board.

    >>> from seedfolio import Board
    >>> board = Board(2, 3, ".XO")
    >>> board.cell_name(0, 2)
    'c1'
    >>> print(board.draw([1, 0, 0, 0, 2, 0]))
       a b c
     2 . O . 2
     1 X . . 1
       a b c
    """

    rows: int
    columns: int
    glyphs: Sequence[str]
    """One character for each kind of content; the first is the empty cell. The next two are best
    those of the first and of the second player, which a terminal shows in two colours."""
    letters: str = CHESS_LETTERS
    colours: tuple[str, str] = ("first player", "second player")
    """The names of the two sides, the first player's first."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    def cell_name(self, row: int, column: int) -> str:
        """Return the coordinates of a cell: `a1` is at the lower left."""
        return f"{self.letters[column]}{row + 1}"

    def cells_of(self, move: str) -> tuple[int, ...]:
        """Return the cells that the notation of a move names, in its order; none for a pass."""
        letters = self.letters[: self.columns].lower()
        # A promotion in chess names the new piece last.
        if not re.fullmatch(rf"(?:[{letters}]\d+[-x:]?)+[nbrq]?", move.lower()):
            return ()
        named = re.findall(rf"([{letters}])(\d+)", move.lower())
        places = [(int(row) - 1, letters.index(letter)) for letter, row in named]
        if not all(0 <= row < self.rows for row, _ in places):
            return ()
        return tuple(row * self.columns + column for row, column in places)

    def draw(
        self,
        cells: Sequence[int] | NDArray[np.int64],
        last: Sequence[int] = (),
        paint: Paint | None = None,
    ) -> str:
        """Return the board as text with coordinates around it.

        `last` are cells to mark: those of the last move. `paint` colours a glyph, by its content.
        """
        header = "   " + " ".join(self.letters[: self.columns])
        lines = [header]
        for row in reversed(range(self.rows)):
            start = row * self.columns
            glyphs = [self.glyphs[int(c)] for c in cells[start : start + self.columns]]
            if paint is not None:
                content = cells[start : start + self.columns]
                glyphs = [paint(int(c), glyph) for c, glyph in zip(content, glyphs, strict=True)]
            # Between two cells is the end of one mark, the beginning of another, or a space.
            marks = ["", *(marks_around(start + k, cells, last) for k in range(self.columns)), ""]
            gaps = [
                (after[:1] if not before else before[-1:] if not after else "") or " "
                for before, after in pairwise(marks)
            ]
            drawn = "".join(f"{gap}{glyph}" for gap, glyph in zip(gaps, glyphs, strict=False))
            lines.append(f"{row + 1:2}{drawn}{gaps[-1]}{row + 1}")
        return "\n".join([*lines, header])

    def _summary(self) -> str:
        return f"{self.rows}x{self.columns}, {self.colours[0]} and {self.colours[1]}"


@dataclass(frozen=True, repr=False)
class Panel(Board):
    """Labelled numbers, for games without a board: a column of cells, each with a label.

    The content of a cell is the number itself.

    >>> from seedfolio import Panel
    >>> print(Panel.of_numbers("mine", "yours", most=20).draw([7, 12]))
    mine    7
    yours  12
    """

    labels: tuple[str, ...] = ()
    tiles: int = 0
    """How many of the first numbers are cards or dice, which a page draws as such."""

    @classmethod
    def of_numbers(cls, *labels: str, most: int) -> Panel:
        """Return a panel with one number from 0 to `most` for each label."""
        glyphs = tuple(str(number) for number in range(most + 1))
        return cls(len(labels), 1, glyphs, labels=labels)

    def cells_of(self, move: str) -> tuple[int, ...]:
        """Return no cells: moves name none here."""
        return ()

    def draw(
        self,
        cells: Sequence[int] | NDArray[np.int64],
        last: Sequence[int] = (),
        paint: Paint | None = None,
    ) -> str:
        """Return the numbers as text, each after its label; nothing is marked or coloured."""
        numbers = [self.glyphs[int(c)] for c in cells]
        label_width = max(map(len, self.labels))
        number_width = max(map(len, numbers))
        return "\n".join(
            f"{label:{label_width}}  {number:>{number_width}}"
            for label, number in zip(self.labels, numbers, strict=True)
        )


def marks_around(cell: int, cells: Sequence[int] | NDArray[np.int64], last: Sequence[int]) -> str:
    """Return what stands around a cell: brackets around one of the last move, else nothing."""
    if cell not in last:
        return ""
    return "[]" if cells[cell] else "()"


Point = tuple[int, int]


def mirrors(rows: int, columns: int) -> dict[str, Callable[[Point], Point]]:
    """Return the symmetries of a rectangle, except the identity, as maps of (row, column).

    >>> from seedfolio import mirrors
    >>> turns = mirrors(2, 3)
    >>> list(turns)
    ['left-right', 'up-down', 'half-turn']
    >>> turns["half-turn"]((0, 0))
    (1, 2)
    """
    maps: dict[str, Callable[[Point], Point]] = {
        "left-right": lambda p: (p[0], columns - 1 - p[1]),
        "up-down": lambda p: (rows - 1 - p[0], p[1]),
        "half-turn": lambda p: (rows - 1 - p[0], columns - 1 - p[1]),
    }
    if rows == 1 or columns == 1:
        # On a single line one mirror is the identity, and the half-turn equals the other mirror.
        kept = [name for name, n in (("left-right", columns), ("up-down", rows)) if n > 1]
        return {name: maps[name] for name in kept}
    return maps


def square_symmetries(size: int) -> dict[str, Callable[[Point], Point]]:
    """Return the seven symmetries of a square, except the identity.

    >>> from seedfolio import square_symmetries
    >>> square_symmetries(3)["diagonal"]((0, 2))
    (2, 0)
    """
    last = size - 1
    return {
        **mirrors(size, size),
        "diagonal": lambda p: (p[1], p[0]),
        "other diagonal": lambda p: (last - p[1], last - p[0]),
        "quarter-turn left": lambda p: (p[1], last - p[0]),
        "quarter-turn right": lambda p: (last - p[1], p[0]),
    }


def permutation(size: int, image: Callable[[int], int | None]) -> NDArray[Any]:
    """Return the array of image(m) for each m below size; where image(m) is None, m itself.

    >>> from seedfolio import permutation
    >>> permutation(4, lambda move: 2 - move if move < 3 else None).tolist()
    [2, 1, 0, 3]
    """
    images = (image(m) for m in range(size))
    return np.array([m if to is None else to for m, to in enumerate(images)], np.int64)
