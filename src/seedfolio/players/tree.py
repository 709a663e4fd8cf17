"""The search tree of a player in its workspace: numbers in sections, one entry for each node.

The children of a node are consecutive. Players that need more for a node add sections.
"""

from __future__ import annotations

from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled

MOVE, CHILD, COUNT, VISITS, POINTS = range(5)
"""The sections: the move that leads to a node; its first child and their number; how often it was
visited, and the half points of the player whose move led to it."""
SECTIONS = 5


@compiled
def get(array: Any, index: Any) -> Any:
    """Return an entry."""
    # Unsigned, because numba checks whether a signed index is negative.
    return int64(array[uint64(index)])


@compiled
def put(array: Any, index: Any, value: Any) -> None:
    """Set an entry."""
    array[uint64(index)] = value


@compiled
def add(array: Any, index: Any, value: Any) -> None:
    """Add to an entry."""
    array[uint64(index)] += value


@compiled
def clear(first: Any, end: Any, array: Any) -> None:
    """Set the entries from `first` to `end` - 1 to 0."""
    for k in range(first, end):
        put(array, k, 0)


@compiled
def most_visited(end: Any, tree: Any, capacity: Any) -> Any:
    """Return the child of the root with most visits, then most points, then the earliest.

    The children of the root are the nodes from 1 to `end` - 1.
    """
    best = int64(1)
    for k in range(2, end):
        more = get(tree, VISITS * capacity + k) - get(tree, VISITS * capacity + best)
        better = get(tree, POINTS * capacity + k) - get(tree, POINTS * capacity + best)
        if more > 0 or (more == 0 and better > 0):
            best = int64(k)
    return best
