"""Havannah: place stones on a hexagon; a ring, a bridge or a fork wins (Christian Freeling, 1979).

A ring is a loop of stones around one or more cells, whatever these hold. A bridge connects two of
the six corners. A fork connects three of the six sides; corners belong to no side. A full board
without any of them is a draw. With `swap=1` the second player may take over the first stone
instead of moving.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import word
from seedfolio.core.words import lowest
from seedfolio.games.hex.board import HexBoard, hexagon_symmetries, rim_of_hexagon
from seedfolio.games.hex.grid import HexGrid, hex_grid
from seedfolio.games.hex.stones import hex_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Parts, Rules

_HALF = np.uint64(32)
# Bits of a description: six for the sides that the chain touches, and one for a corner.
_CORNER = 64
_SIDES = 63
# A bit for every set of sides: whether it has three or more.
_FORKS = np.uint64(sum(1 << sides for sides in range(64) if sides.bit_count() >= 3))
_ONE = np.uint64(1)
# Bits of a pattern, in the order of the numbers of the neighbours: two above, left, right, two
# below. Between left and right is the stone itself, whose bit is never set.
_PATTERNS = 128
_ALL = 0b1110111
# The table of runs has for each pattern one number, made of bytes: the steps to the first
# neighbours of up to three runs, plus _BIAS; and the middles of runs of three or more, as bits of
# `HexGrid.steps`. It is negative if there are three runs.
_BIAS, _BYTE = 64, 255
_THIRD, _MIDDLES = 16, 24


@dataclass(frozen=True)
class HavannahGames:
    """Random games from a position (stones of the mover, stones of the other, colour to move)."""

    rollout: Any
    """rollout(position, key, step, out, at): (half points of the first player, moves played)."""
    write: Any
    """write(played, colour, out, at): write 2 * move + colour of each move to out[at], ..., after a
    rollout from a position where `colour` was to move."""
    scratch: int
    """How many numbers they write."""


def havannah_rollout(grid: HexGrid, base: int) -> HavannahGames:
    """Return the random games of a board."""
    sets, cells, numbers = grid.sets, grid.cells, grid.numbers
    either, without, single = sets.either, sets.without, sets.single
    write, window = sets.write, sets.window
    nothing = sets.make(())
    _, far, near, *_ = grid.steps
    # From the neighbour with the smallest number on: two above, two beside, two below.
    assert far == near + 1 <= grid.first
    described = _descriptions(grid, base)
    runs = _runs(grid.steps)
    steps = np.array(grid.steps, np.int64)

    @compiled
    def entry_at(cell: Any, out: Any, at: Any) -> Any:
        return int64(out[uint64(at + cell)])

    @compiled
    def root_of(cell: Any, out: Any, at: Any) -> Any:
        """Return the root of the chain of a stone; shorten the way there."""
        # Two steps are nearly always enough.
        root = entry_at(entry_at(cell, out, at), out, at)
        above = entry_at(root, out, at)
        while above != root:
            root = above
            above = entry_at(root, out, at)
        out[uint64(at + cell)] = root
        return root

    @compiled
    def pattern_of(cell: Any, own: Any) -> Any:
        """Return which neighbours of a cell are in `own`."""
        near_cells = int64(window(own, cell - far))
        beside, below_ = near_cells >> near, near_cells >> (near + far)
        return (near_cells & 3) | (beside & 5) << 2 | (below_ & 3) << 5

    @compiled
    def fills_ring(cell: Any, middles: Any, own: Any) -> Any:
        """Tell whether one of the neighbours `middles` has six neighbours in `own`."""
        while middles != 0:
            beside = cell + steps[uint64(lowest(uint64(middles)))]
            if pattern_of(beside, own) == _ALL:
                return True
            middles &= middles - 1
        return False

    @compiled
    def put(cell: Any, own: Any, out: Any, at: Any) -> Any:
        """Add a stone, which is in `own` already, to the chains; return whether it wins."""
        about_runs = int64(runs[uint64(pattern_of(cell, own))])
        about, unbiased = at + numbers, cell - _BIAS
        out[uint64(at + cell)] = cell
        out[uint64(about + cell)] = 0
        root = root_of(unbiased + (about_runs & _BYTE), out, at)
        other = root_of(unbiased + (about_runs >> 8 & _BYTE), out, at)
        # Without a second run `other` is the stone itself, whose description is still empty.
        ring = int64(root == other) & int64(root != cell)
        met = int64(described[uint64(cell)])
        chain = entry_at(root, out, about)
        bridge = chain & met
        chain |= met
        met = entry_at(other, out, about)
        bridge |= chain & met
        chain |= met
        out[uint64(at + other)] = root
        out[uint64(at + cell)] = root
        if about_runs < 0:
            third = root_of(unbiased + (about_runs >> _THIRD & _BYTE), out, at)
            ring |= int64(third == root)
            met = entry_at(third, out, about)
            bridge |= chain & met
            chain |= met
            out[uint64(at + third)] = root
        out[uint64(about + root)] = chain
        # Between two runs of one chain, `bridge` means nothing; but then the ring wins.
        fork = int64(_FORKS >> uint64(chain & _SIDES) & _ONE)
        if ring | fork | (bridge & _CORNER) != 0:
            return True
        middles = about_runs >> _MIDDLES & _BYTE
        return middles != 0 and fills_ring(cell, middles, own)

    @compiled
    def set_up(stones: Any, out: Any, at: Any) -> None:
        """Find the chains of `stones`."""
        order, own = at + 2 * numbers, nothing
        for k in range(write(stones, out, order)):
            cell = entry_at(k, out, order)
            own = either(own, single(cell))
            put(cell, own, out, at)

    @compiled
    def rollout(position: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        mine, theirs, colour = position
        set_up(mine, out, at)
        set_up(theirs, out, at)
        order = at + 2 * numbers
        left = int64(write(without(cells, either(mine, theirs)), out, order))
        mover, random = int64(colour), uint64(0)
        # Each move takes one of the cells that are left to the front of them. Half a random word is
        # enough for a move.
        for k in range(left):
            if k & 1 == 0:
                random = word(key, step)
                step += 1
            else:
                random <<= _HALF
            drawn = k + int64(((random >> _HALF) * uint64(left - k)) >> _HALF)
            cell = entry_at(drawn, out, order)
            out[uint64(order + drawn)] = out[uint64(order + k)]
            out[uint64(order + k)] = cell
            own = either(mine, single(cell))
            if put(cell, own, out, at):
                return 2 - 2 * mover, int64(k + 1)
            mine, theirs, mover = theirs, own, 1 - mover
        return int64(1), left

    @compiled
    def write_moves(played: Any, colour: Any, out: Any, at: Any) -> None:
        for k in range(played):
            entry = 2 * entry_at(k, out, at + 2 * numbers) + ((colour + k) & 1)
            out[uint64(at + k)] = entry

    return HavannahGames(rollout, write_moves, 2 * numbers + len(grid.board.places))


def _descriptions(grid: HexGrid, base: int) -> Any:
    """Return the description of a chain of one stone, by its cell."""
    described = np.zeros(grid.numbers, np.int8)
    corners, sides = rim_of_hexagon(base)
    for place in corners:
        described[grid.number(place)] = _CORNER
    for number, side in enumerate(sides):
        for place in side:
            described[grid.number(place)] = 1 << number
    return described


def _runs(steps: tuple[int, ...]) -> Any:
    """Return the table of runs. A run that is not there is the stone itself."""
    table = np.zeros(_PATTERNS, np.int64)
    # The bit of a pattern for each of the steps: right, far, near, left, and those above.
    bit_of_step = (4, 6, 5, 2, 0, 1)
    for pattern in range(_PATTERNS):
        there = [pattern >> bit & 1 for bit in bit_of_step]
        begins = [steps[k] for k in range(6) if there[k] and not there[k - 1]]
        if all(there):
            begins = [steps[0]]
        middles = sum(1 << k for k in range(6) if there[k] and there[k - 1] and there[(k + 1) % 6])
        parts = [_BIAS + step for step in (*begins, 0, 0, 0)[:3]] + [middles]
        packed = int.from_bytes(parts, "little")
        table[pattern] = packed - 2**63 if len(begins) == 3 else packed
    return table


@game("havannah", version=1, summary="stones on a hexagon: form a ring, a bridge or a fork")
def havannah(base: int = 5, swap: int = 0) -> Rules:
    """Return the rules on a hexagon with `base` cells on each side, 4 to 10."""
    if not 4 <= base <= 10:
        raise ValueError(f"base={base} is not between 4 and 10")
    grid = hex_grid(HexBoard.hexagon(base, ("X", "O")), first=2 * base)
    stones = hex_stones(
        grid,
        swap,
        _win_check(grid, base),
        _same,
        aim="A ring of stones around any cells, a bridge between two corners or a fork to three "
        "sides wins; corners belong to no side.",
        symmetries=hexagon_symmetries(base),
    )
    score, opening = stones.rules.score, stones.opening
    random_games = havannah_rollout(grid, base)
    played_out, write = random_games.rollout, random_games.write
    # A note is (number of moves, who made the first of them, a move before these or -1).
    no_note = 0, 0, -1

    @compiled
    def rollout(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if state[3]:
            return score(state), no_note
        state, step, first = opening(state, key, step)
        points, played = played_out(state[:3], key, step, out, at)
        return points, (played, state[2], first)

    @compiled
    def moves(note: Any, out: Any, at: Any) -> Any:
        played, colour, first = note
        write(played, colour, out, at)
        if first >= 0:
            out[at + played] = 2 * first
            played += 1
        return played

    return replace(
        stones.rules,
        rollout=Parts.at_once(rollout, moves, no_note),
        scratch=random_games.scratch,
    )


@compiled
def _same(stones: Any) -> Any:
    return stones


def _win_check(grid: HexGrid, base: int) -> Any:
    """Return wins(stone, own, colour): whether a new stone makes a ring, bridge or fork of `own`.

    It does not depend on the colour.
    """
    sets, around, connected = grid.sets, grid.around, grid.connected
    both, without, same = sets.both, sets.without, sets.same
    count, is_empty, several = sets.count, sets.is_empty, sets.several
    up, down = sets.up, sets.down
    cells = grid.cells
    corner_cells, sides = rim_of_hexagon(base)
    corners = sets.make(grid.number(place) for place in corner_cells)
    side0, side1, side2, side3, side4, side5 = (
        sets.make(grid.number(place) for place in side) for side in sides
    )
    border = sets.make(grid.number(place) for part in (corner_cells, *sides) for place in part)
    _, far, near, *_ = grid.steps

    @compiled
    def touches(group: Any, side: Any) -> Any:
        return int64(not is_empty(both(group, side)))

    @compiled
    def has_fork(group: Any) -> Any:
        sides = touches(group, side0) + touches(group, side1) + touches(group, side2)
        sides += touches(group, side3) + touches(group, side4) + touches(group, side5)
        return sides >= 3

    @compiled
    def has_ring(group: Any) -> Any:
        # A stone of the group with six neighbours in it is the middle of a filled ring.
        sideways = both(up(group, 1), down(group, 1))
        slanting = both(both(up(group, near), down(group, near)), sideways)
        if not is_empty(both(both(up(group, far), down(group, far)), both(slanting, group))):
            return True
        # Otherwise a ring is around some other cell, which has no way to the border.
        rest = without(cells, group)
        return not same(connected(both(rest, border), rest), rest)

    @compiled
    def wins(stone: Any, own: Any, colour: Any) -> Any:
        beside = both(around(stone), own)
        if is_empty(beside):
            return False
        group = connected(stone, own)
        if several(both(group, corners)) or has_fork(group):
            return True
        # The smallest ring has six stones, and each of them two neighbours in it.
        return several(beside) and count(group) >= 6 and has_ring(group)

    return wins
