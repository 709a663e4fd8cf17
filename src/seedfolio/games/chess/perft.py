"""Perft: the number of lines of legal moves of a length. It tests and times a move generator."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled_entry
from seedfolio.games.chess.fen import START, parse_fen
from seedfolio.games.chess.moves import MOST_MOVES, count_moves, generate
from seedfolio.games.chess.state import placed, play

_WORDS = 10


def perft(depth: int, fen: str = START) -> int:
    """Return the number of lines of `depth` legal moves from a position.

    Draws do not end a line. The last moves are counted, not made.

    >>> from seedfolio.games.chess.perft import perft
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
        below = states[ply]
        below[0], below[1], below[2], below[3] = after[0], after[1], after[2], after[3]
        below[4], below[5], below[6] = after[4], after[5], after[6]
        below[7], below[8], below[9] = uint64(after[7]), uint64(after[8]), uint64(after[9])
    return total
