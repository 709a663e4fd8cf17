"""What each colour brings to a match: an arm, an arm under a symmetry of the board, or a book.

Each of the three is the same few functions, compiled into the match:

* begin(arm, colour, book): the *side*, a tuple that the match carries along. It begins with the
  seed, how many events the colour has noticed, and their hash.
* consult(side, state, colour, book): (a move or -1, whether to choose afresh, the side). Without a
  move the player chooses: afresh, or after a refusal by the ranking that it made in this turn.
* seen(side, state, colour): the view that the player is shown.
* outward(side, move): the move on the board that the player's move stands for.
* notice(side, before, move, after, colour): the side after a move.
* note(first, second, left, cell): write down where books were left.

Those of books besides: book_state(side), the state by the name that the book has for it, and
turned_by(side, move, expected), a symmetry that turns the game so far to the book's and the move to
the one expected, -1 if there is none.

A *book* says what to play at some information states. As long as the states of a game are in it,
each try of a turn is looked up: the state after a refused try is another one, since the refusal is
an event. At the first state that is not in the book the player begins to search, with the arm as
its seed, even if that is after refusals; from there on the game is that of a plain arm. The moves
of a book are those that a seed plays there, so nothing needs to be searched for them.

A book is played under symmetries. Where all moves are seen, a state stands for all its images: of
the symmetries, those are kept that turn the moves so far to the least sequence (in order of their
numbers), and a move of the book is turned back by one of them that the arm draws. Where something
is hidden, the arm draws one symmetry for the whole game, and the book is kept on a board turned by
it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.arm_numbers import SYMMETRY_SHIFT
from seedfolio.core.compiling import compiled, filled_in
from seedfolio.core.randomness import below, fold, mix, noticed
from seedfolio.games.interface import Game
from seedfolio.players.book_table import choice, drawn_book, find, goes_on

_Functions = dict[str, Callable[..., Any]]

_SHIFT, _SEED = np.uint64(SYMMETRY_SHIFT), np.uint64(2**SYMMETRY_SHIFT - 1)
_NO_STATE = np.uint64(2**64 - 1)
_ONE, _NOTHING = np.uint64(1), np.uint64(0)
_WHICH_SYMMETRY = np.uint64(0x2545F4914F6CDD1D)

PLANNED_SHIFT = 32
"""The bit in the noted moves that says that the last one was chosen by the book."""

# How a side with a book stands: the book goes on; it was left with a try that the player has not
# ranked; the player plays.
_IN_BOOK, _LEFT_WITH_A_MOVE, _OUT = 0, 1, 2

# Names that a binding fills in; they exist here for the reader and the type checker.
start: Any = None
mover: Any = None
play: Any = None
view: Any = None
event: Any = None
refused: Any = None
images: Any = None
origins: Any = None
count_symmetries: Any = None
open_frame: Any = None
follow: Any = None
inward: Any = None
turned_back: Any = None


def symmetry_tables(game: Game) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return the image of every move under every symmetry, the identity first, and the inverse."""
    moves = len(game.rules.move_names)
    images = np.array(
        [np.arange(moves), *(symmetry.moves for symmetry in game.rules.symmetries)], np.int16
    )
    origins = np.zeros_like(images)
    np.put_along_axis(origins, images.astype(np.int64), np.arange(moves, dtype=np.int16)[None], 1)
    return images, origins


def plain_side(game: Game) -> _Functions:
    """Return the functions of an arm that is a seed."""
    templates: _Functions = {
        "begin": _begin_plain,
        "consult": _consult_plain,
        "seen": _seen_plain,
        "outward": _outward_plain,
        "notice": _notice_plain,
        "note": _note_nothing,
    }
    return _bound(templates, game.functions)


def turned_side(game: Game) -> _Functions:
    """Return the functions of an arm that may be under a symmetry (see core.arm_numbers)."""
    images, origins = symmetry_tables(game)
    templates: _Functions = {
        "begin": _begin_turned,
        "consult": _consult_plain,
        "seen": _seen_turned,
        "outward": _outward_turned,
        "notice": _notice_turned,
        "note": _note_nothing,
    }
    return _bound(templates, {**game.functions, "images": images, "origins": origins})


def book_side(game: Game) -> _Functions:
    """Return the functions of a side with a book."""
    images, origins = symmetry_tables(game)
    names = {**game.functions, "images": images, "origins": origins}
    names["count_symmetries"] = len(images)
    if game.rules.event is None:
        frame: _Functions = {
            "open_frame": _open_least,
            "follow": _follow_least,
            "inward": _inward_least,
            "turned_back": _turned_back_least,
            "turned_by": _turned_by_least,
        }
    else:
        frame = {
            "open_frame": _open_turned,
            "follow": _follow_turned,
            "inward": _inward_turned,
            "turned_back": _turned_back_turned,
            "turned_by": _turned_by_turned,
        }
    templates: _Functions = {
        "begin": _begin_book,
        "consult": _consult_book,
        "seen": _seen_plain,
        "outward": _outward_plain,
        "notice": _notice_book,
        "note": _note_left,
        "book_state": _book_state,
    }
    bound = _bound(frame, names)
    return {**_bound(templates, {**names, **bound}), "turned_by": bound["turned_by"]}


def _bound(templates: _Functions, names: dict[str, Any]) -> _Functions:
    return {name: compiled(filled_in(each, names)) for name, each in templates.items()}


def _begin_plain(arm: Any, colour: Any, book: Any) -> Any:
    return uint64(arm), int64(0), uint64(0)


def _consult_plain(side: Any, state: Any, colour: Any, book: Any) -> Any:
    return int64(-1), not refused(state), side


def _seen_plain(side: Any, state: Any, colour: Any) -> Any:
    return view(state, colour)


def _outward_plain(side: Any, move: Any) -> Any:
    return move


def _notice_plain(side: Any, before: Any, move: Any, after: Any, colour: Any) -> Any:
    happened = event(before, move, after, colour)
    return side[0], side[1] + (happened >= 0), noticed(side[2], happened)


def _note_nothing(first: Any, second: Any, left: Any, cell: Any) -> None:
    pass


# A turned side lives in a game of its own, in which all moves are turned its way: behind the three
# numbers of every side it has its symmetry and the state of that game.


def _begin_turned(arm: Any, colour: Any, book: Any) -> Any:
    return uint64(arm) & _SEED, int64(0), uint64(0), int64(uint64(arm) >> _SHIFT), start()


def _seen_turned(side: Any, state: Any, colour: Any) -> Any:
    return view(side[4], colour)


def _outward_turned(side: Any, move: Any) -> Any:
    return int64(origins[side[3], move])


def _notice_turned(side: Any, before: Any, move: Any, after: Any, colour: Any) -> Any:
    seed, turn, known, symmetry, own = side
    turned = int64(images[symmetry, move])
    later = play(own, turned)
    happened = event(own, turned, later, colour)
    return seed, turn + (happened >= 0), noticed(known, happened), symmetry, later


# A side with a book has besides: how it stands, where its book lies and the state as the book
# knows it; its frame, which says how the board is turned; and where it left the book: that state,
# the last one in the book, and the moves there, packed as in `players.program.Played`.


def _begin_book(arm: Any, colour: Any, book: Any) -> Any:
    place = drawn_book(arm, colour, book)
    reading = (int64(_OUT) if place < 0 else int64(_IN_BOOK)), place, uint64(0)
    trail = _NO_STATE, _NO_STATE, int64(0)
    return uint64(arm), int64(0), uint64(0), reading, open_frame(arm, book), trail


def _consult_book(side: Any, state: Any, colour: Any, book: Any) -> Any:
    seed, turn, known, reading, frame, trail = side
    stands, place, key = reading
    left, last, marks = trail
    planned = int64(-1)
    fresh = stands != _OUT or not refused(state)
    if stands == _IN_BOOK:
        value = find(key, place, book)
        chosen = int64(0)
        if value != _NOTHING:
            chosen = choice(value, key, seed, book)
        if chosen > 0:
            planned = turned_back(frame, chosen - 1, seed, turn)
        if chosen > 0 and goes_on(value):
            last, marks = key, chosen << 16
        else:
            left, marks = key, marks | chosen
            if chosen > 0:
                marks |= 1 << PLANNED_SHIFT
            stands = int64(_OUT) if chosen == 0 else int64(_LEFT_WITH_A_MOVE)
    elif stands == _LEFT_WITH_A_MOVE:
        stands = int64(_OUT)
    return planned, fresh, (seed, turn, known, (stands, place, key), frame, (left, last, marks))


def _notice_book(side: Any, before: Any, move: Any, after: Any, colour: Any) -> Any:
    seed, turn, known, reading, frame, trail = side
    stands, place, key = reading
    left, last, marks = trail
    happened = event(before, move, after, colour)
    if stands == _IN_BOOK:
        frame, key = follow(frame, key, move, colour)
    elif marks & 0xFFFF == 0 and mover(before) == colour:
        marks |= 1 + inward(frame, move)
    reading, trail = (stands, place, key), (left, last, marks)
    return seed, turn + (happened >= 0), noticed(known, happened), reading, frame, trail


def _note_left(first: Any, second: Any, left: Any, cell: Any) -> None:
    if len(left) > 0:
        left[cell, 0, 0], left[cell, 0, 1], left[cell, 0, 2] = first[5][0], first[5][1], first[5][2]
        left[cell, 1, 0], left[cell, 1, 1] = second[5][0], second[5][1]
        left[cell, 1, 2] = second[5][2]


def _book_state(side: Any) -> Any:
    return side[3][2]


# The frame where all moves are seen: the set of symmetries that turn them to the least sequence.


def _open_least(arm: Any, book: Any) -> Any:
    every = (_ONE << uint64(count_symmetries)) - _ONE
    return every if book[0] != _NOTHING else _ONE


def _inward_least(frame: Any, move: Any) -> Any:
    least = int64(2**31)
    for symmetry in range(count_symmetries):
        if (frame >> uint64(symmetry)) & _ONE != _NOTHING:
            least = min(least, int64(images[symmetry, move]))
    return least


def _follow_least(frame: Any, key: Any, move: Any, colour: Any) -> Any:
    least = int64(2**31)
    kept = _NOTHING
    for symmetry in range(count_symmetries):
        if (frame >> uint64(symmetry)) & _ONE != _NOTHING:
            image = int64(images[symmetry, move])
            if image < least:
                least, kept = image, _NOTHING
            if image == least:
                kept |= _ONE << uint64(symmetry)
    return kept, fold(key, least)


def _turned_back_least(frame: Any, move: Any, arm: Any, turn: Any) -> Any:
    count = int64(0)
    for symmetry in range(count_symmetries):
        count += int64((frame >> uint64(symmetry)) & _ONE)
    rank = below(mix(uint64(arm) ^ _WHICH_SYMMETRY), turn, count)
    drawn = int64(0)
    for symmetry in range(count_symmetries):
        if (frame >> uint64(symmetry)) & _ONE != _NOTHING:
            if rank == 0:
                drawn = int64(symmetry)
            rank -= 1
    return int64(origins[drawn, move])


def _turned_by_least(side: Any, move: Any, expected: Any) -> Any:
    for symmetry in range(count_symmetries):
        kept = (side[4] >> uint64(symmetry)) & _ONE != _NOTHING
        if kept and images[symmetry, move] == expected:
            return int64(symmetry)
    return int64(-1)


# The frame where something is hidden: a symmetry, and the state of the game turned by it.


def _open_turned(arm: Any, book: Any) -> Any:
    count = count_symmetries if book[0] != _NOTHING else 1
    return below(mix(uint64(arm) ^ _WHICH_SYMMETRY), 0, count), start()


def _inward_turned(frame: Any, move: Any) -> Any:
    return int64(images[frame[0], move])


def _follow_turned(frame: Any, key: Any, move: Any, colour: Any) -> Any:
    symmetry, own = frame
    turned = int64(images[symmetry, move])
    after = play(own, turned)
    return (symmetry, after), noticed(key, event(own, turned, after, colour))


def _turned_back_turned(frame: Any, move: Any, arm: Any, turn: Any) -> Any:
    return int64(origins[frame[0], move])


def _turned_by_turned(side: Any, move: Any, expected: Any) -> Any:
    symmetry = int64(side[4][0])
    return symmetry if images[symmetry, move] == expected else int64(-1)
