"""Random games of Havannah: chains by union-find in the scratch space, rings by patterns.

Each cell has an entry in the scratch space: nothing, or a stone of a colour with either its chain's
description (at the root of the chain) or the place of a stone nearer to the root. A new stone can
close a ring in two ways only. Either it touches one chain in two separate runs of its six
neighbours: then the loop is around what separates the runs. Or a neighbour in the middle of a run
of three has six neighbours of this colour now. The six neighbours are a pattern of six bits, from
which both follow; most patterns need no further look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.core.words import lowest
from seedfolio.games.hex_board import rim_of_hexagon
from seedfolio.games.hex_grid import HexGrid

# An entry is (1 + colour) << _COLOUR, plus for a root _ROOT and its description, and for another
# stone a place, which is below _ROOT. Bits of the description: six for the sides that the chain
# touches, and one for a corner.
_ROOT = 512
_COLOUR = 10
_CORNER = 64
_SIDES = 63


@dataclass(frozen=True)
class RandomGames:
    """Random games from a position (stones of the mover, stones of the other, colour to move)."""

    rollout: Any
    """rollout(position, key, step, out, at): (half points of the first player, moves played)."""
    trace: Any
    """trace(position, key, step, out, at): the same, with 2 * move + colour of each move written
    to out[at], out[at + 1], ..."""
    scratch: int
    """How many numbers they write."""


def havannah_rollout(grid: HexGrid, base: int) -> RandomGames:
    """Return the random games of a board."""
    sets, cells = grid.sets, grid.cells
    either, without, single = sets.either, sets.without, sets.single
    first, is_empty, count = sets.first, sets.is_empty, sets.count
    steps = np.array(grid.steps, np.int64)
    # Places are numbers of cells plus `pad`, so that every cell has six places around it.
    pad = max(grid.steps)
    entries = grid.numbers + 2 * pad
    assert entries <= _ROOT
    described = _descriptions(grid, base, pad, entries)

    @compiled
    def root_of(place: Any, out: Any, at: Any) -> Any:
        """Return the place of a chain's root; shorten the way there."""
        entry = int64(out[uint64(at + place)])
        while entry & _ROOT == 0:
            parent = entry & (_ROOT - 1)
            above = int64(out[uint64(at + parent)])
            if above & _ROOT == 0:
                out[uint64(at + place)] = above  # the same colour, one step nearer
            place, entry = parent, above
        return place

    @compiled
    def is_own(place: Any, colour: Any, out: Any, at: Any) -> Any:
        return int64(int64(out[uint64(at + place)]) >> _COLOUR == colour)

    @compiled
    def fills_ring(place: Any, middles: Any, colour: Any, out: Any, at: Any) -> Any:
        """Tell whether one of the neighbours `middles` has six neighbours of this colour."""
        while middles != 0:
            k = lowest(uint64(middles))
            middles &= middles - 1
            beside = place + steps[uint64(k)]
            beyond = is_own(beside + steps[uint64(k)], colour, out, at)
            beyond &= is_own(beside + steps[uint64((k + 1) % 6)], colour, out, at)
            if beyond & is_own(beside + steps[uint64((k + 5) % 6)], colour, out, at):
                return True
        return False

    @compiled
    def put(place: Any, colour: Any, out: Any, at: Any) -> Any:
        """Put a stone of colour 1 or 2 on a place; return whether it wins."""
        pattern = int64(0)
        for k in range(6):
            pattern |= is_own(place + steps[k], colour, out, at) << k
        tag = colour << _COLOUR
        about = int64(described[uint64(place)])
        if pattern == 0:
            out[uint64(at + place)] = tag | _ROOT | about
            return False
        # Bit k: whether the neighbour before the k-th is of this colour, and the one after it.
        before = ((pattern << 1) | (pattern >> 5)) & 63
        after = ((pattern >> 1) | (pattern << 5)) & 63
        begins = pattern & ~before
        root = root_of(place + steps[uint64(lowest(uint64(begins)))], out, at)
        out[uint64(at + place)] = tag | root
        met = int64(out[uint64(at + root)])
        sides, corner = (about | met) & _SIDES, (about | met) & _CORNER
        has_ring, has_bridge = False, about & met & _CORNER != 0
        begins &= begins - 1
        while begins != 0:
            other = root_of(place + steps[uint64(lowest(uint64(begins)))], out, at)
            begins &= begins - 1
            if other == root:
                has_ring = True
            else:
                met = int64(out[uint64(at + other)])
                has_bridge = has_bridge or corner & met != 0
                sides, corner = sides | (met & _SIDES), corner | (met & _CORNER)
                out[uint64(at + other)] = tag | root
        out[uint64(at + root)] = tag | _ROOT | sides | corner
        # At least three sides: something is left after taking away two.
        but_one = sides & (sides - 1)
        if has_ring or has_bridge or but_one & (but_one - 1) != 0:
            return True
        middles = pattern & before & after
        return middles != 0 and fills_ring(place, middles, colour, out, at)

    @compiled
    def set_up(stones: Any, colour: Any, out: Any, at: Any) -> None:
        while not is_empty(stones):
            cell = int64(first(stones))
            stones = without(stones, single(cell))
            put(cell + pad, colour, out, at)

    @compiled
    def rollout(position: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        mine, theirs, colour = position
        for k in range(entries):
            out[uint64(at + k)] = 0
        set_up(mine, 1 + colour, out, at)
        set_up(theirs, 2 - colour, out, at)
        empty = without(cells, either(mine, theirs))
        left = int64(count(empty))
        order = at + entries
        for k in range(left):
            cell = int64(first(empty))
            empty = without(empty, single(cell))
            out[uint64(order + k)] = cell
        # Each move takes one of the cells that are left to the front of them.
        stone = int64(1 + colour)
        for k in range(left):
            drawn = order + k + below(key, step, left - k)
            step += 1
            cell = int64(out[uint64(drawn)])
            out[uint64(drawn)] = out[uint64(order + k)]
            out[uint64(order + k)] = cell
            if put(cell + pad, stone, out, at):
                return 4 - 2 * stone, int64(k + 1)
            stone = 3 - stone
        return int64(1), left

    @compiled
    def trace(position: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        points, played = rollout(position, key, step, out, at)
        mover = position[2]
        for k in range(played):
            colour = (mover + k) & 1
            out[uint64(at + k)] = 2 * int64(out[uint64(at + entries + k)]) + colour
        return points, played

    return RandomGames(rollout, trace, entries + len(grid.board.places))


def _descriptions(grid: HexGrid, base: int, pad: int, entries: int) -> Any:
    """Return the description of a chain of one stone, by its place."""
    described = np.zeros(entries, np.int8)
    corners, sides = rim_of_hexagon(base)
    for place in corners:
        described[grid.number(place) + pad] = _CORNER
    for number, side in enumerate(sides):
        for place in side:
            described[grid.number(place) + pad] = 1 << number
    return described
