"""The sides of a match: a seed, an arm under a symmetry of the board, or an arm with a book.

Each of the three has the same functions, compiled into the match. Those of books are in
`players.books.side`.

* begin(arm, colour, book): the *side*, a tuple that the match keeps up to date. It begins with the
  seed, the number of events that the colour has noticed, and their hash.
* consult(side, state, colour, book): (a move or -1, whether to search, the side). If there is no
  move, the player chooses: by a new search, or after a refusal from this turn's search.
* seen(side, state, colour): the view for the player.
* outward(side, move): the move on the board for the player's move.
* notice(side, before, move, after, colour): the side after a move.
* note(first, second, left, cell): record where the sides left their books.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, filled_in
from seedfolio.core.randomness import noticed
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game

Functions = dict[str, Callable[..., Any]]

_SHIFT, _SEED = np.uint64(SYMMETRY_SHIFT), np.uint64(2**SYMMETRY_SHIFT - 1)
_MOST_MOVES = 2**15 - 1

# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
play: Any = None
view: Any = None
event: Any = None
refused: Any = None
images: Any = None
origins: Any = None


def symmetry_tables(game: Game) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return the image of every move under every symmetry (identity first), and the inverses."""
    moves = len(game.rules.move_names)
    if moves > _MOST_MOVES:
        raise SpecificationError(
            f"{game.title} has {moves:,} moves; symmetries and books need {_MOST_MOVES:,} or fewer"
        )
    numbers = np.arange(moves)
    # Rules may give any image for a number that is never a move; map it to itself.
    known = np.array([name != "" for name in game.rules.move_names])
    turned = [np.where(known, symmetry.moves, numbers) for symmetry in game.rules.symmetries]
    images = np.array([numbers, *turned], np.int16)
    origins = np.zeros_like(images)
    np.put_along_axis(origins, images.astype(np.int64), np.arange(moves, dtype=np.int16)[None], 1)
    return images, origins


def plain_side(game: Game) -> Functions:
    """Return the functions of an arm that is a plain seed."""
    templates: Functions = {
        "begin": _begin_plain,
        "consult": _consult_plain,
        "seen": seen_plain,
        "outward": outward_plain,
        "notice": _notice_plain,
        "note": _note_nothing,
    }
    return bound(templates, game.functions)


def turned_side(game: Game) -> Functions:
    """Return the functions of an arm that may be under a symmetry (see core.seeds)."""
    images, origins = symmetry_tables(game)
    templates: Functions = {
        "begin": _begin_turned,
        "consult": _consult_plain,
        "seen": _seen_turned,
        "outward": _outward_turned,
        "notice": _notice_turned,
        "note": _note_nothing,
    }
    return bound(templates, {**game.functions, "images": images, "origins": origins})


def bound(templates: Functions, names: dict[str, Any]) -> Functions:
    """Return the templates compiled, with their open names filled in."""
    return {name: compiled(filled_in(each, names)) for name, each in templates.items()}


def _begin_plain(arm: Any, colour: Any, book: Any) -> Any:
    return uint64(arm), int64(0), uint64(0)


def _consult_plain(side: Any, state: Any, colour: Any, book: Any) -> Any:
    return int64(-1), not refused(state), side


def seen_plain(side: Any, state: Any, colour: Any) -> Any:
    """Return the view of a side whose board is not turned."""
    return view(state, colour)


def outward_plain(side: Any, move: Any) -> Any:
    """Return the move of a side whose board is not turned."""
    return move


def _notice_plain(side: Any, before: Any, move: Any, after: Any, colour: Any) -> Any:
    happened = event(before, move, after, colour)
    return side[0], side[1] + (happened >= 0), noticed(side[2], happened)


def _note_nothing(first: Any, second: Any, left: Any, cell: Any) -> None:
    pass


# A turned side plays a copy of the game in which all moves are turned by its symmetry. After the
# three numbers of every side it has (its symmetry, the state of that copy).


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
