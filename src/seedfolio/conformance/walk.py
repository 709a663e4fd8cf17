"""Random games for the checks: every state is inspected, and a sentence tells each fault.

The room for moves and cells lies between guards: entries with a special value. If a guard has
changed, the rules have written outside their room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from seedfolio.conformance.report import allowed_points, broken, rules_may_raise
from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import below
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE, Rules

GUARD = 64
"""The minimum number of guard entries before and after the room for moves or cells."""
UNTOUCHED = -77_777
"""The value of an entry that was not written."""

_MOST_ODDS = 2**31

# The faults. Each comes with a detail: the move, the index or the value in question.
(
    _FINE,
    _COUNT,
    _MOVES_OUTSIDE,
    _OUT_OF_RANGE,
    _NAMELESS,
    _TWICE,
    _MOVER,
    _RANDOM_MOVE,
    _RANDOM_STEP,
    _RANDOM_OVER,
    _RANDOM_OUTSIDE,
    _CELL,
    _CELLS_OUTSIDE,
    _ENDLESS,
    _ODDS,
    _ALL_ODDS,
) = range(16)


@dataclass(frozen=True)
class Walk:
    """One random game without a fault."""

    history: NDArray[np.int64]
    state: Any
    """The final state, as Python sees it: integers in tuples."""
    cells: NDArray[np.int64]
    """The final board."""
    score: int
    """Half points of the first player."""

    def is_same_as(self, other: Walk) -> bool:
        """Return whether two games have the same moves and final state."""
        return bool(self.state == other.state) and np.array_equal(self.history, other.history)


class Walker:
    """Plays random games of one game and reports the first fault."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self._game = game
        self._walk = _bind_walk(game)
        self._cells = np.zeros(rules.board.size + 2 * GUARD, np.int64)
        self._given = (
            rules.max_plies,
            rules.chance,
            rules.max_moves,
            len(rules.board.glyphs),
            np.array([bool(name) for name in rules.move_names], np.bool_),
            np.zeros(len(rules.move_names), np.int8),
            room_for_moves(rules),
            room_for_moves(rules),
            self._cells,
            self._cells[GUARD : GUARD + rules.board.size],
            np.zeros(rules.max_moves, np.int64),
        )

    def walk(self, key: int) -> Walk:
        """Play the random game of `key`; raise ConformanceError if it has a fault."""
        game = self._game
        history = np.zeros(game.rules.max_plies + 1, np.int64)
        plies = np.zeros(1, np.int64)
        with rules_may_raise(game, history, plies):
            (fault, detail), score, state = self._walk(np.uint64(key), *self._given, history, plies)
        played = history[: int(plies[0])]
        if fault != _FINE:
            raise broken(game, _sentence(game, int(fault), int(detail)), played)
        if isinstance(score, float) or not 0 <= score <= game.rules.scale:
            raise broken(game, f"score is {score}, not {allowed_points(game.rules)}", played)
        if kind := not_integer(state):
            rule = (
                f"the state has a part of type {kind}; all parts must be integers, and a uint64 of"
                " start must stay one in play"
            )
            raise broken(game, rule, played)
        cells = self._cells[GUARD : GUARD + game.rules.board.size].copy()
        return Walk(played, state, cells, int(score))


def not_integer(state: Any) -> str | None:
    """Return the type of a part of a state that is not an integer, None if there is none."""
    if isinstance(state, tuple):
        return next(filter(None, map(not_integer, state)), None)
    return None if isinstance(state, int) else type(state).__name__


def _seats(seats: int) -> str:
    return "0 or 1" if seats == 2 else f"0 to {seats - 1}"


def _sentence(game: Game, fault: int, detail: int) -> str:
    rules = game.rules
    name = game.move_name(detail)
    room = f"outside of its max_moves={rules.max_moves} entries"
    unwritten = detail == UNTOUCHED
    sentences = {
        _COUNT: f"moves returns {detail}, not 0 to max_moves={rules.max_moves}",
        _MOVES_OUTSIDE: f"moves writes to out[at + {detail}], {room}",
        _OUT_OF_RANGE: "moves counts more moves than it writes"
        if unwritten
        else f"moves offers {detail}, not 0 to {len(rules.move_names) - 1}",
        _NAMELESS: f"moves offers move {detail}, which has no name in move_names",
        _TWICE: f"moves offers {name} twice",
        _MOVER: "mover is CHANCE, though Rules does not say chance=True"
        if detail == CHANCE
        else f"mover is {detail}, not {_seats(rules.seats)}"
        + (" or CHANCE" if rules.chance else ""),
        _RANDOM_MOVE: f"random_move plays {name}, not move number below(key, step, n) of"
        " the n that moves offers",
        _RANDOM_STEP: f"random_move raises step by {detail}, not by 1 (by 0 when over)",
        _RANDOM_OVER: f"random_move plays {name} when the game is over, not -1",
        _RANDOM_OUTSIDE: f"random_move writes to out[at + {detail}], {room}",
        _CELL: "cells leaves out a cell"
        if unwritten
        else f"cells writes {detail}, not an index of glyphs, 0 to {len(rules.board.glyphs) - 1}",
        _CELLS_OUTSIDE: f"cells writes to out[{detail}] on {rules.board.size} cells",
        _ENDLESS: f"the game goes on beyond max_plies={rules.max_plies}",
        _ODDS: f"odds of {name} is not a whole number from 1 up",
        _ALL_ODDS: f"odds of all outcomes together are {detail}, not below 2**31",
    }
    return sentences[fault]


def _bind_walk(game: Game) -> Callable[..., Any]:
    """Return the compiled walk over the rules of a game."""
    names: dict[str, Any] = dict(game.functions)
    names["score"] = _checked_score(game.rules)
    names["seats"] = game.rules.seats
    names["odds"] = game.rules.odds or equal_odds
    names["_inspect"] = compiled_entry(_inspect_template, names)
    return compiled_entry(_walk_template, names)


@compiled
def equal_odds(state: Any, outcome: Any) -> Any:
    """Return the odds of an outcome where rules give none."""
    return int64(1)


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
    """Return (fault, move) for the first wrong move of `count`; (_FINE, 0) if there is none."""
    for k in range(len(stamps)):
        stamps[k] = 0
    for k in range(GUARD, GUARD + count):
        move = int64(out[k])
        if move < 0 or move >= len(named):
            return _OUT_OF_RANGE, move
        if not named[move]:
            return _NAMELESS, move
        if stamps[move] > 0:
            return _TWICE, move
        stamps[move] = 1
    return _FINE, int64(0)


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
odds: Any = None
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
        return _COUNT, count, count
    outside = written_outside(out, max_moves)
    if outside != 0:
        return _MOVES_OUTSIDE, outside, count
    fault, detail = _wrong_move(out, count, named, stamps)
    if fault != _FINE:
        return fault, detail, count

    colour = int64(mover(state))
    if (colour < 0 or colour >= seats) and not (chance and colour == CHANCE):
        return _MOVER, colour, count
    if colour == CHANCE:
        total = int64(0)
        for k in range(GUARD, GUARD + count):
            likely = odds(state, int64(out[k]))
            if likely < 1 or likely != int64(likely):
                return _ODDS, int64(out[k]), count
            total += int64(likely)
        if total >= _MOST_ODDS:
            return _ALL_ODDS, total, count

    clear(scratch)
    step = int64(key & 1023)
    drawn, after = random_move(state, key, step, scratch, GUARD)
    outside = written_outside(scratch, max_moves)
    if outside != 0:
        return _RANDOM_OUTSIDE, outside, count
    if count == 0 and drawn != -1:
        return _RANDOM_OVER, int64(drawn), count
    if count > 0:
        agreed = int64(out[GUARD + below(key, step, count)])
        if colour == CHANCE:
            agreed = outcome(state, key, step, count, out, GUARD)
        if drawn != agreed:
            return _RANDOM_MOVE, int64(drawn), count
    if after - step != (1 if count > 0 else 0):
        return _RANDOM_STEP, int64(after - step), count

    clear(board)
    cells(state, inner)
    outside = written_outside(board, len(inner))
    if outside != 0:
        return _CELLS_OUTSIDE, outside, count
    for cell in range(len(inner)):
        if inner[cell] < 0 or inner[cell] >= glyphs:
            return _CELL, int64(inner[cell]), count
    return _FINE, int64(0), count


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
    fault, detail = _FINE, int64(0)
    while count > 0:
        if ply == max_plies:
            fault = _ENDLESS
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
            if fault != _FINE:
                return (fault, detail), int64(-1), state
        count = following
        ply += 1
        for k in range(count):
            legal[k] = out[GUARD + k]
        chosen = below(key, ply, count)
    points = score(state) if fault == _FINE else int64(-1)
    return (fault, detail), points, state
