"""Results of games with a book: a row for each state and move at which they left it.

The key of a row has four parts: the state in which games left the book, the move played there, the
last state before it in the book and the move there. A game that ended in the book has no state of
the first kind. The results of a state within the book follow from the rows below it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import GOLDEN
from seedfolio.players.book_side import PLANNED_SHIFT
from seedfolio.players.book_table import NO_STATE
from seedfolio.portfolios.book import Numbers, Words

_NO_STATE = np.uint64(NO_STATE)
_LOW = np.uint64(2**16 - 1)
_ODD = np.uint64(0xD6E8FEB86659FD93)
"""Makes the first and the second part of a key different."""
_SIXTEEN, _PLANNED = np.uint64(16), np.uint64(PLANNED_SHIFT)


@dataclass(frozen=True)
class Rows:
    """Rows in order of their keys; results are half points of the colour that has the book."""

    states: Words
    """Where games left the book; NO_STATE: nowhere."""
    moves: Numbers
    """The move played there; -1: none."""
    last: Words
    """The last state in the book; NO_STATE: there was none."""
    last_moves: Numbers
    games: Numbers
    points: Numbers
    natural_games: Numbers
    """Those of the games in which the program chose the move itself."""
    natural_points: Numbers
    arms: Words
    """The least arm that chose the move itself, against the opponent's arm of the same number;
    NO_STATE: none has."""

    def __len__(self) -> int:
        return len(self.states)

    @classmethod
    def none(cls) -> Rows:
        """Return no rows."""
        words, numbers = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        counts = numbers, numbers, numbers, numbers
        return cls(words, numbers, words, numbers, *counts, words)

    def and_more(self, *others: Rows) -> Rows:
        """Return the sum of all these rows."""
        every = self, *others
        columns = ([getattr(rows, each.name) for rows in every] for each in fields(Rows))
        return _summed(Rows(*(np.concatenate(column) for column in columns)))


def rows_of(arms: Words, points: NDArray[np.uint8], left: Words) -> Rows:
    """Return the rows of games, from the half points of the arms and where they left the book.

    `left` has three words for each game, as in `players.program.Played`.
    """
    states, last, marks = left[:, 0], left[:, 1], left[:, 2]
    inside = states == _NO_STATE
    moves = np.where(inside, -1, (marks & _LOW).astype(np.int64) - 1)
    natural = ~inside & ((marks >> _PLANNED) == 0)
    scored = points.astype(np.int64)
    return _summed(
        Rows(
            states=states,
            moves=moves,
            last=last,
            last_moves=((marks >> _SIXTEEN) & _LOW).astype(np.int64) - 1,
            games=np.ones(len(states), np.int64),
            points=scored,
            natural_games=natural.astype(np.int64),
            natural_points=np.where(natural, scored, 0),
            arms=np.where(natural, arms, _NO_STATE),
        )
    )


def _summed(rows: Rows) -> Rows:
    """Return one row for each key, in order of keys."""
    if len(rows) == 0:
        return rows
    keys = edge_keys(rows.states, rows.moves) * _ODD + edge_keys(rows.last, rows.last_moves)
    # Stable sorting is fast here, as the keys consist of parts that are already in order.
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    begins = order[first]

    def total(values: Numbers) -> Numbers:
        sums: Numbers = np.add.reduceat(values[order], first)
        return sums

    return Rows(
        states=rows.states[begins],
        moves=rows.moves[begins],
        last=rows.last[begins],
        last_moves=rows.last_moves[begins],
        games=total(rows.games),
        points=total(rows.points),
        natural_games=total(rows.natural_games),
        natural_points=total(rows.natural_points),
        arms=np.minimum.reduceat(rows.arms[order], first),
    )


def edge_keys(states: Words, moves: Numbers) -> Words:
    """Return a 64-bit key for each pair of a state and a move."""
    keys: Words = states + GOLDEN * (moves + 1).astype(np.uint64)
    return keys
