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

from seedfolio.book.statistics import Rows, edge_keys
from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import mix
from seedfolio.players.book_table import NO_STATE
from seedfolio.portfolios.book import Numbers, Words

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
    """The nodes, each after all nodes below it."""
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
    """Return the tree of all states in the rows."""
    own, behind = rows.states != _NO_STATE, rows.last != _NO_STATE
    # Every edge that a row names: where the book was left, and the last one in it.
    named = np.concatenate([rows.states[own], rows.last[behind]])
    played = np.concatenate([rows.moves[own], rows.last_moves[behind]])
    number, first = _numbered(named)
    sort = np.argsort(named[first])
    states, node_of = named[first][sort], _ranks(sort)[number]
    number, first = _numbered(edge_keys(named, played))
    sort = np.argsort((node_of[first] << 16) + played[first])
    nodes, moves, edge_of = node_of[first][sort], played[first][sort], _ranks(sort)[number]
    left, above = edge_of[: own.sum()], np.full(len(rows), -1, np.int64)
    above[behind] = edge_of[own.sum() :]
    parents = np.full(len(states), -1, np.int64)
    parents[node_of[: own.sum()]] = above[own]
    ended = ~own & behind
    columns = np.zeros((4, len(moves)), np.int64)
    whole = rows.games, rows.points, rows.natural_games, rows.natural_points
    for column, values in zip(columns, whole, strict=True):
        np.add.at(column, left, values[own])
        np.add.at(column, above[ended], values[ended])
    arms = np.full(len(moves), _NO_STATE)
    arms[left] = rows.arms[own]
    depths = np.full(len(states), -1, np.int16)
    _measure(parents, nodes, depths)
    return Tree(
        states=states,
        parents=parents,
        first=np.searchsorted(nodes, np.arange(len(states) + 1)).astype(np.int64),
        order=np.argsort(-depths, kind="stable"),
        moves=moves,
        nodes=nodes,
        games=columns[0],
        points=columns[1],
        natural_games=columns[2],
        natural_points=columns[3],
        arms=arms,
    )


def _numbered(keys: Words) -> tuple[Numbers, Numbers]:
    """Number different keys by first appearance; return each key's number, and the first places."""
    slots = np.full(2 << max(1, len(keys)).bit_length(), -1, np.int64)
    numbers, first = np.zeros(len(keys), np.int64), np.zeros(len(keys), np.int64)
    return numbers, first[: _number(keys, slots, numbers, first)]


def _number_template(keys: Any, slots: Any, numbers: Any, first: Any) -> Any:
    last = np.uint64(len(slots) - 1)
    count = 0
    for k in range(len(keys)):
        slot = mix(keys[k]) & last
        while slots[slot] >= 0 and keys[first[slots[slot]]] != keys[k]:
            slot = (slot + np.uint64(1)) & last
        if slots[slot] < 0:
            slots[slot] = count
            first[count] = k
            count += 1
        numbers[k] = slots[slot]
    return count


_number = compiled_entry(_number_template, {})


def _ranks(sort: NDArray[np.intp]) -> Numbers:
    """Return the place of each item in an order."""
    ranks = np.empty(len(sort), np.int64)
    ranks[sort] = np.arange(len(sort))
    return ranks


def _measure_template(parents: Any, nodes: Any, depths: Any) -> None:
    """Write how many nodes are above each node."""
    for node in range(len(parents)):
        steps, at = 0, node
        while depths[at] < 0 and parents[at] >= 0:
            at = nodes[parents[at]]
            steps += 1
        if depths[at] < 0:
            depths[at] = 0
        depth = depths[at] + steps
        at = node
        for k in range(steps):
            depths[at] = depth - k
            at = nodes[parents[at]]


_measure = compiled_entry(_measure_template, {})
