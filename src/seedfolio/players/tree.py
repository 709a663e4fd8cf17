"""The search tree of a player in its workspace: numbers in sections, one entry for each node.

The children of a node are consecutive. Players that need more for a node add sections.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.players.fixedpoint import ucb_tables

MOVE, CHILD, COUNT, VISITS, POINTS = range(5)
"""The sections: the move that leads to a node; its first child and their number; how often it was
visited, and the half points of the player whose move led to it."""
SECTIONS = 5

SIMULATIONS, CAPACITY, ROOT_LOG = 0, 1, 2
"""The knobs of `ucb_knobs`; pairs of (reciprocal, inverse_root) follow the table root_log."""
MAX_SIMULATIONS = 100_000


def ucb_knobs(
    simulations: int, capacity: int, exploration: Decimal, scale: int = 2
) -> NDArray[np.int64]:
    """Return the number of simulations, of nodes, and the tables of fixedpoint.ucb_tables."""
    tables = ucb_tables(simulations + 1, exploration, scale).reshape(3, -1)
    reciprocal, inverse_root, root_log = tables
    # These two are always read together, so they are stored as pairs.
    pairs = np.column_stack([reciprocal, inverse_root]).reshape(-1)
    return np.concatenate([np.array([simulations, capacity], np.int64), root_log, pairs])


def success_of_best(tree: NDArray[np.int32], capacity: int, tried: int) -> float:
    """Return the mean points of the child of the root that was visited most, of those tried."""
    visits, points = (tree[part * capacity + 1 :][:tried] for part in (VISITS, POINTS))
    best = int(np.lexsort((points, visits))[-1])
    return int(points[best]) / int(visits[best])


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
def most_visited(end: Any, tree: Any, capacity: Any, base: Any = 0) -> Any:
    """Return the child of the root with most visits, then most points, then the earliest.

    The children of the root are the nodes from 1 to `end` - 1. The tree begins at `base`.
    """
    visits, points = base + VISITS * capacity, base + POINTS * capacity
    best = int64(1)
    for k in range(2, end):
        more = get(tree, visits + k) - get(tree, visits + best)
        better = get(tree, points + k) - get(tree, points + best)
        if more > 0 or (more == 0 and better > 0):
            best = int64(k)
    return best
