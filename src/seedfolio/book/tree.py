"""The tree of what was seen: its states and moves in arrays, in an order for summing up.

A *node* is a state of the colour that learns, an *edge* a move at a node. Behind an edge come the
nodes that the answers of the opponent lead to; how often they come depends on the opponent alone,
whatever we play there, so every game tells it, however old.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.statistics import Numbers, Rows, Words, edge_keys
from seedfolio.players.book_table import NO_STATE

_NO_STATE = np.uint64(NO_STATE)


@dataclass(frozen=True)
class Tree:
    """Nodes in order of their states; edges node by node, in order of moves."""

    states: Words
    parents: Numbers
    """The edge that leads to each node; -1 at the root."""
    first: Numbers
    """Where the edges of each node begin, with one more number at the end."""
    order: Numbers
    """The nodes, each after all that come behind it."""
    moves: Numbers
    """The move of each edge."""
    nodes: Numbers
    """The node of each edge."""
    games: Numbers
    """Games that left the book with this move, or ended in the book behind it."""
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
    """Return the tree of all states in the rows."""
    inside = rows.states == _NO_STATE
    rooted = rows.last == _NO_STATE
    states = np.unique(np.concatenate([rows.states[~inside], rows.last[~rooted]]))
    # Every edge that a row names: where the book was left, or the last one in it.
    own = ~inside
    named = [
        (rows.states[own], rows.moves[own]),
        (rows.last[~rooted], rows.last_moves[~rooted]),
    ]
    edge_states, moves = (np.concatenate([pair[k] for pair in named]) for k in (0, 1))
    keys, at = np.unique(edge_keys(edge_states, moves), return_index=True)
    edge_states, moves = edge_states[at], moves[at]
    nodes = np.searchsorted(states, edge_states).astype(np.int64)
    sort = np.lexsort((moves, nodes))
    place = np.empty_like(sort)
    place[sort] = np.arange(len(sort))
    nodes, moves = nodes[sort], moves[sort]

    def edge(which: NDArray[np.bool_], words: Words, played: Numbers) -> Numbers:
        found = np.searchsorted(keys, edge_keys(words[which], played[which]))
        numbers: Numbers = place[found]
        return numbers

    parents = np.full(len(states), -1, np.int64)
    linked = own & ~rooted
    parents[np.searchsorted(states, rows.states[linked])] = edge(linked, rows.last, rows.last_moves)
    columns = np.zeros((4, len(moves)), np.int64)
    arms = np.full(len(moves), _NO_STATE)
    left = edge(own, rows.states, rows.moves)
    ended = edge(inside & ~rooted, rows.last, rows.last_moves)
    whole = rows.games, rows.points, rows.natural_games, rows.natural_points
    for column, values in zip(columns, whole, strict=True):
        np.add.at(column, left, values[own])
        np.add.at(column, ended, values[inside & ~rooted])
    arms[left] = rows.arms[own]
    return Tree(
        states=states,
        parents=parents,
        first=np.searchsorted(nodes, np.arange(len(states) + 1)).astype(np.int64),
        order=_deepest_first(parents, nodes),
        moves=moves,
        nodes=nodes,
        games=columns[0],
        points=columns[1],
        natural_games=columns[2],
        natural_points=columns[3],
        arms=arms,
    )


def _deepest_first(parents: Numbers, nodes: Numbers) -> Numbers:
    depth = np.zeros(len(parents), np.int64)
    above = np.where(parents >= 0, nodes[np.maximum(parents, 0)] if len(nodes) else 0, -1)
    going = above.copy()
    while (going >= 0).any():
        depth += going >= 0
        going = np.where(going >= 0, above[np.maximum(going, 0)], -1)
    order: Numbers = np.argsort(-depth, kind="stable").astype(np.int64)
    return order
