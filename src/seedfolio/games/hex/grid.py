"""Shared parts of the games on hexagonal cells: the cells and their neighbours as bit sets.

Cell (row, column) has the number first + row * width + column. Neighbours of a cell differ from it
by six fixed numbers, and the width leaves a free number between two rows, so that no row wraps into
the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from seedfolio.core.bits import BitSets, bit_sets, connected_by
from seedfolio.core.compiler import compiled
from seedfolio.games.board import Point, permutation
from seedfolio.games.hex.board import HexBoard
from seedfolio.games.rules import Symmetry

SWAP = "swap"
"""The name of the move by which the second player takes over the first stone."""


@dataclass(frozen=True)
class HexGrid:
    """The cells of a board and their neighbours. Functions are compiled."""

    board: HexBoard
    first: int
    """The number of the first cell."""
    width: int
    steps: tuple[int, ...]
    """What to add to the number of a cell for each of its six neighbours, in circular order."""
    numbers: int
    """How many numbers there are for cells, including those without a cell."""
    sets: BitSets
    cells: Any
    """All cells, as a set."""
    around: Any
    """around(stones): the cells next to any of `stones`."""
    connected: Any
    """connected(stones, own): `stones` and all of `own` that are connected to them."""
    write_cells: Any
    """write_cells(first, second, out): write the content of each cell of the board to `out`."""

    def number(self, place: Point) -> int:
        """Return the number of a cell."""
        return self.first + place[0] * self.width + place[1]

    def place(self, number: int) -> Point | None:
        """Return the row and column of a number; None if there is no cell."""
        place = divmod(number - self.first, self.width)
        return place if self.board.is_cell(*place) else None

    def move_names(self, swap: int) -> list[str]:
        """Return the names of the moves: those of the cells, and that of the swap if there is one.

        A number without a cell has an empty name.
        """
        places = [self.place(number) for number in range(self.numbers)]
        names = [self.board.cell_name(*place) if place else "" for place in places]
        return [*names, SWAP] if swap else names

    def symmetries(
        self, maps: Mapping[str, Callable[[Point], Point]], moves: int
    ) -> list[Symmetry]:
        """Return symmetries of `moves` moves; a move that is not a cell stays as it is."""

        def image(turn: Callable[[Point], Point], move: int) -> int | None:
            place = self.place(move)
            return None if place is None else self.number(turn(place))

        return [
            Symmetry(name, permutation(moves, partial(image, turn))) for name, turn in maps.items()
        ]


def hex_grid(board: HexBoard, first: int = 0) -> HexGrid:
    """Return the grid of a board; the numbers of its cells are from `first` on."""
    # Rows that lean to the right go on below: the neighbours below a cell are (row + 1, column - 1)
    # and (row + 1, column); in a hexagon, (row + 1, column) and (row + 1, column + 1).
    leans_right = board.lean > 0
    width = board.columns + 1 if leans_right else board.columns
    near, far = (width - 1, width) if leans_right else (width, width + 1)
    numbers = first + max(row * width + column for row, column in board.places) + 1
    sets = bit_sets(numbers)
    both, either = sets.both, sets.either
    up, down, has = sets.up, sets.down, sets.has
    cells = sets.make(first + row * width + column for row, column in board.places)
    rows, columns = board.rows, board.columns

    @compiled
    def around(stones: Any) -> Any:
        sideways = either(up(stones, 1), down(stones, 1))
        below = either(up(stones, near), up(stones, far))
        above = either(down(stones, near), down(stones, far))
        return both(either(sideways, either(below, above)), cells)

    @compiled
    def write_cells(first_stones: Any, second_stones: Any, out: Any) -> None:
        for row in range(rows):
            for column in range(columns):
                cell = first + row * width + column
                stone = 0
                if cell < numbers:
                    if has(first_stones, cell):
                        stone = 1
                    elif has(second_stones, cell):
                        stone = 2
                out[row * columns + column] = stone

    return HexGrid(
        board=board,
        first=first,
        width=width,
        steps=(1, far, near, -1, -far, -near),
        numbers=numbers,
        sets=sets,
        cells=cells,
        around=around,
        connected=connected_by(sets, around),
        write_cells=write_cells,
    )
