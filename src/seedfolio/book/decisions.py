"""From the games so far to what the book plays, and what to explore next.

The tree is summed up from its leaves. The value of a move at a state is the mean over all games
that played it there: their results if they left the book with this move, else the values of the
states they reached next.

Each value is shrunk towards what is expected of the move: the program's own success at the state,
and the advantage of the move elsewhere (see `book.expectations`).

The value of a state is that of the move entered for it; without a move, the program's own success.
That describes the present book, but is too good, as the move was chosen partly for its luck. The
mean over all games that reached the state has no such bias, but includes older books and all moves
that were tried. The move that leads there takes the mean of both.

The book enters the move with the best lower confidence bound, if it was seen often enough and is
better than the program's own play. All decisions are made again after each round of games: later
games play the move and show its value, and a move that does not pay is removed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from seedfolio.book.expectations import expectations
from seedfolio.book.tree import Tree
from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.players.book_table import MOST_CHOICES, NO_STATE, Instructions
from seedfolio.portfolios.book import Numbers, Values

_NO_STATE = np.uint64(NO_STATE)
_LEAST_SPREAD = 0.02
"""The least variance of one game's success that is assumed."""
_SLOTS = 16
"""Choices at a state for which no move has been entered."""
_NATURAL_SLOTS = 4
_MOST_RIVALS = 5
_LONGEST = MOST_CHOICES


@dataclass(frozen=True)
class Caution:
    """How sure to be before a move is entered."""

    natural: int = 8
    """Games at a state before moves are tried there; half as many where moves differ much."""
    visits: int = 24
    """Games at a state before a move can be entered; half as many where moves differ much."""
    candidate: int = 6
    """Games of that move; two thirds of them where moves differ much."""
    alike: float = 40.0
    """The weight of an expectation, in games, from which on moves do not differ much."""
    results: float = 0.5
    """How much of a state's value is the mean over its games; the rest is that of its entry."""
    prior: float = 4.0
    """The expectation of a move counts like at least this many games in its value."""
    most_prior: float = 1000.0
    """And like at most this many."""
    errors: float = 1.0
    """Distance of confidence bounds from the value, in standard errors."""
    patience: float = 0.0
    """How much less than the program's own success a move may have and be entered all the same. A
    program that nearly always plays one move there loses nothing by it, and the book goes on."""
    curiosity: float = 2.0
    """How often rival moves are tried: this, divided by the root of the games at the state."""

    def with_expectations(self, games: float) -> Caution:
        """Return how sure to be where expectations have the weight of this many games.

        Where moves differ much, few games tell them apart, and a deeper book is worth more.
        """
        share = 1.0 if games >= self.alike else max(0.5, games / self.alike)
        return replace(
            self,
            natural=round(self.natural * share),
            visits=round(self.visits * share),
            candidate=round(self.candidate * (1 + 2 * share) / 3),
        )


@dataclass(frozen=True)
class Decisions:
    """What follows from a tree; arrays in the order of its nodes or edges."""

    best: Numbers
    """The edge of each node that is entered; -1: none."""
    values: Values
    """The value of each node, as success from 0 to 1."""
    natural: Values
    """The success of the program's own play at each node."""
    games: Numbers
    """Games that reached each node."""
    edge_values: Values
    edge_games: Numbers
    prior: float
    """How many games the expectation of a move counts like in its value."""
    counts: Numbers
    """How many choices each node has in the next games; 0: nothing is tried there yet."""
    listed: Numbers
    """How many of them are listed; the others are the entry."""
    choices: Numbers
    """All that are listed, node after node: moves, or -1."""


@compiled
def standard_error(value: Any, games: Any, prior: Any) -> Any:
    """Return the standard error of the value of a move."""
    return sqrt(max(value * (1 - value), _LEAST_SPREAD) / (games + prior))


def decide(tree: Tree, caution: Caution) -> Decisions:
    """Sum up a tree and decide."""
    best, games = np.full(len(tree), -1, np.int64), np.zeros(len(tree), np.int64)
    values = np.zeros(len(tree))
    edge_games, edge_values = tree.games.copy(), tree.points / 2
    expected = expectations(tree, caution.prior, caution.most_prior)
    caution = caution.with_expectations(expected.games)
    limits = np.array([caution.visits, caution.candidate], np.int64)
    weights = np.array([expected.games, caution.errors, caution.results, caution.patience])
    seen = tree.first, tree.arms, expected.means, expected.advantages
    found = best, games, values, edge_games, edge_values
    _sum_up(tree.order, tree.parents, *seen, limits, weights, *found)
    shares = np.minimum(1 / 3, caution.curiosity / np.sqrt(np.maximum(games, 1)))
    most = np.clip(shares * _LONGEST, 1, _MOST_RIVALS + 1).astype(np.int64)
    longest = np.minimum(_LONGEST, most / shares).astype(np.int64)
    tried = games >= caution.natural
    counts, listed = np.zeros(len(tree), np.int64), np.zeros(len(tree), np.int64)
    choices = np.empty(_SLOTS * int(tried.sum()), np.int64)
    edges = tree.first, tree.moves, tree.arms, best, edge_games, edge_values
    tries = tried, longest, shares, most, weights
    used = _list(*edges, *tries, counts, listed, choices)
    return Decisions(
        best=best,
        values=values,
        natural=expected.means,
        games=games,
        edge_values=edge_values,
        edge_games=edge_games,
        prior=expected.games,
        counts=counts,
        listed=listed,
        choices=choices[:used],
    )


def _sum_up_template(
    order: Any,
    parents: Any,
    first: Any,
    arms: Any,
    means: Any,
    advantages: Any,
    limits: Any,
    weights: Any,
    best: Any,
    games: Any,
    values: Any,
    edge_games: Any,
    edge_values: Any,
) -> None:
    """Fill in the values from the leaves up. edge_values holds sums of results to begin with."""
    prior, errors, results, patience = weights[0], weights[1], weights[2], weights[3]
    for k in range(len(order)):
        node = order[k]
        mean, total, won = means[node], 0, 0.0
        for edge in range(first[node], first[node + 1]):
            total += edge_games[edge]
            won += edge_values[edge]
        chosen, bound, worth = -1, -1.0, mean
        for edge in range(first[node], first[node + 1]):
            number = edge_games[edge]
            expected = min(1.0, max(0.0, mean + advantages[edge]))
            value = (edge_values[edge] + prior * expected) / (number + prior)
            edge_values[edge] = value
            if number >= limits[1] and arms[edge] != _NO_STATE:
                least = value - errors * standard_error(value, number, prior)
                if value > mean - patience and least > bound:
                    chosen, bound, worth = edge, least, value
        if total < limits[0]:
            chosen, worth = -1, mean
        best[node], games[node], values[node] = chosen, total, worth
        if parents[node] >= 0:
            edge_games[parents[node]] += total
            edge_values[parents[node]] += results * won + (1 - results) * total * worth


_sum_up = compiled_entry(_sum_up_template, {})


def _list_template(
    first: Any,
    moves: Any,
    arms: Any,
    best: Any,
    edge_games: Any,
    edge_values: Any,
    tried: Any,
    longest: Any,
    shares: Any,
    most: Any,
    weights: Any,
    counts: Any,
    listed: Any,
    choices: Any,
) -> Any:
    """Write the choices of each node for the next games, `most` of them other than its entry.

    Return how many are listed in all.
    """
    prior, errors = weights[0], weights[1]
    rivals = np.zeros(_MOST_RIVALS, np.int64)
    bounds = np.zeros(_MOST_RIVALS)
    at = 0
    for node in range(len(best)):
        if not tried[node]:
            continue
        least = -1.0
        if best[node] >= 0:
            value = edge_values[best[node]]
            least = value - errors * standard_error(value, edge_games[best[node]], prior)
        count = 0
        for edge in range(first[node], first[node + 1]):
            value = edge_values[edge]
            bound = value + errors * standard_error(value, edge_games[edge], prior)
            if edge == best[node] or bound <= least or arms[edge] == _NO_STATE:
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
        at += listed[node]
    return at


_list = compiled_entry(_list_template, {})


def studied(tree: Tree, decided: Decisions) -> Instructions:
    """Return what to play in the next games: the book, and sometimes other moves to explore."""
    kept = np.flatnonzero(decided.counts)
    best = decided.best[kept]
    return Instructions(
        states=tree.states[kept],
        moves=np.where(best >= 0, tree.moves[np.maximum(best, 0)], -1),
        goes_on=best >= 0,
        counts=decided.counts[kept],
        listed=decided.listed[kept],
        choices=decided.choices,
    )
