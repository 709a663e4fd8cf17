"""The compiled part of the checks: inspect a state, and walk through a random game.

The room for moves and cells lies between guards: entries with a special value. If a guard has
changed, the rules have written outside their room.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import below
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE, Rules

GUARD = 64
"""The minimum number of guard entries before and after the room for moves or cells."""
UNTOUCHED = -77_777
"""The value of an entry that was not written."""

# The faults. Each comes with a detail: the move, the index or the value in question.
(
    FINE,
    COUNT,
    MOVES_OUTSIDE,
    OUT_OF_RANGE,
    NAMELESS,
    TWICE,
    MOVER,
    RANDOM_MOVE,
    RANDOM_STEP,
    RANDOM_OVER,
    RANDOM_OUTSIDE,
    CELL,
    CELLS_OUTSIDE,
    ENDLESS,
) = range(14)


def bind_walk(game: Game) -> Callable[..., Any]:
    """Return the compiled walk over the rules of a game."""
    names: dict[str, Any] = dict(game.functions)
    names["score"] = _checked_score(game.rules)
    names["seats"] = game.rules.seats
    names["_inspect"] = compiled_entry(_inspect_template, names)
    return compiled_entry(_walk_template, names)


def _checked_score(rules: Rules) -> Callable[..., Any]:
    """Return the score; with more than two seats that of the first, or one that is out of range."""
    score, seats, scale = rules.score, rules.seats, rules.scale
    if seats == 2:
        return score

    @compiled
    def checked(state: Any) -> Any:
        for seat in range(seats):
            points = score(state, seat)
            if points < 0 or points > scale:
                return points
        return score(state, 0)

    return checked


def room_for_moves(rules: Rules) -> NDArray[np.int32]:
    """Return room for more moves than allowed, so that too many are detected and do no harm."""
    size = rules.room + rules.max_plies + len(rules.move_names)
    return np.zeros(size + 2 * GUARD, np.int32)


# These do not depend on the game, so they are compiled once for all games.


def _clear_template(entries: Any) -> None:
    for k in range(len(entries)):
        entries[k] = UNTOUCHED


def _written_outside_template(entries: Any, room: Any) -> Any:
    """Return the first index, relative to GUARD, that was written outside the room; 0 if none."""
    for k in range(len(entries)):
        if (k < GUARD or k >= GUARD + room) and entries[k] != UNTOUCHED:
            return k - GUARD
    return 0


def _wrong_move_template(out: Any, count: Any, named: Any, stamps: Any) -> Any:
    """Return (fault, move) for the first wrong move of `count`; (FINE, 0) if there is none."""
    for k in range(len(stamps)):
        stamps[k] = 0
    for k in range(GUARD, GUARD + count):
        move = int64(out[k])
        if move < 0 or move >= len(named):
            return OUT_OF_RANGE, move
        if not named[move]:
            return NAMELESS, move
        if stamps[move] > 0:
            return TWICE, move
        stamps[move] = 1
    return FINE, int64(0)


clear: Any = compiled_entry(_clear_template, {})
written_outside: Any = compiled_entry(_written_outside_template, {})
_wrong_move: Any = compiled_entry(_wrong_move_template, {})

# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
cells: Any = None
random_move: Any = None
outcome: Any = None
seats: Any = None
_inspect: Any = None


def _inspect_template(
    state: Any,
    key: Any,
    chance: Any,
    max_moves: Any,
    glyphs: Any,
    named: Any,
    stamps: Any,
    out: Any,
    scratch: Any,
    board: Any,
    inner: Any,
) -> Any:
    """Check one state; return (fault, detail, number of moves).

    `inner` is `board` without its guards.
    """
    clear(out)
    count = int64(moves(state, out, GUARD))
    if count < 0 or count > max_moves:
        return COUNT, count, count
    outside = written_outside(out, max_moves)
    if outside != 0:
        return MOVES_OUTSIDE, outside, count
    fault, detail = _wrong_move(out, count, named, stamps)
    if fault != FINE:
        return fault, detail, count

    colour = int64(mover(state))
    if (colour < 0 or colour >= seats) and not (chance and colour == CHANCE):
        return MOVER, colour, count

    clear(scratch)
    step = int64(key & 1023)
    drawn, after = random_move(state, key, step, scratch, GUARD)
    outside = written_outside(scratch, max_moves)
    if outside != 0:
        return RANDOM_OUTSIDE, outside, count
    if count == 0 and drawn != -1:
        return RANDOM_OVER, int64(drawn), count
    if count > 0:
        agreed = int64(out[GUARD + below(key, step, count)])
        if colour == CHANCE:
            agreed = outcome(state, key, step, count, out, GUARD)
        if drawn != agreed:
            return RANDOM_MOVE, int64(drawn), count
    if after - step != (1 if count > 0 else 0):
        return RANDOM_STEP, int64(after - step), count

    clear(board)
    cells(state, inner)
    outside = written_outside(board, len(inner))
    if outside != 0:
        return CELLS_OUTSIDE, outside, count
    for cell in range(len(inner)):
        if inner[cell] < 0 or inner[cell] >= glyphs:
            return CELL, int64(inner[cell]), count
    return FINE, int64(0), count


def _walk_template(
    key: Any,
    max_plies: Any,
    chance: Any,
    max_moves: Any,
    glyphs: Any,
    named: Any,
    stamps: Any,
    out: Any,
    scratch: Any,
    board: Any,
    inner: Any,
    legal: Any,
    history: Any,
    plies: Any,
) -> Any:
    """Play a random game; check its states and all states one move away from it.

    Return ((fault, detail), score, state). `history` and plies[0], the number of its moves, are
    always up to date, so they show the moves played if the rules raise an error.
    """
    state = start()
    ply = int64(-1)
    chosen = int64(0)
    count = int64(1)
    fault, detail = FINE, int64(0)
    while count > 0:
        if ply == max_plies:
            fault = ENDLESS
            break
        # Play every move, the drawn one last. (Before the first ply there is none.)
        before = state
        for k in range(count):
            if ply >= 0:
                history[ply] = legal[(chosen + 1 + k) % count]
                plies[0] = ply + 1
                state = play(before, history[ply])
            fault, detail, following = _inspect(
                state, key, chance, max_moves, glyphs, named, stamps, out, scratch, board, inner
            )
            if fault != FINE:
                return (fault, detail), int64(-1), state
        count = following
        ply += 1
        for k in range(count):
            legal[k] = out[GUARD + k]
        chosen = below(key, ply, count)
    points = score(state) if fault == FINE else int64(-1)
    return (fault, detail), points, state
