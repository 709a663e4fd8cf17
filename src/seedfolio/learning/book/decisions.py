"""From the games so far to what the book plays, and what to explore next.

The tree is summed up from its leaves. The value of a move at a state is the mean over all games
that played it there: their results if they left the book with this move, else the values of the
states they reached next.

Each value is shrunk towards what is expected of the move: the program's own success at the state,
and the advantage of the move elsewhere (see `learning.book.expectations`).

The value of a state is that of the move entered for it; without a move, the program's own success.
That describes the present book, but is too good, as the move was chosen partly for its luck. The
mean over all games that reached the state has no such bias, but includes older books and all moves
that were tried. The move that leads there takes the mean of both.

The book enters the move with the best lower confidence bound, if it was seen often enough and is
better than the program's own play. A book with variety draws between it and moves that are nearly
as good (see `learning.book.several_moves`); the state's value is then the mean of theirs. All
decisions are made again after each round of games: later games play the move and show its value,
and a move that does not pay is removed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from seedfolio.core.compiler import compiled_entry
from seedfolio.learning.book.expectations import expectations
from seedfolio.learning.book.exploration import Tries, list_tries, standard_error
from seedfolio.learning.book.several_moves import NO_BOUND, ONE_MOVE, MoveVariety, mark, tilted
from seedfolio.learning.book.tree import Tree
from seedfolio.players.books.table import NO_STATE, Instructions
from seedfolio.portfolios.book.book import Numbers, Values

_NO_STATE = np.uint64(NO_STATE)


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
    variety: MoveVariety = ONE_MOVE
    """Between which moves games draw while the book is learnt."""

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
    bounds: Values
    """The lower confidence bound of each edge; NO_BOUND: it must not be entered."""
    draws: Numbers
    """How often the next games play each edge, beside the others of its node."""
    prior: float
    """How many games the expectation of a move counts like in its value."""
    tries: Tries
    """What the next games play at each node."""


def decide(tree: Tree, caution: Caution) -> Decisions:
    """Sum up a tree and decide."""
    best, games = np.full(len(tree), -1, np.int64), np.zeros(len(tree), np.int64)
    values = np.zeros(len(tree))
    edge_games, edge_values = tree.games.copy(), tree.points / 2
    expected = expectations(tree, caution.prior, caution.most_prior)
    caution = caution.with_expectations(expected.games)
    limits = np.array([caution.visits, caution.candidate], np.int64)
    tilt = caution.variety.tilt
    weights = np.array([expected.games, caution.errors, caution.results, caution.patience, tilt])
    bounds, draws = np.full(len(tree.moves), NO_BOUND), np.zeros(len(tree.moves), np.int64)
    variety = caution.variety.until(int(tree.depths.max(initial=0)))
    seen = tree.first, tree.arms, tree.depths, tree.natural_games
    hoped = expected.means, expected.advantages
    found = best, games, values, edge_games, edge_values, bounds, draws
    _sum_up(tree.order, tree.parents, *seen, *hoped, limits, weights, *variety, *found)
    tries = list_tries(
        tree,
        best,
        edge_games,
        edge_values,
        draws,
        tried=games >= caution.natural,
        shares=np.minimum(1 / 3, caution.curiosity / np.sqrt(np.maximum(games, 1))),
        weights=weights,
    )
    return Decisions(
        best=best,
        values=values,
        natural=expected.means,
        games=games,
        edge_values=edge_values,
        edge_games=edge_games,
        bounds=bounds,
        draws=draws,
        prior=expected.games,
        tries=tries,
    )


def _sum_up_template(
    order: Any,
    parents: Any,
    first: Any,
    arms: Any,
    depths: Any,
    chosen_games: Any,
    means: Any,
    advantages: Any,
    limits: Any,
    weights: Any,
    slacks: Any,
    most: Any,
    best: Any,
    games: Any,
    values: Any,
    edge_games: Any,
    edge_values: Any,
    bounds: Any,
    draws: Any,
) -> None:
    """Fill in the values from the leaves up. edge_values holds sums of results to begin with."""
    prior, errors, results, patience = weights[0], weights[1], weights[2], weights[3]
    tilt, shares = weights[4], np.zeros(len(edge_games))
    for k in range(len(order)):
        node = order[k]
        mean, total, won = means[node], 0, 0.0
        for edge in range(first[node], first[node + 1]):
            total += edge_games[edge]
            won += edge_values[edge]
        chosen, bound, worth = -1, NO_BOUND, mean
        for edge in range(first[node], first[node + 1]):
            number = edge_games[edge]
            expected = min(1.0, max(0.0, mean + advantages[edge]))
            value = (edge_values[edge] + prior * expected) / (number + prior)
            edge_values[edge] = value
            if tilt > 0:
                bounds[edge] = value - errors * standard_error(value, number, prior)
            elif number >= limits[1] and arms[edge] != _NO_STATE:
                least = value - errors * standard_error(value, number, prior)
                if value > mean - patience:
                    bounds[edge] = least
                    if least > bound:
                        chosen, bound, worth = edge, least, value
        if total < limits[0]:
            chosen, worth = -1, mean
        begin, end, depth, count = first[node], first[node + 1], depths[node], 0
        if tilt > 0 and total >= limits[0]:
            count = tilted(begin, end, arms, chosen_games, bounds, tilt, shares, draws)
            for edge in range(begin, end):
                if draws[edge] > 0 and (chosen < 0 or draws[edge] > draws[chosen]):
                    chosen = edge
        elif chosen >= 0:
            count = mark(begin, end, chosen, bounds, slacks[depth], most[depth], draws)
        if count > 1:
            worth = 0.0
            for edge in range(begin, end):
                worth += draws[edge] * edge_values[edge] / count
        best[node], games[node], values[node] = chosen, total, worth
        if parents[node] >= 0:
            edge_games[parents[node]] += total
            edge_values[parents[node]] += results * won + (1 - results) * total * worth


_sum_up = compiled_entry(_sum_up_template, {})


def studied(tree: Tree, decided: Decisions) -> Instructions:
    """Return what to play in the next games: the book, and sometimes other moves to explore."""
    tries = decided.tries
    kept = np.flatnonzero(tries.counts)
    best = decided.best[kept]
    return Instructions(
        states=tree.states[kept],
        moves=np.where(best >= 0, tree.moves[np.maximum(best, 0)], -1),
        goes_on=best >= 0,
        counts=tries.counts[kept],
        listed=tries.listed[kept],
        choices=tries.choices,
    )
