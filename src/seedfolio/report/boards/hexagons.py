"""Where the cells of a hexagonal board lie in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seedfolio.games.hex.board import HexBoard


@dataclass(frozen=True)
class Hexagons:
    """A hexagonal board in a picture, its upper left corner at (0, 0)."""

    board: HexBoard
    half: int
    """Half the width of a cell, a multiple of 5. A cell is a fifth higher than wide."""

    @property
    def pitch(self) -> int:
        """The distance between two rows; a cell overlaps a third of it with the rows beside it."""
        return 9 * self.half // 5

    @property
    def tip(self) -> int:
        """The height of the slanting part of a cell, at its top and at its bottom."""
        return self.pitch // 3

    @property
    def width(self) -> int:
        """The width of the board."""
        return self.board.half_columns * self.half

    @property
    def height(self) -> int:
        """The height of the board."""
        return self.board.rows * self.pitch + self.tip

    def centre(self, row: int, column: int) -> tuple[int, int]:
        """Return the middle of a place, which need not be on the board."""
        x = (self.board.left(row, column) + 1) * self.half
        return x, row * self.pitch + (self.pitch + self.tip) // 2

    def outline(self, row: int, column: int) -> str:
        """Return the corners of a cell, as the `points` of a polygon."""
        x, y = self.centre(row, column)
        tall, short = (self.pitch + self.tip) // 2, (self.pitch - self.tip) // 2
        sides = ((0, -tall), (self.half, -short), (self.half, short))
        corners = [*sides, *((-dx, -dy) for dx, dy in sides)]
        return " ".join(f"{x + dx},{y + dy}" for dx, dy in corners)

    def sides_of_rhombus(self) -> tuple[str, str]:
        """Return the upper and lower sides, and the left and right ones, as data of paths."""
        last = self.board.rows - 1
        tall, short = (self.pitch + self.tip) // 2, (self.pitch - self.tip) // 2
        half, along = self.half, range(self.board.rows)
        tip, right_up, right_down = (0, -tall), (half, -short), (half, short)
        bottom, left_down, left_up = (0, tall), (-half, short), (-half, -short)

        def line(cells: Sequence[tuple[int, int]], corners: Sequence[tuple[int, int]]) -> str:
            centres = [self.centre(*cell) for cell in cells]
            return "M" + "L".join(f"{x + dx} {y + dy}" for x, y in centres for dx, dy in corners)

        above = line([(0, each) for each in along], (left_up, tip))
        below = line([(last, each) for each in along], (left_down, bottom))
        left = line([(each, 0) for each in along], (left_up, left_down))
        right = line([(each, last) for each in along], (right_up, right_down))
        return above + below, left + right
