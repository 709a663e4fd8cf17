"""Checks of what a game tells of positions: their evaluation, how they repeat, a placed start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.conformance.report import broken, moves_text, rules_may_raise
from seedfolio.conformance.walk import GUARD, UNTOUCHED, clear, room_for_moves, written_outside
from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import fold, mix
from seedfolio.games.game import Game
from seedfolio.players.lookahead import no_gain, no_key

# The faults. Each comes with a detail: the move, the index or the value in question.
(
    _FINE,
    _TERMS_OUTSIDE,
    _TERM,
    _LOUD_OVER,
    _LOUD_COUNT,
    _LOUD_OUTSIDE,
    _LOUD_MOVE,
    _GAIN,
    _AGE,
    _AGE_STEP,
    _MARKED,
) = range(11)


class Positions:
    """Checks the states of random games of one game, and remembers the keys in all of them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        rules = game.rules
        self._evaluate = _bind_evaluation(game) if rules.evaluation else None
        self._repeat = _bind_repetition(game) if rules.repetition else None
        self._evaluated: dict[int, tuple[Any, Any]] = {}
        self._repeated: dict[int, tuple[Any, Any]] = {}

    def check_start(self) -> None:
        """Raise ConformanceError if `placed` does not make the state of `start`."""
        rules = self._game.rules
        if rules.placed is None:
            return
        same = compiled_entry(_same_start_template, self._game.functions)
        if not same(np.array(rules.setup, np.int64)):
            raise broken(self._game, "placed makes another state of setup than start")

    def check(self, history: NDArray[np.int64]) -> None:
        """Raise ConformanceError if a state of `history` has a fault."""
        if self._evaluate is not None:
            self._check_evaluation(history)
        if self._repeat is not None:
            self._check_repetition(history)

    def _check_evaluation(self, history: NDArray[np.int64]) -> None:
        rules = self._game.rules
        evaluation: Any = rules.evaluation
        number = len(evaluation.weights)
        values = np.zeros((len(history) + 1, number + 1), np.int64)
        keys = np.zeros(len(history) + 1, np.uint64)
        room = np.zeros(max(number, rules.max_moves) + 2 * GUARD, np.int32)
        stamps = np.zeros(len(rules.move_names), np.int8)
        given = number, rules.max_moves, stamps, room_for_moves(rules), room, values, keys
        self._run(self._evaluate, history, *given)
        if evaluation.key is None:
            return
        for ply in range(len(history)):
            known = tuple(values[ply].tolist())
            before = self._evaluated.setdefault(int(keys[ply]), (known, history[:ply]))
            if before[0] != known:
                rule = "key of evaluation is the same for states of other terms or other moves"
                raise self._alike(rule, before[1], history[:ply])

    def _check_repetition(self, history: NDArray[np.int64]) -> None:
        rules = self._game.rules
        repetition: Any = rules.repetition
        ages = np.zeros(len(history) + 1, np.int64)
        keys, looks = np.zeros((2, len(history) + 1), np.uint64)
        cells = np.zeros(rules.board.size, np.int64)
        given = repetition.oldest, room_for_moves(rules), cells, ages, keys, looks
        self._run(self._repeat, history, *given)
        last: dict[int, int] = {}
        for ply in range(len(history)):
            key, look = int(keys[ply]), int(looks[ply])
            before = self._repeated.setdefault(key, (look, history[:ply]))
            if before[0] != look:
                rule = "key of repetition is the same for different positions"
                raise self._alike(rule, before[1], history[:ply])
            since = ply - last.get(key, ply)
            if ages[ply] < since:
                rule = f"age is {ages[ply]}, but the position of {since} plies before is the same"
                raise broken(self._game, rule, history[:ply])
            last[key] = ply

    def _run(self, check: Any, history: NDArray[np.int64], *given: Any) -> None:
        """Run a compiled check, and say what it found."""
        plies = np.zeros(1, np.int64)
        with rules_may_raise(self._game, history, plies):
            fault, detail = check(history, plies, *given)
        if fault != _FINE:
            sentence = _sentence(self._game, int(fault), float(detail))
            raise broken(self._game, sentence, history[: int(plies[0])])

    def _alike(self, rule: str, before: NDArray[np.int64], now: NDArray[np.int64]) -> Exception:
        return broken(
            self._game, f"{rule}: compare {moves_text(self._game, before) or 'the start'}", now
        )


def _sentence(game: Game, fault: int, detail: float) -> str:
    rules = game.rules
    evaluation: Any = rules.evaluation
    repetition: Any = rules.repetition
    name = game.move_name(int(detail))
    sentences: dict[int, Callable[[], str]] = {
        _TERMS_OUTSIDE: lambda: (
            f"terms writes to out[at + {detail:g}], outside of its {len(evaluation.weights)} terms"
        ),
        _TERM: lambda: f"terms leaves out {list(evaluation.weights)[int(detail)]!r}",
        _LOUD_OVER: lambda: f"loud returns {detail:g} when the game is over, not -1",
        _LOUD_COUNT: lambda: f"loud returns {detail:g}, not 0 to max_moves={rules.max_moves}",
        _LOUD_OUTSIDE: lambda: (
            f"loud writes to out[at + {detail:g}], outside of its"
            f" max_moves={rules.max_moves} entries"
        ),
        _LOUD_MOVE: lambda: f"loud offers {name} twice, or moves does not offer it",
        _GAIN: lambda: f"gain of {name} is not a whole number from 0 up",
        _AGE: lambda: f"age is {detail:g}, not 0 to oldest={repetition.oldest}",
        _AGE_STEP: lambda: f"age is {detail:g}: a move makes it 0, or one more than before",
        _MARKED: lambda: "marked changes more than how often the position occurred",
    }
    return sentences[fault]()


@compiled
def _no_loud(state: Any, out: Any, at: Any) -> Any:
    return int64(0)


def _bind_evaluation(game: Game) -> Callable[..., Any]:
    evaluation: Any = game.rules.evaluation
    own = {
        "terms": evaluation.terms,
        "loud": evaluation.loud or _no_loud,
        "has_loud": evaluation.loud is not None,
        "gain": evaluation.gain or no_gain,
        "key": evaluation.key or no_key,
    }
    return compiled_entry(_evaluate_template, {**game.functions, **own})


def _bind_repetition(game: Game) -> Callable[..., Any]:
    repetition: Any = game.rules.repetition
    own = {"key": repetition.key, "age": repetition.age, "marked": repetition.marked}
    return compiled_entry(_repeat_template, {**game.functions, **own})


# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
opened: Any = None
mover: Any = None
moves: Any = None
play: Any = None
cells: Any = None
terms: Any = None
loud: Any = None
has_loud: Any = None
gain: Any = None
key: Any = None
age: Any = None
marked: Any = None


def _same_start_template(setup: Any) -> Any:
    return opened(setup) == start()


def _evaluate_template(
    history: Any,
    plies: Any,
    number: Any,
    max_moves: Any,
    stamps: Any,
    out: Any,
    room: Any,
    values: Any,
    keys: Any,
) -> Any:
    """Replay a finished game and check each of its states; return (fault, detail).

    For each state before the end, write its terms and the number of its moves to `values`.
    """
    state = start()
    for ply in range(len(history) + 1):
        plies[0] = ply
        count = moves(state, out, 0)
        clear(room)
        found = int64(loud(state, room, GUARD))
        outside = written_outside(room, max_moves)
        if outside != 0:
            return _LOUD_OUTSIDE, float(outside)
        if ply == len(history):
            return (_LOUD_OVER if has_loud and found != -1 else _FINE), float(found)
        if found < 0 or found > max_moves:
            return _LOUD_COUNT, float(found)

        # The stamps: 1 for a legal move, 2 once `loud` has offered it.
        for move in range(len(stamps)):
            stamps[move] = 0
        for k in range(count):
            stamps[out[k]] = 1
            promise = gain(state, int64(out[k]))
            if promise < 0 or promise != int64(promise):
                return _GAIN, float(out[k])
        for k in range(found):
            move = int64(room[GUARD + k])
            if move < 0 or move >= len(stamps) or stamps[move] != 1:
                return _LOUD_MOVE, float(move)
            stamps[move] = 2

        clear(room)
        terms(state, room, GUARD)
        outside = written_outside(room, number)
        if outside != 0:
            return _TERMS_OUTSIDE, float(outside)
        for k in range(number):
            if room[GUARD + k] == UNTOUCHED:
                return _TERM, float(k)
            values[ply, k] = room[GUARD + k]
        values[ply, number] = count
        keys[ply] = key(state)
        state = play(state, history[ply])
    return _FINE, 0.0


def _repeat_template(
    history: Any, plies: Any, oldest: Any, out: Any, board: Any, ages: Any, keys: Any, looks: Any
) -> Any:
    """Replay a finished game and check each of its states; return (fault, detail).

    For each state, write its age and its key, and a hash of its mover, cells and moves to `looks`.
    """
    state = start()
    for ply in range(len(history) + 1):
        plies[0] = ply
        old = int64(age(state))
        if old < 0 or old > oldest:
            return _AGE, float(old)
        if ply > 0 and old != 0 and old != ages[ply - 1] + 1:
            return _AGE_STEP, float(old)
        ages[ply], keys[ply] = old, key(state)
        for times in range(2):
            known = marked(state, times)
            if key(known) != keys[ply] or age(known) != old or mover(known) != mover(state):
                return _MARKED, 0.0

        cells(state, board)
        look = fold(uint64(0), int64(mover(state)))
        for cell in range(len(board)):
            look = fold(look, board[cell])
        # Moves may come in any order.
        for k in range(moves(state, out, 0)):
            look += mix(uint64(out[k] + 1))
        looks[ply] = look
        if ply < len(history):
            state = play(state, history[ply])
    return _FINE, 0.0
