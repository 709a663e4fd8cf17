"""The games of several books put together, and the books that follow from them.

Books that are learnt side by side find different lines. A *pool* is the experience of some of them
as if one book had seen it: the best of their lines, with the judgement of all their games. Pools of
two books, of four and so on up to all are books of their own; the larger the pool, the stronger its
book against a stranger and the fewer different ones there are.

Every book also profits from the games of the others: at a state where it has few games itself, less
than the root of all its games, the pool of all books decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.decisions import Caution
from seedfolio.book.entries import book_of, drawn_by, reached
from seedfolio.book.move_variety import MoveVariety
from seedfolio.book.self_play import ColourExperience, Side
from seedfolio.core.compiler import compiled_entry
from seedfolio.portfolios.book import Book

Marks = NDArray[np.bool_]
"""Which edges of a tree a book plays."""


def count_pools(books: int) -> int:
    """Return how many books there are with those of all pools."""
    return 2 * books - 1


def pooled_books(side: Side, caution: Caution, variety: MoveVariety) -> list[Book]:
    """Return the books of a colour, then those of larger and larger pools."""
    every = _pools(side, caution)
    whole = every[-1]
    usual = drawn_by(whole.tree, whole.decided, variety)
    books = []
    for each in every:
        played = usual if each is whole else _completed(each, whole, usual, variety)
        books.append(book_of(whole.tree, reached(whole.tree, played), whole.decided))
    return books


def _pools(side: Side, caution: Caution) -> list[ColourExperience]:
    """Return the experience of each book, then of pools of two, of four and so on up to all."""
    found, level = list(side), list(side)
    while len(level) > 1:
        pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
        level = [_together(pair, caution) for pair in pairs]
        found += [each for each, pair in zip(level, pairs, strict=True) if len(pair) > 1]
    return found


def _together(pair: Sequence[ColourExperience], caution: Caution) -> ColourExperience:
    if len(pair) == 1:
        return pair[0]
    return ColourExperience.of(pair[0].rows.and_more(pair[1].rows), caution)


def _completed(
    each: ColourExperience, whole: ColourExperience, usual: Marks, variety: MoveVariety
) -> Marks:
    """Return the edges of a book in the tree of all books, which decide where it has not."""
    played = usual.copy()
    few = np.sqrt(each.rows.games.sum(dtype=np.int64))
    sure = np.flatnonzero((each.decided.best >= 0) & (each.decided.games >= few))
    nodes = np.searchsorted(whole.tree.states, each.tree.states[sure])
    own = drawn_by(each.tree, each.decided, variety)
    there = each.tree.first, each.tree.moves, own
    _enter(whole.tree.first, whole.tree.moves, nodes, sure, *there, played)
    return played


def _enter_template(
    first: Any,
    moves: Any,
    nodes: Any,
    own_nodes: Any,
    own_first: Any,
    own_moves: Any,
    own_drawn: Any,
    played: Any,
) -> None:
    """Mark, at each of some nodes, the moves that a book draws between at its own nodes."""
    for k in range(len(nodes)):
        begin, end = own_first[own_nodes[k]], own_first[own_nodes[k] + 1]
        for edge in range(first[nodes[k]], first[nodes[k] + 1]):
            played[edge] = False
            for own in range(begin, end):
                if own_drawn[own] and own_moves[own] == moves[edge]:
                    played[edge] = True


_enter = compiled_entry(_enter_template, {})
