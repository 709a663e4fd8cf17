"""What the squares of a chess board are worth to each piece, in hundredths of a pawn.

Made by a few rules of thumb: pieces like the centre, rooks the seventh row, and kings the corner
until the endgame.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)

_EDGE_PAWN = (0, 4, 2, -2, 4, 14, 40, 0)
_BISHOP_PAWN = (0, 0, 4, 9, 14, 22, 45, 0)
_CENTRE_PAWN = (0, -12, 4, 20, 26, 34, 50, 0)
_PAWN_LATE = (0, 0, 4, 12, 28, 55, 95, 0)
_KING_HOME = (20, 30, 10, -10, 0, -10, 30, 20)


def square_values() -> NDArray[np.int64]:
    """Return the values early in the game, then those late: 64 for each kind of piece, from a1."""
    early = [_early(kind, square // 8, square % 8) for kind in range(6) for square in range(64)]
    late = [_late(kind, square // 8, square % 8) for kind in range(6) for square in range(64)]
    return np.array([*early, *late], np.int64)


def _centre(row: int, file: int) -> int:
    """Return 0 in a corner to 6 in the centre."""
    return 7 - (abs(2 * row - 7) + abs(2 * file - 7)) // 2


def _early(kind: int, row: int, file: int) -> int:
    centre, home = _centre(row, file), row == 0
    if kind == PAWN:
        inner = min(file, 7 - file)
        return (_CENTRE_PAWN if inner == 3 else _BISHOP_PAWN if inner == 2 else _EDGE_PAWN)[row]
    if kind == KNIGHT:
        return 8 * centre - 26 - (8 if home else 0)
    if kind == BISHOP:
        return 4 * centre - 10 - (8 if home else 0)
    if kind == ROOK:
        return 3 * min(file, 7 - file) - 4 + (16 if row == 6 else 0)
    if kind == QUEEN:
        return centre - 3
    return _KING_HOME[file] - 26 * min(row, 3)


def _late(kind: int, row: int, file: int) -> int:
    centre = _centre(row, file)
    if kind == PAWN:
        return _PAWN_LATE[row]
    if kind == KNIGHT:
        return 7 * centre - 22
    if kind == BISHOP:
        return 4 * centre - 12
    if kind == ROOK:
        return 8 if row == 6 else 0
    if kind == QUEEN:
        return 5 * centre - 14
    return 10 * centre - 28
