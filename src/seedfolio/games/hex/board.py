"""Boards of hexagonal cells, for people: a hexagon, as for Havannah, or a rhombus, as for Hex."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from seedfolio.games.board import Board, Paint, Point, marks_around

STONES = ".XO"


@dataclass(frozen=True, repr=False)
class HexBoard(Board):
    """Rows of hexagonal cells, each row half a cell to the left or right of the row above.

    Row 0 is drawn at the top and is called row 1. Cell (row, column) has index
    row * columns + column, also where that place is not on the board.

    >>> from seedfolio import HexBoard
    >>> board = HexBoard.hexagon(3)
    >>> print(board.draw([1] + 24 * [0]))
          a b c
       1 X . . d
      2 . . . . e
     3 . . . . .
      4 . . . .
       5 . . .
    >>> [board.cells_of(move) for move in ("a1", "c5", "a5")]
    [(0,), (22,), ()]
    """

    lean: int = 1
    """How many half cells a row lies to the right of the row above: 1 or -1."""
    reach: int = 0
    """The greatest difference between the row and the column of a cell."""

    @classmethod
    def hexagon(
        cls, base: int, colours: tuple[str, str] = ("first player", "second player")
    ) -> HexBoard:
        """Return a hexagon with `base` cells on each side."""
        across = 2 * base - 1
        return cls(across, across, STONES, colours=colours, lean=-1, reach=base - 1)

    @classmethod
    def rhombus(
        cls, size: int, colours: tuple[str, str] = ("first player", "second player")
    ) -> HexBoard:
        """Return a rhombus with `size` cells on each side."""
        return cls(size, size, STONES, colours=colours, lean=1, reach=size - 1)

    def is_cell(self, row: int, column: int) -> bool:
        """Tell whether there is a cell at this place."""
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return inside and abs(row - column) <= self.reach

    def columns_of(self, row: int) -> range:
        """Return the columns of the cells of a row."""
        return range(max(0, row - self.reach), min(self.columns, row + self.reach + 1))

    @property
    def places(self) -> list[Point]:
        """The row and column of every cell, row by row."""
        return [(row, column) for row in range(self.rows) for column in self.columns_of(row)]

    def left(self, row: int, column: int) -> int:
        """Return how many half cells a place is away from the left end of the board."""
        return 2 * column + self.lean * row + (self.reach if self.lean < 0 else 0)

    @property
    def half_columns(self) -> int:
        """The width of the board in half cells."""
        return 2 + max(self.left(row, column) for row, column in self.places)

    @property
    def letter_places(self) -> list[Point]:
        """By column: the place above its first cell, where its letter is written."""
        return [(max(0, column - self.reach) - 1, column) for column in range(self.columns)]

    def cells_of(self, move: str) -> tuple[int, ...]:
        """Return the cells that the notation of a move names; none for a pass or a swap."""
        cells = super().cells_of(move)
        return cells if all(self.is_cell(*divmod(cell, self.columns)) for cell in cells) else ()

    def draw(
        self,
        cells: Sequence[int] | NDArray[np.int64],
        last: Sequence[int] = (),
        paint: Paint | None = None,
    ) -> str:
        """Return the board as text, with numbers beside the rows and letters above the columns.

        `last` are cells to mark: those of the last move. `paint` colours a glyph, by its content.
        """
        above = [column for row, column in self.letter_places if row < 0]
        header = " " * (3 + self.left(-1, 0)) + " ".join(self.letters[column] for column in above)
        return "\n".join(
            [header, *(self._line(row, cells, last, paint) for row in range(self.rows))]
        )

    def _line(
        self,
        row: int,
        cells: Sequence[int] | NDArray[np.int64],
        last: Sequence[int],
        paint: Paint | None,
    ) -> str:
        columns = self.columns_of(row)
        places = [row * self.columns + column for column in columns]
        marks = ["", *(marks_around(place, cells, last) for place in places), ""]
        gaps = [
            (after[:1] if not before else before[-1:] if not after else "") or " "
            for before, after in pairwise(marks)
        ]
        contents = [int(cells[place]) for place in places]
        glyphs = [self.glyphs[content] for content in contents]
        if paint is not None:
            glyphs = [paint(c, glyph) for c, glyph in zip(contents, glyphs, strict=True)]
        drawn = "".join(f"{gap}{glyph}" for gap, glyph in zip(gaps, glyphs, strict=False))
        letter = "".join(self.letters[c] for r, c in self.letter_places if r == row)
        line = f"{' ' * self.left(row, columns[0])}{row + 1:2}{drawn}{gaps[-1]}{letter}"
        return line.rstrip()


def rim_of_hexagon(base: int) -> tuple[list[Point], list[list[Point]]]:
    """Return the corners of a hexagon, and the cells of each side, without its corners."""
    last, reach = 2 * base - 2, base - 1
    rim: dict[Point, list[int]] = {}
    for row, column in HexBoard.hexagon(base).places:
        upper = (row == 0, column - row == reach, column == last)
        lies_at = (*upper, row == last, row - column == reach, column == 0)
        rim[row, column] = [side for side, there in enumerate(lies_at) if there]
    corners = [place for place, sides in rim.items() if len(sides) == 2]
    return corners, [[p for p, sides in rim.items() if sides == [side]] for side in range(6)]


def hexagon_symmetries(base: int) -> dict[str, Callable[[Point], Point]]:
    """Return the eleven symmetries of a hexagon, except the identity, as maps of (row, column).

    >>> from seedfolio import hexagon_symmetries
    >>> turns = hexagon_symmetries(3)
    >>> len(turns), turns["turn by 60"]((0, 0)), turns["turn by 180"]((0, 0))
    (11, (0, 2), (4, 4))
    """
    middle = base - 1

    def image(point: Point, turns: int, mirrored: bool) -> Point:
        down, right = point[0] - middle, point[1] - middle
        if mirrored:
            down, right = right, down
        for _ in range(turns):
            # Of the six directions each takes the place of the next, clockwise.
            down, right = right, right - down
        return down + middle, right + middle

    found: dict[str, Callable[[Point], Point]] = {}
    for mirrored in (False, True):
        for turns in range(6):
            name = " and ".join(
                [*(["mirror"] if mirrored else []), *([f"turn by {60 * turns}"] if turns else [])]
            )
            if name:
                found[name] = _with(image, turns, mirrored)
    return found


def _with(
    image: Callable[[Point, int, bool], Point], turns: int, mirrored: bool
) -> Callable[[Point], Point]:
    return lambda point: image(point, turns, mirrored)
