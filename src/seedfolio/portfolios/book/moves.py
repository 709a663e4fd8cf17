"""Books in games where all moves are seen: from states to moves, and from moves to states.

A state is then the hash of the moves so far. The hash of each move can be undone, so the moves that
lead from one state to the next need no search: the last of them follows from the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seedfolio.core.randomness import events_between, fold_words
from seedfolio.portfolios.book.book import Book, Numbers, Words


def moves_between(book: Book, count_moves: int) -> list[tuple[int, ...]] | None:
    """Return the moves since the move of the entry above (or since the start), for each entry.

    None if no two moves lead to some state: others moved more often in a row.
    """
    above = np.maximum(book.parents, 0)
    after = fold_words(book.states[above], book.moves[above].astype(np.uint64))
    before = np.where(book.parents < 0, np.uint64(0), after)
    found: dict[int, tuple[int, ...]] = dict.fromkeys(
        np.flatnonzero(before == book.states).tolist(), ()
    )
    _solve(book, before, (), count_moves, found)
    for move in range(count_moves if len(found) < len(book) else 0):
        moved = fold_words(before, np.full(len(book), move, np.uint64))
        _solve(book, moved, (move,), count_moves, found)
    return [found[k] for k in range(len(book))] if len(found) == len(book) else None


def _solve(
    book: Book,
    before: Words,
    moves: tuple[int, ...],
    count_moves: int,
    found: dict[int, tuple[int, ...]],
) -> None:
    """Add the entries that one more move reaches after `moves`."""
    last = events_between(before, book.states)
    for place in np.flatnonzero(last < count_moves).tolist():
        found.setdefault(place, (*moves, int(last[place])))


def states_after(parents: Sequence[int], moves: Numbers, between: Sequence[Sequence[int]]) -> Words:
    """Return the states of entries, from the moves of each and those since the entry above it."""
    depths = np.zeros(len(parents), np.int64)
    for place, parent in enumerate(parents):
        depths[place] = depths[parent] + 1 if parent >= 0 else 0
    above = np.array(parents, np.int64)
    lengths = np.array([len(each) for each in between], np.int64)
    states = np.zeros(len(parents), np.uint64)
    for depth in range(int(depths.max(initial=-1)) + 1):
        here = np.flatnonzero(depths == depth)
        if depth > 0:
            before = above[here]
            states[here] = fold_words(states[before], moves[before].astype(np.uint64))
        for ply in range(int(lengths[here].max(initial=0))):
            longer = here[lengths[here] > ply]
            played = np.array([between[k][ply] for k in longer.tolist()], np.uint64)
            states[longer] = fold_words(states[longer], played)
    return states
