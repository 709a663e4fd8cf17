"""A side with a book: what is looked up, and where the book was left (see `players.sides`).

A *book* says what to play at some information states. As long as the states of a game are in it,
each try of a turn is looked up: the state after a refused try is another one, since the refusal is
an event. At the first state that is not in the book the player begins to search, with the arm as
its seed, even if that is after refusals; from there on the game is that of a plain arm. The moves
of a book are those that a seed plays there, so nothing needs to be searched for them.

Besides the functions of every side there are book_state(side), the state by the name that the book
has for it, and turned_by(side, move, expected), a symmetry that turns the game so far to the book's
and the move to the one expected, -1 if there is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.randomness import noticed
from seedfolio.games.game import Game
from seedfolio.players.book_frames import frame_functions
from seedfolio.players.book_table import NO_STATE, choice, drawn_book, find, goes_on
from seedfolio.players.sides import Functions, bound, outward_plain, seen_plain

PLANNED_SHIFT = 32
"""The bit in the noted moves that says that the last one was chosen by the book."""

_NO_STATE, _NOTHING = np.uint64(NO_STATE), np.uint64(0)

# How a side with a book stands: the book goes on; it was left with a try that the player has not
# ranked; the player plays.
_IN_BOOK, _LEFT_WITH_A_MOVE, _OUT = 0, 1, 2

# Names that a binding fills in; they exist here for the reader and the type checker.
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


# A side with a book has besides: how it stands, where its book lies and the state as the book
# knows it; its frame, which says how the board is turned; and where it left the book: that state,
# the last one in the book, and the moves there, packed as in `players.program.Played`.


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
            chosen = choice(value, key, seed, book)
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
