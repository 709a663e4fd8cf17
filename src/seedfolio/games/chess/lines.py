"""Where chess pieces attack, by arithmetic on 64-bit words: no tables, so it suits a GPU.

Square 0 is a1, 7 is h1, 63 is h8. A set of squares is one uint64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types, uint64
from numba.extending import intrinsic

from seedfolio.core.compiler import compiled

_U = np.uint64
NONE, ONE, ALL = _U(0), _U(1), _U(2**64 - 1)
RANK_1, RANK_3, RANK_6, RANK_8 = (_U(0xFF << 8 * rank) for rank in (0, 2, 5, 7))
FILE_A, FILE_H = _U(0x0101010101010101), _U(0x8080808080808080)
_NOT_A, _NOT_H = ALL ^ FILE_A, ALL ^ FILE_H
_NOT_AB, _NOT_GH = _U(0xFCFCFCFCFCFCFCFC), _U(0x3F3F3F3F3F3F3F3F)
_RISING, _FALLING = _U(0x8040201008040201), _U(0x0102040810204080)
_TOP = _U(63)


@intrinsic
def _byteswap(typing_context: Any, word: Any) -> Any:
    """Return the word with its bytes in reverse order: the board from the other side."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _leading_zeros(typing_context: Any, word: Any) -> Any:
    """Return the number of zero bits above the highest bit of a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


# Called with the word alone: numba supplies the typing context.
byteswap: Any = _byteswap
leading_zeros: Any = _leading_zeros


@compiled
def along(line: Any, bit: Any, occupied: Any) -> Any:
    """Return what a slider on `bit` attacks on a line, which does not include `bit`.

    Obstruction difference: from the nearest piece below to the nearest one above, both included.
    """
    low = bit - ONE
    upper = line & occupied & ~low
    lower = (line & occupied & low) | ONE
    nearest_above = upper & (~upper + ONE)
    nearest_below = ONE << (_TOP - leading_zeros(lower))
    return line & (nearest_above + nearest_above - nearest_below)


@compiled
def file_of(square: Any) -> Any:
    """Return the other squares of a square's file."""
    return (FILE_A << uint64(square & 7)) & ~(ONE << uint64(square))


@compiled
def rank_of(square: Any) -> Any:
    """Return the other squares of a square's rank."""
    return (RANK_1 << uint64(square & 56)) & ~(ONE << uint64(square))


@compiled
def rising_of(square: Any) -> Any:
    """Return the other squares of the diagonal that rises to the right."""
    up = (square & 56) - 8 * (square & 7)
    line = _RISING << uint64(up) if up >= 0 else _RISING >> uint64(-up)
    return line & ~(ONE << uint64(square))


@compiled
def falling_of(square: Any) -> Any:
    """Return the other squares of the diagonal that falls to the right."""
    up = (square & 56) + 8 * (square & 7) - 56
    line = _FALLING << uint64(up) if up >= 0 else _FALLING >> uint64(-up)
    return line & ~(ONE << uint64(square))


@compiled
def knight_attacks(knights: Any) -> Any:
    """Return the squares that a set of knights attacks."""
    near = ((knights << _U(1)) & _NOT_A) | ((knights >> _U(1)) & _NOT_H)
    far = ((knights << _U(2)) & _NOT_AB) | ((knights >> _U(2)) & _NOT_GH)
    return (near << _U(16)) | (near >> _U(16)) | (far << _U(8)) | (far >> _U(8))


@compiled
def king_attacks(king: Any) -> Any:
    """Return the squares that a king attacks."""
    row = king | ((king << _U(1)) & _NOT_A) | ((king >> _U(1)) & _NOT_H)
    return (row | (row << _U(8)) | (row >> _U(8))) & ~king


@compiled
def attacks_down(pawns: Any) -> Any:
    """Return the squares that pawns attack which move down the board: the other side's."""
    return ((pawns >> _U(9)) & _NOT_H) | ((pawns >> _U(7)) & _NOT_A)


@compiled
def attacks_up(pawns: Any) -> Any:
    """Return the squares that pawns attack which move up the board: the mover's."""
    return ((pawns << _U(7)) & _NOT_H) | ((pawns << _U(9)) & _NOT_A)


@compiled
def _fill_up(sliders: Any, empty: Any, inside: Any, step: Any) -> Any:
    """Return what a set of sliders attacks in a direction of rising numbers (Kogge, Stone)."""
    free = empty & inside
    reached = sliders | (free & (sliders << step))
    free &= free << step
    reached |= free & (reached << (step + step))
    free &= free << (step + step)
    reached |= free & (reached << (_U(4) * step))
    return (reached << step) & inside


@compiled
def _fill_down(sliders: Any, empty: Any, inside: Any, step: Any) -> Any:
    """Return what a set of sliders attacks in a direction of falling numbers."""
    free = empty & inside
    reached = sliders | (free & (sliders >> step))
    free &= free >> step
    reached |= free & (reached >> (step + step))
    free &= free >> (step + step)
    reached |= free & (reached >> (_U(4) * step))
    return (reached >> step) & inside


@compiled
def sliders_attack(diagonals: Any, straights: Any, occupied: Any) -> Any:
    """Return the squares that sets of diagonal and straight sliders attack."""
    empty = ~occupied
    return (
        _fill_up(straights, empty, ALL, _U(8))
        | _fill_down(straights, empty, ALL, _U(8))
        | _fill_up(straights, empty, _NOT_A, _U(1))
        | _fill_down(straights, empty, _NOT_H, _U(1))
        | _fill_up(diagonals, empty, _NOT_A, _U(9))
        | _fill_down(diagonals, empty, _NOT_H, _U(9))
        | _fill_up(diagonals, empty, _NOT_H, _U(7))
        | _fill_down(diagonals, empty, _NOT_A, _U(7))
    )


@compiled
def sliders_from(square: Any, diagonals: Any, straights: Any, occupied: Any) -> Any:
    """Return which of the sliders attack a square."""
    bit = ONE << uint64(square)
    straight = along(file_of(square), bit, occupied) | along(rank_of(square), bit, occupied)
    diagonal = along(rising_of(square), bit, occupied) | along(falling_of(square), bit, occupied)
    return (straight & straights) | (diagonal & diagonals)
