"""The entries of a book: those of the decisions that its own play can reach."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.decisions import Decisions
from seedfolio.book.tree import Tree
from seedfolio.core.compiler import compiled_entry
from seedfolio.players.book_table import NO_STATE
from seedfolio.portfolios.book import Book, Numbers

_NO_STATE = np.uint64(NO_STATE)


def entered(tree: Tree, decided: Decisions) -> Numbers:
    """Return the edges that the book of the decisions plays, see `reached`."""
    played = np.zeros(len(tree.moves), np.bool_)
    played[decided.best[decided.best >= 0]] = True
    return reached(tree, played)


def entered_softly(tree: Tree, decided: Decisions, slack: float, games: int) -> Numbers:
    """Return the edges of a book that draws between moves which are nearly as good as the best.

    Another move must have been played in `games` games or more, be better than the program's own
    play, and have at most `slack` less success than the entry.
    """
    best = decided.best[tree.nodes]
    close = decided.edge_values >= decided.edge_values[best] - slack
    better = decided.edge_values > decided.natural[tree.nodes]
    seen = (decided.edge_games >= games) & (tree.arms != _NO_STATE)
    entries = np.arange(len(tree.moves)) == best
    return reached(tree, (best >= 0) & (entries | (close & better & seen)))


def reached(tree: Tree, played: NDArray[np.bool_]) -> Numbers:
    """Return those of the played edges to which others lead, roots first."""
    nodes = np.zeros(len(tree), np.bool_)
    _reach(tree.order, tree.parents, tree.nodes, played, nodes)
    place = np.empty(len(tree), np.int64)
    place[tree.order] = np.arange(len(tree))[::-1]
    edges = np.flatnonzero(played & nodes[tree.nodes])
    sorted_edges: Numbers = edges[np.argsort(place[tree.nodes[edges]], kind="stable")]
    return sorted_edges


def book_of(tree: Tree, edges: Numbers, decided: Decisions) -> Book:
    """Return the book that plays these edges, see `entered`."""
    nodes = tree.nodes[edges]
    place = np.full(len(tree.moves) + 1, -1, np.int64)
    place[edges] = np.arange(len(edges))
    return Book(
        states=tree.states[nodes],
        moves=tree.moves[edges],
        parents=place[tree.parents[nodes]],  # the root has edge -1, the last place
        games=decided.games[nodes],
        values=decided.edge_values[edges],
        natural=decided.natural[nodes],
        arms=tree.arms[edges],
        opponents=tree.arms[edges],
    )


def _reach_template(order: Any, parents: Any, nodes: Any, played: Any, reached: Any) -> None:
    """Mark the nodes to which played edges lead."""
    for k in range(len(order)):
        node = order[len(order) - 1 - k]
        edge = parents[node]
        reached[node] = edge < 0 or (reached[nodes[edge]] and played[edge])


_reach = compiled_entry(_reach_template, {})
