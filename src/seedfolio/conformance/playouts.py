"""Checks of functions that players use: plausible moves, rollouts, refused tries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from seedfolio.conformance.report import allowed_points, broken, rules_may_raise
from seedfolio.conformance.walk import GUARD, clear, room_for_moves, written_outside
from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE, Parts

# The faults. Each comes with a detail: the move, the index or the value in question.
(
    _FINE,
    _REFUSED_START,
    _REFUSED_MOVER,
    _PLAUSIBLE_NONE,
    _PLAUSIBLE_COUNT,
    _PLAUSIBLE_OUTSIDE,
    _PLAUSIBLE_MOVE,
    _ROLLOUT_OUTSIDE,
    _ROLLOUT_POINTS,
    _ROLLOUT_OVER,
    _ROLLOUT_UNSTEADY,
    _MOVES_OUTSIDE,
    _MOVES_COUNT,
    _MOVES_MOVE,
) = range(14)


class Playouts:
    """Checks the states of random games of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        functions = {**game.functions, "check_score": _is_no_score(game.rules.scale)}
        if game.rules.seats > 2:  # what a rollout returns has the points of all seats
            functions |= {"score": functions["result"], "check_score": _is_no_score(1 << 62)}
        self._replay = compiled_entry(_replay_template, functions)
        rules = game.rules
        given = rules.rollout
        traced = isinstance(given, Parts) and given.moves is not None
        self._trace = compiled_entry(_traced_template, functions) if traced else None
        self._named = np.array([bool(name) for name in rules.move_names])
        self._given = (
            rules.max_moves,
            rules.room,
            np.zeros(len(rules.move_names), np.int8),
            room_for_moves(rules),
            room_for_moves(rules),
        )

    def check(self, history: NDArray[np.int64], key: int) -> None:
        """Raise ConformanceError if a state of `history` has a fault."""
        plies = np.zeros(1, np.int64)
        with rules_may_raise(self._game, history, plies):
            fault, detail = self._replay(history, np.uint64(key), plies, *self._given)
            if fault == _FINE and self._trace is not None:
                limits = self._game.rules.room, self._game.rules.max_plies
                room = self._given[-1]
                given = history, np.uint64(key), plies, *limits, self._named, room
                fault, detail = self._trace(*given)
        if fault != _FINE:
            sentence = _sentence(self._game, int(fault), float(detail))
            raise broken(self._game, sentence, history[: int(plies[0])])


def _is_no_score(scale: int) -> Callable[..., Any]:
    @compiled
    def is_no_score(points: Any) -> Any:
        return points < 0 or points > scale or points != int64(points)

    return is_no_score


def _sentence(game: Game, fault: int, detail: float) -> str:
    limit = game.rules.max_moves
    outside = f"to out[at + {detail:g}], outside of its max_moves={limit} entries"
    rules, beyond = game.rules, f"to out[at + {detail:g}], outside of its"
    rolled = outside if rules.scratch <= limit else f"{beyond} scratch={rules.scratch} entries"
    traced = f"{beyond} {rules.room + rules.max_plies} entries, scratch and max_plies together"
    allowed = allowed_points(rules)
    sentences = {
        _REFUSED_START: "refused is true before any try",
        _REFUSED_MOVER: "the last try was refused, but the player to move is another",
        _PLAUSIBLE_NONE: "plausible offers no move, but moves does",
        _PLAUSIBLE_COUNT: f"plausible returns {detail:g}, not 0 to max_moves={limit}",
        _PLAUSIBLE_OUTSIDE: f"plausible writes {outside}",
        _PLAUSIBLE_MOVE: f"plausible offers {game.move_name(int(detail))} twice, or moves does not"
        " offer it",
        _ROLLOUT_OUTSIDE: f"rollout writes {rolled}",
        _ROLLOUT_POINTS: f"rollout returns {detail:g}, not {allowed}",
        _ROLLOUT_OVER: f"rollout returns {detail:g} when the game is over, not its score",
        _ROLLOUT_UNSTEADY: "rollout returns another result when called again",
        _MOVES_OUTSIDE: f"moves of rollout writes {traced}",
        _MOVES_COUNT: f"moves of rollout returns {detail:g}, not 0 to max_plies={rules.max_plies}",
        _MOVES_MOVE: f"moves of rollout writes {detail:g}, not 2 * move + colour",
    }
    return sentences[fault]


# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
refused: Any = None
plausible: Any = None
rollout: Any = None
trace: Any = None
check_score: Any = None


def _replay_template(
    history: Any,
    key: Any,
    plies: Any,
    max_moves: Any,
    room: Any,
    stamps: Any,
    out: Any,
    scratch: Any,
) -> Any:
    """Replay a finished game and check each of its states; return (fault, detail)."""
    state = start()
    if refused(state):
        return _REFUSED_START, 0.0
    for ply in range(len(history) + 1):
        plies[0] = ply
        count = moves(state, out, GUARD)

        # The stamps: 1 for a legal move, 2 once `plausible` has offered it.
        for move in range(len(stamps)):
            stamps[move] = 0
        for k in range(count):
            stamps[out[GUARD + k]] = 1
        if mover(state) != CHANCE:
            clear(scratch)
            found = int64(plausible(state, scratch, GUARD))
            if found < 0 or found > max_moves:
                return _PLAUSIBLE_COUNT, float(found)
            outside = written_outside(scratch, max_moves)
            if outside != 0:
                return _PLAUSIBLE_OUTSIDE, float(outside)
            if found == 0 and count > 0:
                return _PLAUSIBLE_NONE, 0.0
            for k in range(found):
                move = int64(scratch[GUARD + k])
                if move < 0 or move >= len(stamps) or stamps[move] != 1:
                    return _PLAUSIBLE_MOVE, float(move)
                stamps[move] = 2

        clear(scratch)
        points = rollout(state, key, int64(ply), scratch, int64(GUARD))
        outside = written_outside(scratch, room)
        if outside != 0:
            return _ROLLOUT_OUTSIDE, float(outside)
        if check_score(points):
            return _ROLLOUT_POINTS, float(points)
        if count == 0 and points != score(state):
            return _ROLLOUT_OVER, float(points)
        if points != rollout(state, key, int64(ply), scratch, int64(GUARD)):
            return _ROLLOUT_UNSTEADY, 0.0

        if ply < len(history):
            before = mover(state)
            state = play(state, history[ply])
            if refused(state) and mover(state) != before:
                plies[0] = ply + 1
                return _REFUSED_MOVER, 0.0
    return _FINE, 0.0


def _traced_template(
    history: Any, key: Any, plies: Any, room: Any, max_plies: Any, named: Any, out: Any
) -> Any:
    """Replay a finished game and ask for the moves of a random game from each state;

    Return (fault, detail)."""
    state = start()
    for ply in range(len(history) + 1):
        plies[0] = ply
        clear(out)
        _, count = trace(state, key, int64(ply), out, int64(GUARD))
        outside = written_outside(out, room + max_plies)
        if outside != 0:
            return _MOVES_OUTSIDE, float(outside)
        if count < 0 or count > max_plies or (ply == len(history) and count != 0):
            return _MOVES_COUNT, float(count)
        for k in range(count):
            move = int64(out[GUARD + k]) >> 1
            if move < 0 or move >= len(named) or not named[move]:
                return _MOVES_MOVE, float(out[GUARD + k])
        if ply < len(history):
            state = play(state, history[ply])
    return _FINE, 0.0
