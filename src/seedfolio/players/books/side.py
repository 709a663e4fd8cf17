"""A side with a book: how it looks up moves, and where it left the book (see `players.lookup`).

A *book* says what to play at some information states. While the states of a game are in the book,
each try of a turn is looked up. (A refusal is an event, so the state after it is a new state.) At
the first state that is not in the book the player starts to search, with the arm as its seed, even
if refusals came before. From there on it plays like a plain arm. The moves of a book are those that
a seed plays there, so they need no search.

Besides the functions of every side there are two more. book_state(side) is the key of the state in
the book. turned_by(side, move, expected) is a symmetry that maps the game so far to the book's and
`move` to `expected`; -1 if there is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.randomness import noticed
from seedfolio.games.game import Game
from seedfolio.players.books.frames import frame_functions
from seedfolio.players.books.table import NO_STATE, choice, drawn_book, find, goes_on
from seedfolio.players.lookup import Functions, bound, outward_plain, seen_plain

PLANNED_SHIFT = 32
"""The bit in the noted moves that is set if the book chose the last one."""

_NO_STATE, _NOTHING = np.uint64(NO_STATE), np.uint64(0)

# Where a side stands: in the book; out of it, with a last try from the book that the player has
# not ranked; out of it, and the player plays.
_IN_BOOK, _LEFT_WITH_A_MOVE, _OUT = 0, 1, 2

# Names that are filled in on compiling; they are here for the reader and the type checker.
mover: Any = None
event: Any = None
refused: Any = None
open_frame: Any = None
follow: Any = None
inward: Any = None
turned_back: Any = None
fitting: Any = None


def book_side(game: Game) -> Functions:
    """Return the functions of a side with a book."""
    templates: Functions = {
        "begin": _begin,
        "consult": _consult,
        "seen": seen_plain,
        "outward": outward_plain,
        "notice": _notice,
        "note": _note,
        "book_state": _book_state,
        "turned_by": _turned_by,
    }
    return bound(templates, {**game.functions, **frame_functions(game)})


# A side with a book adds to the three numbers of every side: (where it stands, the place of its
# book, the key of the state); its frame, which says how the board is turned; and (the state where
# it left the book, the last state in the book, the moves there packed as in
# `players.program.Played`).


def _begin(arm: Any, colour: Any, book: Any) -> Any:
    place = drawn_book(arm, colour, book)
    reading = (int64(_OUT) if place < 0 else int64(_IN_BOOK)), place, uint64(0)
    trail = _NO_STATE, _NO_STATE, int64(0)
    return uint64(arm), int64(0), uint64(0), reading, open_frame(arm, book), trail


def _consult(side: Any, state: Any, colour: Any, book: Any) -> Any:
    seed, turn, known, reading, frame, trail = side
    stands, place, key = reading
    if stands == _OUT:
        return int64(-1), not refused(state), side
    left, last, marks = trail
    planned, now = int64(-1), int64(_OUT)
    if stands == _IN_BOOK:
        value = find(key, place, book)
        chosen = int64(0)
        if value != _NOTHING:
            chosen = choice(value, key, seed, place, book)
        if chosen > 0:
            planned = turned_back(frame, chosen - 1, seed, turn)
        if chosen > 0 and goes_on(value):
            now = int64(_IN_BOOK)
            last, marks = key, chosen << 16
        else:
            left, marks = key, marks | chosen
            if chosen > 0:
                now = int64(_LEFT_WITH_A_MOVE)
                marks |= 1 << PLANNED_SHIFT
    return planned, True, (seed, turn, known, (now, place, key), frame, (left, last, marks))


def _notice(side: Any, before: Any, move: Any, after: Any, colour: Any) -> Any:
    seed, turn, known, reading, frame, trail = side
    happened = event(before, move, after, colour)
    turn, known = turn + (happened >= 0), noticed(known, happened)
    stands, place, key = reading
    left, last, marks = trail
    if stands == _IN_BOOK:
        frame, key = follow(frame, key, move, colour)
        return seed, turn, known, (stands, place, key), frame, trail
    if marks & 0xFFFF == 0 and mover(before) == colour:
        marks |= 1 + inward(frame, move)
        return seed, turn, known, reading, frame, (left, last, marks)
    return seed, turn, known, reading, frame, trail


def _note(first: Any, second: Any, left: Any, cell: Any) -> None:
    if len(left) > 0:
        left[cell, 0, 0], left[cell, 0, 1], left[cell, 0, 2] = first[5][0], first[5][1], first[5][2]
        left[cell, 1, 0], left[cell, 1, 1] = second[5][0], second[5][1]
        left[cell, 1, 2] = second[5][2]


def _book_state(side: Any) -> Any:
    return side[3][2]


def _turned_by(side: Any, move: Any, expected: Any) -> Any:
    return fitting(side[4], move, expected)
