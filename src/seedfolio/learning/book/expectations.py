"""What to expect of a move that was tried little: its advantage elsewhere.

A good move is mostly a good one at the next state, too. Its *advantage* at a state is its success,
if the program plays on after it, minus that of the program's own choice there. The expected
advantage is the one at the state before, or 0 if the move was not seen there. At the first state it
is the mean over all states, this one included. The first state has many games, and so their results
count for more: the move entered there, on which all else depends, changes less often. Moves are
identified by their numbers: if a symmetric state has one number for all images of a move and the
next state has not, only one of the images inherits the expectation.

The weight of an expectation, in games of the move at the state itself, is learnt as well: from how
far advantages are from their expectations, beyond chance. This is rough: all games count the same,
and the games that raised an expectation are among those that test it. It orders moves that were
tried little, and its influence fades with more games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from seedfolio.core.compiler import compiled_entry
from seedfolio.learning.book.tree import Tree
from seedfolio.portfolios.book.book import Numbers, Values

_FIRST_GUESS = 100.0
"""The weight of an expectation, in games, before it is learnt, and in the mean over states."""
_STEPS = 3
"""How often the weight is learnt again from its last result; more hardly change it."""
_FEWEST, _WEIGHTIEST = 6, 200
"""Moves with fewer games than the first do not count; games beyond the second add no weight."""


@dataclass(frozen=True)
class Expectations:
    """What is expected of the nodes and edges of a tree."""

    means: Values
    """The success of the program's own play at each node."""
    advantages: Values
    """The expected advantage of each edge over that."""
    games: float
    """Its weight, in games."""


def expectations(tree: Tree, fewest: float, most: float) -> Expectations:
    """Return what to expect; its weight is `fewest` to `most` games."""
    edges = len(tree.moves)
    means, success, games = np.zeros(len(tree)), np.zeros(edges), np.zeros(edges)
    seen = tree.games, tree.points, tree.natural_games, tree.natural_points
    _left_to_program(tree.order, tree.parents, tree.first, *seen, means, success, games)
    advantages = success - means[tree.nodes]
    summed = np.bincount(tree.moves, weights=games * advantages)
    elsewhere = summed / (np.bincount(tree.moves, weights=games) + _FIRST_GUESS)
    # In the order of summing up, so that each of the steps goes through memory once.
    lined = _LinedUp.room(edges)
    shape = tree.order, tree.parents, tree.nodes, tree.first, tree.moves
    _line_up(*shape, elsewhere, means, advantages, games, lined)
    expected, counts_for = np.empty(edges), _FIRST_GUESS
    for _ in range(_STEPS):
        spread = _expect(lined, counts_for, expected)
        counts_for = float(np.clip(0.25 / max(spread, 1e-9), fewest, most))
    in_tree = np.empty(edges)
    in_tree[lined.edges] = expected
    return Expectations(means, in_tree, counts_for)


def _left_to_program_template(
    order: Any,
    parents: Any,
    first: Any,
    edge_games: Any,
    edge_points: Any,
    natural_games: Any,
    natural_points: Any,
    means: Any,
    success: Any,
    games: Any,
) -> None:
    """Fill in the success of the program at each node, and after each edge, with its games.

    After an edge the program played on in games that left the book there. Of games that reached the
    next node, those in which the program chose the move there represent all of them.
    """
    came = np.zeros(len(games))
    for edge in range(len(games)):
        came[edge] = edge_games[edge]
        games[edge] = edge_games[edge]
        success[edge] = edge_points[edge] / 2
    for k in range(len(order)):
        node = order[k]
        own_games, own_points, total, won = 0, 0, 0.0, 0.0
        for edge in range(first[node], first[node + 1]):
            own_games += natural_games[edge]
            own_points += natural_points[edge]
            total += came[edge]
            won += success[edge]
            if came[edge] > 0:
                success[edge] /= came[edge]
        means[node] = own_points / (2 * own_games) if own_games > 0 else won / max(1.0, total)
        above = parents[node]
        if above >= 0:
            came[above] += total
            success[above] += total * means[node]
            games[above] += own_games if own_games > 0 else total


_left_to_program = compiled_entry(_left_to_program_template, {})


class _LinedUp(NamedTuple):
    """What `_expect` needs of each edge, those of a node after those of the nodes above it."""

    edges: Numbers
    """Where the edge is in the tree."""
    sources: Numbers
    """Where in this order its expectation comes from; -1: from `hopes`."""
    hopes: Values
    games: Values
    advantages: Values
    chances: Values
    """The variance of the advantage by chance."""

    @classmethod
    def room(cls, edges: int) -> _LinedUp:
        """Return room for this many edges."""
        numbers, values = np.empty((2, edges), np.int64), np.empty((4, edges))
        return cls(numbers[0], numbers[1], values[0], values[1], values[2], values[3])


def _line_up_template(
    order: Any,
    parents: Any,
    nodes: Any,
    first: Any,
    moves: Any,
    elsewhere: Any,
    means: Any,
    advantages: Any,
    games: Any,
    lined: Any,
) -> None:
    """Fill in what `_expect` needs."""
    place = np.empty(len(games), np.int64)
    at = 0
    for k in range(len(order)):
        node = order[len(order) - 1 - k]
        above, end = 0, 0
        if parents[node] >= 0:
            before = nodes[parents[node]]
            above, end = first[before], first[before + 1]
        for edge in range(first[node], first[node + 1]):
            while above < end and moves[above] < moves[edge]:
                above += 1
            place[edge], lined.edges[at] = at, edge
            known = above < end and moves[above] == moves[edge]
            lined.sources[at] = place[above] if known else -1
            lined.hopes[at] = elsewhere[moves[edge]] if parents[node] < 0 else 0.0
            lined.games[at], lined.advantages[at] = games[edge], advantages[edge]
            lined.chances[at] = 0.0
            if games[edge] > 0:
                lined.chances[at] = means[node] * (1 - means[node]) / games[edge]
            at += 1


_line_up = compiled_entry(_line_up_template, {})


def _expect_template(lined: Any, counts_for: Any, expected: Any) -> Any:
    """Fill in what is expected of each edge; return the variance of advantages around it."""
    known = np.empty(len(expected))
    spread, weight = 0.0, 0.0
    for at in range(len(expected)):
        source, number, advantage = lined.sources[at], lined.games[at], lined.advantages[at]
        hoped = lined.hopes[at] if source < 0 else known[source]
        expected[at] = hoped
        known[at] = (number * advantage + counts_for * hoped) / (number + counts_for)
        if number >= _FEWEST:
            off = (advantage - hoped) ** 2 - lined.chances[at]
            spread += min(number, _WEIGHTIEST) * off
            weight += min(number, _WEIGHTIEST)
    return spread / weight if weight > 0 else 0.25 / counts_for


_expect = compiled_entry(_expect_template, {})
