"""Chess positions after any FEN and moves, compiled once."""

from functools import cache
from typing import Any

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled_entry
from seedfolio.games import load_game
from seedfolio.games.chess import ENDINGS
from seedfolio.games.chess.fen import START, parse_fen

CHESS = load_game("chess")
NAMES = CHESS.rules.move_names
NUMBERS = {name: move for move, name in enumerate(NAMES) if name}


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
    return compiled_entry(_look_template, CHESS.functions)


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
