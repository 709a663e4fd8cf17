"""How a book is played under symmetries of the board: the *frame* of a side with a book.

Without hidden information, a state represents all its images. The frame keeps those symmetries
that map the moves so far to the lexicographically least sequence of move numbers. The arm draws
one of them to turn a move of the book back to the board. With hidden information, or with more
symmetries than fit a word, the arm draws one symmetry for the whole game, and reads the book on a
board turned by it.

Both kinds of frame have the same functions:

* open_frame(arm, book): the frame before the first move.
* follow(frame, key, move, colour): the frame after a move, and the state's key in the book.
* inward(frame, move): the book's move for a move on the board.
* turned_back(frame, move, arm, turn): the move on the board for a move of the book.
* fitting(frame, move, expected): a symmetry that maps the game so far to the book's and `move` to
  `expected`; -1 if there is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.randomness import below, fold, mix, noticed
from seedfolio.games.game import Game
from seedfolio.players.lookup import Functions, bound, symmetry_tables

_ONE, _NOTHING, _ALL = np.uint64(1), np.uint64(0), np.uint64(2**64 - 1)
_WHICH_SYMMETRY = np.uint64(0x2545F4914F6CDD1D)
_MOST_KEPT = 64
"""A set of symmetries is a word of this many bits."""

# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
play: Any = None
event: Any = None
images: Any = None
origins: Any = None
count_symmetries: Any = None


def frame_functions(game: Game) -> Functions:
    """Return the functions of the kind of frame that the game needs."""
    images, origins = symmetry_tables(game)
    tables = {"images": images, "origins": origins, "count_symmetries": len(images)}
    if game.rules.event is None and len(images) <= _MOST_KEPT:
        templates: Functions = {
            "open_frame": _open_least,
            "follow": _follow_least,
            "inward": _inward_least,
            "turned_back": _turned_back_least,
            "fitting": _fitting_least,
        }
    else:
        templates = {
            "open_frame": _open_turned,
            "follow": _follow_turned,
            "inward": _inward_turned,
            "turned_back": _turned_back_turned,
            "fitting": _fitting_turned,
        }
    return bound(templates, {**game.functions, **tables})


# The frame without hidden information: the set of symmetries that give the least sequence.


def _open_least(arm: Any, book: Any) -> Any:
    every = _ALL >> uint64(64 - count_symmetries)
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


def _fitting_least(frame: Any, move: Any, expected: Any) -> Any:
    for symmetry in range(count_symmetries):
        kept = (frame >> uint64(symmetry)) & _ONE != _NOTHING
        if kept and images[symmetry, move] == expected:
            return int64(symmetry)
    return int64(-1)


# The frame with one symmetry for the whole game: (the symmetry, the state of the turned game).


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


def _fitting_turned(frame: Any, move: Any, expected: Any) -> Any:
    symmetry = int64(frame[0])
    return symmetry if images[symmetry, move] == expected else int64(-1)
