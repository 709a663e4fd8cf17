"""What the next games play at each state: mostly the book, sometimes another move to explore it.

Where no move has been entered, it is the program's own choice or one of the most promising moves.
Elsewhere a share of the games tries rivals, moves that may turn out better than the entry, and the
program's own choice; the rest play the entry, or draw between the moves of a book with variety.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.learning.book.several_moves import NO_BOUND
from seedfolio.learning.book.tree import Tree
from seedfolio.players.books.table import MOST_CHOICES, NO_STATE
from seedfolio.portfolios.book.book import Numbers, Values

_NO_STATE = np.uint64(NO_STATE)
_LEAST_SPREAD = 0.02
"""The least variance of one game's success that is assumed."""
_SLOTS = 16
"""Choices at a state for which no move has been entered."""
_NATURAL_SLOTS = 4
_MOST_RIVALS = 5
_LONGEST = MOST_CHOICES
_LONGEST_DRAWN = 120
"""Choices of a state that draws between moves, which lists most of them. Rivals are as many as
among 255 choices, so that such a state explores up to twice as much."""


@dataclass(frozen=True)
class Tries:
    """What the next games play; the first two arrays in the order of the nodes."""

    counts: Numbers
    """How many choices each node has; 0: nothing is tried there yet."""
    listed: Numbers
    """How many of them are listed; the others are the entry."""
    choices: Numbers
    """All that are listed, node after node: moves, or -1."""


@compiled
def standard_error(value: Any, games: Any, prior: Any) -> Any:
    """Return the standard error of the value of a move."""
    return sqrt(max(value * (1 - value), _LEAST_SPREAD) / (games + prior))


def list_tries(
    tree: Tree,
    best: Numbers,
    edge_games: Numbers,
    edge_values: Values,
    draws: Numbers,
    *,
    tried: NDArray[np.bool_],
    shares: Values,
    weights: Values,
) -> Tries:
    """Return what to play, where `tried` says so; `shares` of the games are for exploring."""
    most = np.clip(shares * _LONGEST, 1, _MOST_RIVALS + 1).astype(np.int64)
    longest = np.minimum(_LONGEST, most / shares).astype(np.int64)
    counts, listed = np.zeros(len(tree), np.int64), np.zeros(len(tree), np.int64)
    several = np.bincount(tree.nodes, draws > 0, len(tree)) > 1
    longest_list = max(
        _LONGEST_DRAWN, _MOST_RIVALS + 1 + int(np.bincount(tree.nodes, draws).max(initial=0))
    )
    room = _SLOTS * int(tried.sum()) + longest_list * int((tried & several).sum())
    choices = np.empty(room, np.int64)
    edges = tree.first, tree.moves, tree.arms, best, edge_games, edge_values, draws
    used = _list(*edges, tried, longest, shares, most, weights, counts, listed, choices)
    return Tries(counts, listed, choices[:used])


def _list_template(
    first: Any,
    moves: Any,
    arms: Any,
    best: Any,
    edge_games: Any,
    edge_values: Any,
    draws: Any,
    tried: Any,
    longest: Any,
    shares: Any,
    most: Any,
    weights: Any,
    counts: Any,
    listed: Any,
    choices: Any,
) -> Any:
    """Write the choices of each node for the next games: rivals up to `most`, then drawn moves.

    Return how many are listed in all.
    """
    prior, errors = weights[0], weights[1]
    rivals = np.zeros(_MOST_RIVALS, np.int64)
    bounds = np.zeros(_MOST_RIVALS)
    at = 0
    for node in range(len(best)):
        if not tried[node]:
            continue
        least = NO_BOUND
        if best[node] >= 0:
            value = edge_values[best[node]]
            least = value - errors * standard_error(value, edge_games[best[node]], prior)
        count, others = 0, 0
        for edge in range(first[node], first[node + 1]):
            if draws[edge] > 0:
                others += draws[edge] if edge != best[node] else 0
                continue
            value = edge_values[edge]
            bound = value + errors * standard_error(value, edge_games[edge], prior)
            if bound <= least or arms[edge] == _NO_STATE:
                continue
            place = count
            while place > 0 and bounds[place - 1] < bound:
                if place < _MOST_RIVALS:
                    bounds[place], rivals[place] = bounds[place - 1], rivals[place - 1]
                place -= 1
            if place < _MOST_RIVALS:
                bounds[place], rivals[place] = bound, edge
                count = min(count + 1, _MOST_RIVALS)
        if best[node] < 0:
            # No entry yet: the program's own choice, and the most promising moves.
            counts[node] = listed[node] = _SLOTS
            for k in range(_SLOTS):
                if k < _NATURAL_SLOTS or count == 0:
                    choices[at + k] = -1
                else:
                    choices[at + k] = moves[rivals[k % min(count, 4)]]
        else:
            # The best rivals, and last the program's own choice.
            listed[node] = min(count + 1, most[node])
            counts[node] = min(longest[node], int(listed[node] / shares[node]))
            for k in range(listed[node]):
                choices[at + k] = -1 if k == count else moves[rivals[k]]
            if others > 0:
                # The other moves that are drawn, each about as often as it says.
                tries, total = listed[node], others + draws[best[node]]
                counts[node] = max(tries + total, min(counts[node], _LONGEST_DRAWN))
                if draws[best[node]] > 1:
                    counts[node] = tries + total
                for edge in range(first[node], first[node + 1]):
                    if draws[edge] > 0 and edge != best[node]:
                        for _ in range(draws[edge] * ((counts[node] - tries) // total)):
                            choices[at + listed[node]] = moves[edge]
                            listed[node] += 1
        at += listed[node]
    return at


_list = compiled_entry(_list_template, {})
