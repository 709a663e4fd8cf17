"""The entries of a book: those of the decisions that its own play can reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from seedfolio.book.decisions import Decisions
from seedfolio.book.tree import Tree
from seedfolio.core.compiler import compiled_entry
from seedfolio.portfolios.book import Book, Numbers


def entered(tree: Tree, decided: Decisions) -> Numbers:
    """Return the edges that the book plays, at nodes that it can reach, roots first."""
    reached = np.zeros(len(tree), np.bool_)
    _reach(tree.order, tree.parents, tree.nodes, decided.best, reached)
    order = tree.order[::-1]
    edges: Numbers = decided.best[order[reached[order]]]
    return edges


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


def _reach_template(order: Any, parents: Any, nodes: Any, best: Any, reached: Any) -> None:
    """Mark the nodes with an entry to which the entries before them lead."""
    for k in range(len(order)):
        node = order[len(order) - 1 - k]
        edge = parents[node]
        above = edge < 0 or (reached[nodes[edge]] and best[nodes[edge]] == edge)
        reached[node] = above and best[node] >= 0


_reach = compiled_entry(_reach_template, {})
