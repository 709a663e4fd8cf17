"""The entries of a book: those of the decisions that its own play can reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from seedfolio.book.decisions import Caution, Decisions, standard_error
from seedfolio.book.tree import Tree
from seedfolio.core.compiler import compiled_entry
from seedfolio.players.book_table import NO_STATE
from seedfolio.portfolios.book import Book, Numbers

_NO_STATE = np.uint64(NO_STATE)


def entered(tree: Tree, decided: Decisions, caution: Caution, *, varied: bool) -> Numbers:
    """Return the edges that the book plays, at nodes that it can reach, roots first.

    A book that is varied has two at a node where a second move may be as good: the one with the
    best lower confidence bound of those whose upper one is above the entry's lower one.
    """
    reached = np.zeros(len(tree), np.bool_)
    second = np.full(len(tree), -1, np.int64)
    if varied:
        limits = np.array([decided.prior, caution.errors, caution.candidate])
        seen = tree.first, tree.arms, decided.best, decided.natural
        _find_second(*seen, decided.edge_games, decided.edge_values, limits, second)
    _reach(tree.order, tree.parents, tree.nodes, decided.best, second, reached)
    order = tree.order[::-1]
    both = np.stack([decided.best, second], axis=1)[order[reached[order]]].ravel()
    edges: Numbers = both[both >= 0]
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


def _find_second_template(
    first: Any,
    arms: Any,
    best: Any,
    natural: Any,
    edge_games: Any,
    edge_values: Any,
    limits: Any,
    second: Any,
) -> None:
    """Fill in the edge of each node that may be as good as its entry."""
    prior, errors, candidate = limits[0], limits[1], limits[2]
    for node in range(len(best)):
        if best[node] < 0:
            continue
        value = edge_values[best[node]]
        least = value - errors * standard_error(value, edge_games[best[node]], prior)
        highest = -1.0
        for edge in range(first[node], first[node + 1]):
            value = edge_values[edge]
            spread = errors * standard_error(value, edge_games[edge], prior)
            if edge == best[node] or arms[edge] == _NO_STATE or edge_games[edge] < candidate:
                continue
            if value > natural[node] and value + spread > least and value - spread > highest:
                second[node], highest = edge, value - spread


def _reach_template(
    order: Any, parents: Any, nodes: Any, best: Any, second: Any, reached: Any
) -> None:
    for k in range(len(order)):
        node = order[len(order) - 1 - k]
        edge = parents[node]
        above = edge < 0
        if not above and reached[nodes[edge]]:
            above = best[nodes[edge]] == edge or second[nodes[edge]] == edge
        reached[node] = above and best[node] >= 0


_find_second = compiled_entry(_find_second_template, {})
_reach = compiled_entry(_reach_template, {})
