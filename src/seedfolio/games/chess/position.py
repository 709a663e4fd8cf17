"""A position of chess as a value: its legal moves by name, and its pieces by square.

`perft`, the number of lines of legal moves of a length, tests and times the move generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.games.chess import move_name
from seedfolio.games.chess.fen import START, parse_fen
from seedfolio.games.chess.lines import NONE, ONE
from seedfolio.games.chess.moves import MOST_MOVES, count_moves, generate
from seedfolio.games.chess.state import CHESS960, checkers, placed, play

_KINDS, _FILES = " PNBRQK", "abcdefgh"
_WORDS = 10


@dataclass(frozen=True)
class ChessPosition:
    """A position; `words` are its state."""

    words: NDArray[np.uint64]
    moves: dict[str, int]
    pieces: dict[str, str]
    """PNBRQK for either colour; empty squares are left out."""
    check: bool

    @classmethod
    def from_fen(cls, fen: str) -> ChessPosition:
        """Return the position of a FEN; ValueError if it is none."""
        return cls.at(np.array(parse_fen(fen), np.uint64))

    @classmethod
    def at(cls, words: NDArray[np.uint64], move: int = -1) -> ChessPosition:
        """Return a position, or the one after a legal move in it."""
        after = words.copy()
        legal = np.zeros(MOST_MOVES, np.int64)
        kinds = np.zeros(64, np.int64)
        count, check = _step()(after, np.int64(move), legal, kinds)
        moves = {move_name(int(each)): int(each) for each in legal[:count]}
        pieces = {
            f"{_FILES[square % 8]}{square // 8 + 1}": _KINDS[kind]
            for square, kind in enumerate(kinds.tolist())
            if kind
        }
        return cls(after, moves, pieces, bool(check))

    def after(self, name: str) -> ChessPosition:
        """Return the position after a legal move."""
        return ChessPosition.at(self.words, self.moves[name])

    def castles(self, name: str) -> bool:
        """Tell whether a legal move is castling.

        Only then a king moves two squares, or in Chess960 to a rook of its own.
        """
        if self.pieces[name[:2]] != "K":
            return False
        if int(self.words[6]) & int(CHESS960):
            row = int(name[3]) if self.words[9] == 0 else 9 - int(name[3])
            return bool(int(self.words[5]) >> 8 * row - 8 + _FILES.index(name[2]) & 1)
        return abs(ord(name[0]) - ord(name[2])) == 2


@compiled
def _write(state: Any, words: Any) -> None:
    words[0], words[1], words[2], words[3] = state[0], state[1], state[2], state[3]
    words[4], words[5], words[6] = state[4], state[5], state[6]
    words[7], words[8], words[9] = uint64(state[7]), uint64(state[8]), uint64(state[9])


@cache
def _step() -> Any:
    return compiled_entry(_step_template, {})


def _step_template(words: Any, move: Any, legal: Any, kinds: Any) -> Any:
    """Make a move, if it is not -1; return (number of legal moves, whether there is check)."""
    before = placed(words, 0)
    state = before if move < 0 else play(before, move)
    if move >= 0:
        _write(state, words)
    pawns, knights, diagonals, straights, kings = state[0], state[1], state[2], state[3], state[4]
    for square in range(64):
        # Black's board is upside down.
        bit = ONE << uint64(square if state[9] == 0 else square ^ 56)
        kind = 1 if pawns & bit != NONE else 0
        kind = 2 if knights & bit != NONE else kind
        kind = 3 if diagonals & bit != NONE else kind
        kind = 4 if straights & bit != NONE else kind
        kind = 5 if diagonals & straights & bit != NONE else kind
        kinds[square] = 6 if kings & bit != NONE else kind
    return generate(state, legal, int64(0)), checkers(state) != NONE


def perft(depth: int, fen: str = START) -> int:
    """Return the number of lines of `depth` legal moves from a position.

    Draws do not end a line. The last moves are counted, not made.

    >>> from seedfolio.games.chess.position import perft
    >>> perft(3)
    8902
    """
    if depth < 1:
        return 1
    states = np.zeros((depth, _WORDS), np.uint64)
    states[0] = parse_fen(fen)
    numbers = np.zeros((depth, MOST_MOVES + 2), np.int64)
    return int(_count_lines()(states, numbers))


@cache
def _count_lines() -> Any:
    return compiled_entry(_count_lines_template, {})


def _count_lines_template(states: Any, numbers: Any) -> Any:
    """Search depth first, with a row for each ply: its state, its moves, and how many are left."""
    total = int64(0)
    ply, last = 0, len(states) - 1
    fresh = True
    while ply >= 0:
        words = states[ply]
        state = placed(words, 0)
        if ply == last:
            total += count_moves(state)
            ply -= 1
            fresh = False
            continue
        row = numbers[ply]
        if fresh:
            row[MOST_MOVES] = generate(state, row, int64(0))
        if row[MOST_MOVES] == 0:
            ply -= 1
            fresh = False
            continue
        row[MOST_MOVES] -= 1
        after = play(state, row[row[MOST_MOVES]])
        ply += 1
        fresh = True
        _write(after, states[ply])
    return total
