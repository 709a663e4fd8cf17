"""Random games of Hex: the board is filled at random, and the winner found by one walk.

The mover gets a random half of the empty cells. Then exactly one player is connected. A walk along
the line between the stones of both, which begins in the corner of the top and the left, tells who:
it ends at the bottom if the first player is, and on the right if the second is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.hex_grid import HexGrid


@dataclass(frozen=True)
class HexFill:
    """Functions for boards that are filled at random. All are compiled."""

    share: Any
    """share(empty, key, step): (the cells that the mover gets, those of the other)."""
    first_wins: Any
    """first_wins(stones): whether stones of the first player connect the top with the bottom,
    where all other cells have stones of the second."""
    write: Any
    """write(cells, colour, out, at): write 2 * cell + colour to out[at], ...; return how many."""


def hex_fill(grid: HexGrid) -> HexFill:
    """Return the functions for one board."""
    sets, size, width = grid.sets, grid.board.rows, grid.width
    without, either, single = sets.without, sets.either, sets.single
    count, pick, half, has = sets.count, sets.pick, sets.half, sets.has
    first, is_empty = sets.first, sets.is_empty

    @compiled
    def share(empty: Any, key: Any, step: Any) -> Any:
        wanted = (count(empty) + 1) // 2
        # A random subset, then as many more or fewer as the mover is to have. All subsets of one
        # size are equally likely all the time.
        got, step = half(empty, key, step)
        n = count(got)
        while n > wanted:
            got = without(got, single(pick(got, below(key, step, n))))
            step += 1
            n -= 1
        while n < wanted:
            rest = without(empty, got)
            got = either(got, single(pick(rest, below(key, step, count(rest)))))
            step += 1
            n += 1
        return got, without(empty, got)

    @compiled
    def first_wins(stones: Any) -> Any:
        # A stone of the first player is at (row, column); the next place in direction `d` from it
        # is one of the second player, and the one before that is looked at. Directions: right,
        # right below, left below, left, left above, right above.
        row, column, d = int64(-1), int64(0), int64(2)
        while True:
            d = d - 1 if d > 0 else int64(5)
            down = int64(d == 1 or d == 2) - int64(d == 4 or d == 5)
            right = int64(d == 0 or d == 5) - int64(d == 2 or d == 3)
            r, c = row + down, column + right
            if r >= size:
                return True
            if r < 0 or (0 <= c < size and has(stones, r * width + c)):
                row, column = r, c
                d = d + 2 if d < 4 else d - 4
            elif c >= size:
                return False

    @compiled
    def write(cells: Any, colour: Any, out: Any, at: Any) -> Any:
        n = int64(0)
        while not is_empty(cells):
            cell = int64(first(cells))
            cells = without(cells, single(cell))
            out[at + n] = 2 * cell + colour
            n += 1
        return n

    return HexFill(share, first_wins, write)
