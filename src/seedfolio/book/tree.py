"""The tree of all states and moves seen, as arrays in an order for summing up.

A *node* is a state of the colour that learns, an *edge* a move at a node. An edge leads to the
nodes that the opponent's answers produce. Their frequency depends on the opponent alone, not on
what we play there, so every game counts, even an old one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.statistics import Rows
from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import mix
from seedfolio.players.book_table import NO_STATE
from seedfolio.portfolios.book import Numbers, Words

_NO_STATE = np.uint64(NO_STATE)
_DEEPEST = 2**15 - 1
"""No game has more turns of a colour; the depth of a node fits 16 bits."""


@dataclass(frozen=True)
class Tree:
    """Nodes in order of their states; edges node by node, in order of moves."""

    states: Words
    parents: Numbers
    """The edge that leads to each node; -1 at the root."""
    first: Numbers
    """Where the edges of each node begin, with one more number at the end."""
    order: Numbers
    """The nodes, each after all nodes below it."""
    depths: NDArray[np.int16]
    """How many moves of ours lead to each node."""
    moves: Numbers
    """The move of each edge."""
    nodes: Numbers
    """The node of each edge."""
    games: Numbers
    """Games that left the book with this move, or ended in the book after it."""
    points: Numbers
    """The half points in them."""
    natural_games: Numbers
    """Games that left the book with this move by the program's own choice."""
    natural_points: Numbers
    arms: Words
    """For each edge an arm that plays the move, see `Rows.arms`; NO_STATE: none is known."""

    def __len__(self) -> int:
        return len(self.states)


def tree_of(rows: Rows) -> Tree:
    """Return the tree of all states in the rows; ValueError if they do not form one."""
    own = int(np.searchsorted(rows.states, _NO_STATE))
    new_state = _begins(rows.states[:own])
    new_edge = new_state | _begins(rows.moves[:own])
    heads, edges = np.flatnonzero(new_state), np.flatnonzero(new_edge)
    states, nodes = rows.states[heads], (np.cumsum(new_state) - 1)[edges]
    moves = rows.moves[edges].astype(np.int64)
    first = np.searchsorted(edges, np.append(heads, own)).astype(np.int64)
    # Where a game comes next, or has ended, it was entered before; so each edge has a row.
    ways = np.concatenate([heads, np.arange(own, len(rows))])
    above = np.full(len(ways), -1, np.int64)
    slots = np.full(2 << max(1, len(states)).bit_length(), -1, np.int64)
    if not _find_edges(states, first, moves, rows.last[ways], rows.last_moves[ways], slots, above):
        raise ValueError("the rows of a book do not form a tree")
    parents, ended = above[: len(heads)], above[len(heads) :]
    inside = np.flatnonzero(ended >= 0)
    columns = rows.games, rows.points, rows.natural_games, rows.natural_points
    sums = np.zeros((len(columns), len(edges)), np.int64)
    for total, each in zip(sums, columns, strict=True):
        if len(edges) > 0:
            total[:] = np.add.reduceat(each[:own], edges, dtype=np.int64)
        np.add.at(total, ended[inside], each[own:][inside])
    depths = np.full(len(states), -1, np.int16)
    if not _measure(parents, nodes, depths):
        raise ValueError("the rows of a book lead back to themselves")
    return Tree(
        states=states,
        parents=parents,
        first=first,
        order=np.argsort(-depths, kind="stable"),
        depths=depths,
        moves=moves,
        nodes=nodes,
        games=sums[0],
        points=sums[1],
        natural_games=sums[2],
        natural_points=sums[3],
        arms=np.minimum.reduceat(rows.arms[:own], edges) if own > 0 else rows.arms[:0],
    )


def _begins(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which values differ from the one before."""
    new = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new


def _find_edges_template(
    states: Any, first: Any, moves: Any, wanted: Any, played: Any, slots: Any, found: Any
) -> Any:
    """Fill in the edge of each wanted state and move, -1 for no state; return whether all exist."""
    last = np.uint64(len(slots) - 1)
    for node in range(len(states)):
        slot = mix(states[node]) & last
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & last
        slots[slot] = node
    for k in range(len(wanted)):
        if wanted[k] == _NO_STATE:
            continue
        slot = mix(wanted[k]) & last
        while slots[slot] >= 0 and states[slots[slot]] != wanted[k]:
            slot = (slot + np.uint64(1)) & last
        node = slots[slot]
        if node < 0:
            return False
        for edge in range(first[node], first[node + 1]):
            if moves[edge] == played[k]:
                found[k] = edge
        if found[k] < 0:
            return False
    return True


_find_edges = compiled_entry(_find_edges_template, {})


def _measure_template(parents: Any, nodes: Any, depths: Any) -> Any:
    """Write how many nodes are above each node; return whether these ways end, as in a forest."""
    for node in range(len(parents)):
        steps, at = 0, node
        while depths[at] < 0 and parents[at] >= 0:
            at = nodes[parents[at]]
            steps += 1
            if steps > _DEEPEST:
                return False
        if depths[at] < 0:
            depths[at] = 0
        depth = depths[at] + steps
        if depth > _DEEPEST:
            return False
        at = node
        for k in range(steps):
            depths[at] = depth - k
            at = nodes[parents[at]]
    return True


_measure = compiled_entry(_measure_template, {})
