"""What RAVE counts for the moves of its simulations, in its workspace, and how it weighs that.

The workspace begins with the tree, which has one section more: the number of the node's table of
AMAF counts. Behind it are the tables; the path of the simulation; a mark for each move and colour
that the simulation has met; a list for each colour of the moves that it made; the scratch space of
random games.
"""

from __future__ import annotations

from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.players.tree import MOVE, POINTS, SECTIONS, VISITS, add, get, put

UNIT_BITS = 16
"""The bias is a multiple of 2**-16."""
TABLE, NODE_SECTIONS = SECTIONS, SECTIONS + 1
"""The further section, and the number of all."""

# The knobs: sizes, and where things begin in the workspace; the parameters; from ROOT_LOG on the
# tables root_log and inverse_root of fixedpoint.ucb_tables.
(
    SIMULATIONS,
    CAPACITY,
    NAMES,
    TABLES,
    PATH,
    MARKS,
    LISTS,
    LENGTH,
    SCRATCH,
    GRAVE,
    BIAS,
    SHIFT,
    ROOT_LOG,
) = range(13)


def value_bits(simulations: int) -> int:
    """Return how many bits after the point the value of a child has, so that nothing overflows."""
    # The numerator is at most 2 * simulations * (simulations + 2) units.
    return min(32, 62 - UNIT_BITS - (2 * simulations * (simulations + 2)).bit_length())


@compiled
def table_at(table: Any, knobs: Any) -> Any:
    """Return where a table of AMAF counts begins."""
    size = 2 * get(knobs, NAMES)
    return get(knobs, TABLES) + table * (2 * size if get(knobs, GRAVE) > 0 else size)


@compiled
def of_colour(table: Any, colour: Any, knobs: Any) -> Any:
    """Return where the counts of a colour begin in a table; RAVE needs those of the mover only."""
    return table + (2 * get(knobs, NAMES) * colour if get(knobs, GRAVE) > 0 else 0)


@compiled
def best_child(visits: Any, children: Any, counts: Any, knobs: Any, work: Any) -> Any:
    """Return the child with the greatest value, the earliest if several.

    `children` are (first, end); `counts` is where the AMAF counts of their colour begin.
    """
    capacity, bias, shift = get(knobs, CAPACITY), get(knobs, BIAS), get(knobs, SHIFT)
    explore = get(knobs, ROOT_LOG + visits)
    inverse_root = ROOT_LOG + get(knobs, SIMULATIONS) + 3
    best, best_value = children[0], int64(-1)
    for k in range(children[0], children[1]):
        n = get(work, VISITS * capacity + k)
        w = get(work, POINTS * capacity + k)
        amaf = counts + 2 * get(work, MOVE * capacity + k)
        m, r = get(work, amaf), get(work, amaf + 1)
        if n + m == 0:
            return k
        unit = int64(1) << UNIT_BITS
        points = w * (unit + bias * m) + r * unit
        weight = 2 * ((n + m) * unit + bias * n * m)
        value = int64((uint64(points) << uint64(shift)) // uint64(weight))
        value += (explore * get(knobs, inverse_root + n + 1)) >> (32 - shift)
        if value > best_value:
            best_value = value
            best = k
    return best


@compiled
def list_moves(count: Any, stamp: Any, knobs: Any, work: Any) -> Any:
    """Sort the moves of a random game into the lists of both colours; return their lengths."""
    scratch, marks = get(knobs, SCRATCH), get(knobs, MARKS)
    lists, length = get(knobs, LISTS), get(knobs, LENGTH)
    first, second = int64(0), int64(0)
    for k in range(count):
        entry = get(work, scratch + k)
        if get(work, marks + entry) != stamp:
            put(work, marks + entry, stamp)
            at = lists + (first if entry & 1 == 0 else length + second)
            put(work, at, entry >> 1)
            first += 1 - (entry & 1)
            second += entry & 1
    return first, second


@compiled
def _count_amaf(counts: Any, first: Any, end: Any, points: Any, work: Any) -> None:
    """Count a simulation for the moves in a list."""
    for k in range(first, end):
        amaf = counts + 2 * get(work, k)
        add(work, amaf, 1)
        add(work, amaf + 1, points)


@compiled
def _count_table(table: Any, mover: Any, lengths: Any, result: Any, knobs: Any, work: Any) -> None:
    """Count a simulation in a node's table."""
    lists, length = get(knobs, LISTS), get(knobs, LENGTH)
    begin = table_at(table, knobs)
    grave = get(knobs, GRAVE) > 0
    if grave or mover == 0:
        counts = of_colour(begin, int64(0), knobs)
        _count_amaf(counts, lists, lists + lengths[0], result, work)
    if grave or mover == 1:
        counts = of_colour(begin, int64(1), knobs)
        second = lists + length
        _count_amaf(counts, second, second + lengths[1], 2 - result, work)


@compiled
def add_result(
    result: Any, depth: Any, mover: Any, lengths: Any, stamp: Any, knobs: Any, work: Any
) -> None:
    """Count a simulation along its path, from the leaf to the root.

    `mover` is the colour to move at the leaf; `lengths` are those of the lists.
    """
    capacity, path = get(knobs, CAPACITY), get(knobs, PATH)
    lists, length, marks = get(knobs, LISTS), get(knobs, LENGTH), get(knobs, MARKS)
    first, second = lengths
    for above in range(depth):
        k = depth - 1 - above
        entry = get(work, path + k)
        node, colour = entry >> 1, entry & 1
        _count_table(
            get(work, TABLE * capacity + node), mover, (first, second), result, knobs, work
        )
        add(work, VISITS * capacity + node, 1)
        add(work, POINTS * capacity + node, result if colour == 0 else 2 - result)
        move = get(work, MOVE * capacity + node)
        if get(work, marks + 2 * move + colour) != stamp:
            put(work, marks + 2 * move + colour, stamp)
            put(work, lists + (first if colour == 0 else length + second), move)
            first += 1 - colour
            second += colour
        mover = colour
    _count_table(int64(0), mover, (first, second), result, knobs, work)
    add(work, VISITS * capacity, 1)
