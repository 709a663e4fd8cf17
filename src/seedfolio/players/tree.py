"""The search tree of a player in its workspace: nodes, and lists of moves.

A node is made when its move is tried, at most one in a simulation. It is named by where it begins,
and its fields lie side by side. The moves of a node are listed at its second visit. In the list a
node takes the place of a move that was tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.players.fixedpoint import ucb_tables
from seedfolio.players.interface import Outlook, Thought

MOVE, FIRST, COUNT, VISITS, POINTS = range(5)
"""The fields: the move that leads to a node; where its list of moves begins and how long it is;
how often it was visited, and the half points of the player whose move led to it."""
FIELDS = 5

SIMULATIONS, PATH, ROOT_LOG = 0, 1, 2
"""The knobs of `ucb_knobs`; pairs of (reciprocal, inverse_root) follow the table root_log."""
MAX_SIMULATIONS = 100_000


def ucb_knobs(
    simulations: int, path: int, exploration: Decimal, scale: int = 2
) -> NDArray[np.int64]:
    """Return the number of simulations, where the path begins, and fixedpoint.ucb_tables."""
    tables = ucb_tables(simulations + 1, exploration, scale).reshape(3, -1)
    reciprocal, inverse_root, root_log = tables
    # These two are always read together, so they are stored as pairs.
    pairs = np.column_stack([reciprocal, inverse_root]).reshape(-1)
    return np.concatenate([np.array([simulations, path], np.int64), root_log, pairs])


def thoughts_of(tree: NDArray[np.int32], nodes: Iterable[int], whole: int) -> list[Thought]:
    """Return the moves of nodes; a win is `whole` points."""
    return [
        Thought(int(tree[k + MOVE]), visits, int(tree[k + POINTS]) / (whole * visits))
        for k in map(int, nodes)
        if (visits := int(tree[k + VISITS]))
    ]


def most_thought_of(thoughts: Iterable[Thought]) -> Outlook:
    """Return the outlook by the move that was visited most."""
    return Outlook.of_success(max(thoughts, key=lambda each: (each.visits, each.success)).success)


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
def add_node(node: Any, move: Any, tree: Any) -> None:
    """Begin a node."""
    put(tree, node + MOVE, move)
    put(tree, node + VISITS, 0)
    put(tree, node + POINTS, 0)


@compiled
def swap(one: Any, other: Any, tree: Any) -> Any:
    """Swap two entries; return what is now at the first."""
    entry = get(tree, other)
    put(tree, other, get(tree, one))
    put(tree, one, entry)
    return entry


@compiled
def most_visited(first: Any, end: Any, tree: Any) -> Any:
    """Return the node of a list with most visits, then most points, then the earliest."""
    best = get(tree, first)
    for k in range(first + 1, end):
        node = get(tree, k)
        more = get(tree, node + VISITS) - get(tree, best + VISITS)
        better = get(tree, node + POINTS) - get(tree, best + POINTS)
        if more > 0 or (more == 0 and better > 0):
            best = node
    return best
