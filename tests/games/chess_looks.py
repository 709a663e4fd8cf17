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
        captures = np.zeros(CHESS.rules.max_moves, np.int64)
        found = _look()(words, np.array(numbers, np.int64), room, captures)
        count, score, ending, loud_count = found
        self.numbers = room[:count].tolist()
        self.loud = [NAMES[move] for move in captures[: max(loud_count, 0)].tolist()]
        """Captures and promotions."""
        assert (loud_count < 0) == (count == 0)
        self.score = int(score) if count == 0 else None
        self.ending = ENDINGS[ending] if count == 0 else None

    @property
    def moves(self) -> set[str]:
        return {NAMES[move] for move in self.numbers}


@cache
def _look() -> Any:
    names = {**CHESS.functions, "loud": CHESS.rules.evaluation.loud}
    return compiled_entry(_look_template, names)


begun: Any = None
loud: Any = None
moves: Any = None
played: Any = None
score: Any = None
ending: Any = None


def _look_template(words: Any, history: Any, room: Any, captures: Any) -> Any:
    state = begun(words, room)
    count = moves(state, room, int64(0))
    for ply in range(len(history)):
        state = played(state, history[ply], room)
        count = moves(state, room, int64(0))
    loud_count = loud(state, captures, int64(0))
    if count > 0:
        return count, int64(-1), int64(-1), loud_count
    return count, int64(score(state)), int64(ending(state)), loud_count
