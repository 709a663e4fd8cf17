"""The tree of all states and moves seen, as arrays in an order for summing up.

A *node* is a state of the colour that learns, an *edge* a move at a node. An edge leads to the
nodes that the opponent's answers produce. Their frequency depends on the opponent alone, not on
what we play there, so every game counts, even an old one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled_entry
from seedfolio.learning.book.statistics import Rows
from seedfolio.players.books.table import NO_STATE
from seedfolio.portfolios.book.book import Numbers, Words

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
    heads, edges = _begins(rows.states[:own], rows.moves[:own])
    states, moves = rows.states[heads], rows.moves[edges].astype(np.int64)
    first, nodes = np.empty(len(heads) + 1, np.int64), np.empty(len(edges), np.int64)
    _share_out(np.append(heads, own), edges, first, nodes)
    # Where a game comes next, or has ended, it was entered before; so each edge has a row.
    ways = np.concatenate([heads, np.arange(own, len(rows))])
    above = np.full(len(ways), -1, np.int64)
    if not _find_edges(states, first, moves, rows.last[ways], rows.last_moves[ways], above):
        raise ValueError("the rows of a book do not form a tree")
    parents, ended = above[: len(heads)], above[len(heads) :]
    sums, arms = np.zeros((4, len(edges)), np.int64), np.full(len(edges), _NO_STATE)
    results = rows.games, rows.points, rows.natural_games, rows.natural_points
    _add_up(*results, rows.arms, edges, own, ended, sums, arms)
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
        arms=arms,
    )


def _begins(states: Words, moves: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
    """Return where the rows of each state begin, and those of each move at a state."""
    new = np.ones(len(states), np.bool_)
    np.not_equal(states[1:], states[:-1], out=new[1:])
    heads = np.flatnonzero(new)
    new[1:] |= moves[1:] != moves[:-1]
    return heads, np.flatnonzero(new)


def _share_out_template(heads: Any, edges: Any, first: Any, nodes: Any) -> None:
    """Write where the edges of each node begin, and the node of each edge."""
    edge = 0
    for node in range(len(heads) - 1):
        first[node] = edge
        while edge < len(edges) and edges[edge] < heads[node + 1]:
            nodes[edge] = node
            edge += 1
    first[len(heads) - 1] = edge


_share_out = compiled_entry(_share_out_template, {})


def _add_up_template(
    games: Any,
    points: Any,
    natural_games: Any,
    natural_points: Any,
    row_arms: Any,
    edges: Any,
    own: Any,
    ended: Any,
    sums: Any,
    arms: Any,
) -> None:
    """Add up the results of each edge's rows, and of the games that ended after it."""
    edge = -1
    for row in range(len(games)):
        if row < own:
            if edge + 1 < len(edges) and edges[edge + 1] == row:
                edge += 1
            at = edge
            arms[at] = min(arms[at], row_arms[row])
        else:
            at = ended[row - own]
        if at >= 0:
            sums[0, at] += games[row]
            sums[1, at] += points[row]
            sums[2, at] += natural_games[row]
            sums[3, at] += natural_points[row]


_add_up = compiled_entry(_add_up_template, {})


def _find_edges_template(
    states: Any, first: Any, moves: Any, wanted: Any, played: Any, found: Any
) -> Any:
    """Fill in the edge of each wanted state and move, -1 for no state; return whether all exist."""
    # States are hashes in order: those with the same high bits are few, and side by side.
    bits = 1
    while 1 << bits < len(states):
        bits += 1
    low_bits = np.uint64(64 - bits)
    begins = np.full((1 << bits) + 1, len(states), np.int64)
    for node in range(len(states) - 1, -1, -1):
        begins[int64(states[node] >> low_bits)] = node
    for part in range((1 << bits) - 1, -1, -1):
        begins[part] = min(begins[part], begins[part + 1])
    for k in range(len(wanted)):
        if wanted[k] == _NO_STATE:
            continue
        part = int64(wanted[k] >> low_bits)
        node, end = begins[part], begins[part + 1]
        while node < end:
            middle = (node + end) // 2
            if states[middle] < wanted[k]:
                node = middle + 1
            else:
                end = middle
        if node == len(states) or states[node] != wanted[k]:
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
