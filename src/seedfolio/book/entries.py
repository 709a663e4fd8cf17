"""The entries of a book: those of the decisions that its own play can reach."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.decisions import Decisions
from seedfolio.book.move_variety import MoveVariety, drawn_edges
from seedfolio.book.tree import Tree
from seedfolio.core.compiler import compiled_entry
from seedfolio.portfolios.book import Book, Numbers


def entered(tree: Tree, decided: Decisions, variety: MoveVariety) -> Numbers:
    """Return the edges that a book of this variety plays, see `reached`."""
    return reached(tree, drawn_by(tree, decided, variety))


def drawn_by(tree: Tree, decided: Decisions, variety: MoveVariety) -> NDArray[np.bool_]:
    """Return between which edges a book of this variety draws, also where it does not come."""
    return drawn_edges(tree.first, tree.depths, decided.best, decided.bounds, variety)


def reached(tree: Tree, played: NDArray[np.bool_]) -> Numbers:
    """Return those of the played edges to which others lead, roots first."""
    nodes = np.zeros(len(tree), np.bool_)
    _reach(tree.order, tree.parents, tree.nodes, played, nodes)
    place = np.empty(len(tree), np.int64)
    place[tree.order] = np.arange(len(tree))[::-1]
    edges = np.flatnonzero(played & nodes[tree.nodes])
    in_order: Numbers = edges[np.argsort(place[tree.nodes[edges]], kind="stable")]
    return in_order


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


def _reach_template(order: Any, parents: Any, nodes: Any, played: Any, found: Any) -> None:
    """Mark the nodes to which played edges lead."""
    for k in range(len(order)):
        node = order[len(order) - 1 - k]
        edge = parents[node]
        found[node] = edge < 0 or (found[nodes[edge]] and played[edge])


_reach = compiled_entry(_reach_template, {})
