"""Hex: connect your two sides of a rhombus (Piet Hein 1942, John Nash 1948).

The first player connects the top with the bottom, the second the left with the right. Exactly one
of them is connected when the board is full, so there is no draw. With `swap=1` the second player
may take over the first stone instead of moving: it changes its colour and is mirrored, so that it
is worth as much to its new owner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.hex.board import HexBoard
from seedfolio.games.hex.grid import HexGrid, hex_grid
from seedfolio.games.hex.stones import hex_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Parts, Rules


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


COLOURS = ("X, top to bottom", "O, left to right")


@game("hex", version=1, summary="connect your two sides of a rhombus")
def hex_game(size: int = 9, swap: int = 0) -> Rules:
    """Return the rules on a rhombus of 3 to 11 cells a side."""
    if not 3 <= size <= 11:
        raise ValueError(f"a board of {size}x{size} is not between 3x3 and 11x11")
    grid = hex_grid(HexBoard.rhombus(size, COLOURS))
    stones = hex_stones(
        grid,
        swap,
        _win_check(grid),
        _mirrored(grid),
        aim="X connects the top with the bottom, O the left with the right; there is no draw.",
        symmetries={"half-turn": lambda p: (size - 1 - p[0], size - 1 - p[1])},
    )
    score, empty_cells, opening = stones.rules.score, stones.empty_cells, stones.opening
    either, nothing = grid.sets.either, grid.sets.make(())
    filled = hex_fill(grid)
    share, first_wins, write = filled.share, filled.first_wins, filled.write
    # A note is (new stones of the first player, of the second, a first move before these or -1).
    no_note = nothing, nothing, -1

    @compiled
    def rollout(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        # Play goes on until the board is full: the winner stays the same, and is looked for once.
        if state[3]:
            return score(state), no_note
        state, step, first = opening(state, key, step)
        mine, theirs, colour, _ = state
        own, others = share(empty_cells(state), key, step)
        if colour == 1:
            mine, own, others = theirs, others, own
        return (int64(2) if first_wins(either(mine, own)) else int64(0)), (own, others, first)

    @compiled
    def moves(note: Any, out: Any, at: Any) -> Any:
        n = write(note[0], int64(0), out, at)
        n += write(note[1], int64(1), out, at + n)
        if note[2] >= 0:
            out[at + n] = 2 * note[2]
            n += 1
        return n

    return replace(stones.rules, rollout=Parts.at_once(rollout, moves, no_note))


def _win_check(grid: HexGrid) -> Any:
    """Return wins(stone, own, colour): whether a new stone connects the two sides of its colour."""
    sets, connected = grid.sets, grid.connected
    both, is_empty = sets.both, sets.is_empty
    rim = range(grid.board.rows)
    last = rim[-1]
    top, bottom = (sets.make(grid.number((row, c)) for c in rim) for row in (0, last))
    left, right = (sets.make(grid.number((r, column)) for r in rim) for column in (0, last))

    @compiled
    def touches(stones: Any, one: Any, other: Any) -> Any:
        return not is_empty(both(stones, one)) and not is_empty(both(stones, other))

    @compiled
    def wins(stone: Any, own: Any, colour: Any) -> Any:
        one, other = (top, bottom) if colour == 0 else (left, right)
        return touches(own, one, other) and touches(connected(stone, own), one, other)

    return wins


def _mirrored(grid: HexGrid) -> Any:
    """Return mirrored(stones): the set of one stone, with its row and column exchanged."""
    first, single, width = grid.sets.first, grid.sets.single, grid.width

    @compiled
    def mirrored(stones: Any) -> Any:
        cell = int64(first(stones))
        return single(cell % width * width + cell // width)

    return mirrored
