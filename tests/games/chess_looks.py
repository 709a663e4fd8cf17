"""Chess positions after any FEN and moves, compiled once: `load_game` compiles each FEN anew."""

from functools import cache
from typing import Any

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.games import load_game
from seedfolio.games.chess import ENDINGS
from seedfolio.games.chess.fen import START, parse_fen
from seedfolio.games.repetition import memory_functions

CHESS = load_game("chess")
NAMES = CHESS.rules.move_names
NUMBERS = {name: move for move, name in enumerate(NAMES) if name}


@compiled
def state_of(words: Any) -> Any:
    sets = words[0], words[1], words[2], words[3], words[4], words[5], words[6]
    return (*sets, int64(words[7]), int64(words[8]), int64(words[9]))


class Look:
    """A position: the names of its moves, and if there are none its score and why it is over."""

    def __init__(self, fen: str = START, moves: str | list[int] = "") -> None:
        numbers = [NUMBERS[name] for name in moves.split()] if isinstance(moves, str) else moves
        words = np.array(parse_fen(fen), np.uint64)
        room = np.zeros(CHESS.rules.max_moves + CHESS.rules.repetition.room, np.int64)
        count, score, ending = _look()(words, np.array(numbers, np.int64), room)
        self.numbers = room[:count].tolist()
        self.score = int(score) if count == 0 else None
        self.ending = ENDINGS[ending] if count == 0 else None

    @property
    def moves(self) -> set[str]:
        return {NAMES[move] for move in self.numbers}


@cache
def _look() -> Any:
    return compiled_entry(_look_template, {**CHESS.functions, **_from_words()})


def _from_words() -> dict[str, Any]:
    """Return `begun(words, room)`, which begins with a state that is given."""
    repetition = CHESS.rules.repetition
    key, age, room_size = repetition.key, repetition.age, repetition.room
    halves = memory_functions.__globals__["_halves"]

    @compiled
    def begun(words: Any, room: Any) -> Any:
        state = state_of(words)
        at = len(room) - room_size + 2 * age(state)
        room[at], room[at + 1] = halves(key(state))
        return state

    return {"begun": begun}


begun: Any = None
moves: Any = None
played: Any = None
score: Any = None
ending: Any = None


def _look_template(words: Any, history: Any, room: Any) -> Any:
    state = begun(words, room)
    count = moves(state, room, int64(0))
    for ply in range(len(history)):
        state = played(state, history[ply], room)
        count = moves(state, room, int64(0))
    if count > 0:
        return count, int64(-1), int64(-1)
    return count, int64(score(state)), int64(ending(state))
