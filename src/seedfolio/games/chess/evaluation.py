"""The evaluation of chess: material, squares, mobility, pawns and kings, early and late.

A sum of 24 is a hundredth of a pawn: terms that count early in the game are multiplied by a phase
from 24 (all pieces are there) to 0 (none), those that count late by 24 less that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int32, int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_once
from seedfolio.core.randomness import mix
from seedfolio.core.words import lowest, popcount
from seedfolio.games.chess.lines import (
    FILE_A,
    FILE_H,
    NONE,
    ONE,
    RANK_6,
    RANK_8,
    along,
    attacks_down,
    attacks_up,
    byteswap,
    falling_of,
    file_of,
    king_attacks,
    knight_attacks,
    rank_of,
    rising_of,
)
from seedfolio.games.chess.moves import (
    castling_rooks,
    checks_and_pins,
    king_targets,
    pawn_targets,
    write_pawns,
    write_targets,
)
from seedfolio.games.chess.state import (
    CHESS960,
    FIFTY,
    TURNED,
    en_passant,
    insufficient,
    key,
    squares_of,
)
from seedfolio.games.rules import StaticEvaluation

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


@compiled
def _slides(bit: Any, first: Any, second: Any, occupied: Any, pins: Any) -> Any:
    """Return where a slider may go on two lines, by the pieces that are pinned to other lines."""
    targets = NONE
    if bit & pins[0] == NONE:
        targets |= along(first, bit, occupied)
    if bit & pins[1] == NONE:
        targets |= along(second, bit, occupied)
    return targets


@compiled_once
def generate_loud(state: Any, out: Any, at: Any) -> Any:
    """Write captures and promotions, in any order; return the index after the last.

    Return -1 if there is no legal move at all. A loop for each kind of piece: a processor foresees
    what it will do better than what the next piece is.
    """
    pawns, knights, diagonals, straights, kings, own, special, _, _, colour = state
    occupied = pawns | knights | diagonals | straights | kings
    other = occupied ^ own
    king = kings & own
    turn = TURNED if colour == 1 else 0
    answer, pins = checks_and_pins(state, occupied)
    on_file, on_rank, rising, falling = pins
    pinned = on_file | on_rank | rising | falling
    allowed = answer & ~own
    begin, quiet = at, NONE
    left = knights & own & ~pinned
    quiet |= knight_attacks(left) & allowed
    while left != NONE:
        bit = left & (~left + ONE)
        left ^= bit
        at = write_targets(lowest(bit), knight_attacks(bit) & answer & other, turn, out, at)
    left, off = diagonals & own, (pinned ^ rising, pinned ^ falling)
    while left != NONE:
        square = lowest(left)
        bit = left & (~left + ONE)
        left ^= bit
        targets = _slides(bit, rising_of(square), falling_of(square), occupied, off) & allowed
        quiet |= targets
        at = write_targets(square, targets & other, turn, out, at)
    left, off = straights & own, (pinned ^ on_file, pinned ^ on_rank)
    while left != NONE:
        square = lowest(left)
        bit = left & (~left + ONE)
        left ^= bit
        targets = _slides(bit, file_of(square), rank_of(square), occupied, off) & allowed
        quiet |= targets
        at = write_targets(square, targets & other, turn, out, at)
    # Where the king may go takes longer to find than all the rest.
    if king_attacks(king) & other != NONE:
        targets = king_targets(state, other)
        quiet |= targets
        at = write_targets(lowest(king), targets & other, turn, out, at)
    to_left, steps, to_right, leaps = pawn_targets(pawns & own, occupied, other, answer, pins)
    quiet |= steps | leaps
    at = write_pawns((to_left, steps & RANK_8, to_right, NONE), turn, out, at)
    if special & RANK_6 != NONE:
        by = en_passant(state)
        target = lowest(special & RANK_6)
        while by != NONE:
            at = write_targets(lowest(by), ONE << uint64(target), turn, out, at)
            by &= by - ONE
    if at == begin and quiet == NONE and king_targets(state, other) == NONE:
        if special & CHESS960 != NONE and castling_rooks(state) != NONE:
            return int64(at)
        return int64(-1)
    return int64(at)


_U = np.uint64
_PHASES = 24
_KINDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
# What a square is worth early, plus 2**32 times that late: one sum adds up both.
_EARLY_VALUES, _LATE_VALUES = square_values().reshape(2, -1)
_VALUES = _EARLY_VALUES + (_LATE_VALUES << 32)
# The terms, in order: those of every kind of piece, early and late, then the others.
_COUNT, _SQUARES, _MOBILITY, _OTHERS = 0, 10, 22, 26
(
    _DOUBLED,
    _ISOLATED,
    _PASSED_EARLY,
    _PASSED_LATE,
    _SHELTER,
    _ATTACK,
    _PAIR,
    _OPEN_FILE,
    _TO_MOVE,
) = range(_OTHERS, _OTHERS + 9)
_TERMS = _TO_MOVE + 1

WEIGHTS = {
    **dict(zip([f"{kind}, early" for kind in _KINDS[:5]], (82, 325, 335, 480, 980), strict=True)),
    **dict(zip([f"{kind}, late" for kind in _KINDS[:5]], (108, 300, 325, 530, 970), strict=True)),
    **{f"squares of {kind}, early": 1 for kind in _KINDS},
    **{f"squares of {kind}, late": 1 for kind in _KINDS},
    **dict(zip([f"mobility of {kind}" for kind in _KINDS[1:5]], (4, 4, 3, 1), strict=True)),
    "doubled pawns": -10,
    "isolated pawns": -12,
    "passed pawns, early": 1,
    "passed pawns, late": 3,
    "pawns before the king": 10,
    "squares attacked around the king": 6,
    "pair of bishops": 30,
    "rooks on open files": 14,
    "to move": 10,
}


@compiled
def _columns(squares: Any) -> Any:
    """Return the whole files of a set of squares."""
    files = squares | (squares >> _U(8))
    files |= files >> _U(16)
    files |= files >> _U(32)
    files &= _U(255)
    return files * FILE_A


@compiled
def _behind(squares: Any) -> Any:
    """Return the squares below a set of squares, on its files."""
    below = squares >> _U(8)
    below |= below >> _U(8)
    below |= below >> _U(16)
    return below | (below >> _U(32))


@compiled
def _neighbours(files: Any) -> Any:
    return ((files << ONE) & ~FILE_A) | ((files >> ONE) & ~FILE_H)


@compiled
def _value(kind: Any, square: Any) -> Any:
    return _VALUES[uint64(64 * kind + square)]


@compiled
def _kind_of(bit: Any, pawns: Any, knights: Any, diagonals: Any, straights: Any) -> Any:
    kind: Any = int64(KING)
    kind = KNIGHT if knights & bit != NONE else kind
    kind = BISHOP if diagonals & bit != NONE else kind
    kind = ROOK if straights & bit != NONE else kind
    kind = QUEEN if diagonals & straights & bit != NONE else kind
    return int64(PAWN) if pawns & bit != NONE else kind


@compiled
def _pawn_terms(men: Any, foes: Any, king: Any, sign: Any, early: Any, out: Any, at: Any) -> None:
    """Add the terms of the pawns of a side that moves up the board."""
    files = _columns(men)
    out[at + _DOUBLED] += sign * _PHASES * popcount(men & _behind(men))
    out[at + _ISOLATED] += sign * _PHASES * popcount(men & ~_neighbours(files))
    # A pawn is passed if no pawn of the other side can stop it: none before it on three files.
    guarded = _behind(foes)
    passed = men & ~(guarded | _neighbours(guarded) | _behind(men))
    advance = int64(0)
    while passed != NONE:
        row = (lowest(passed) >> 3) - 1
        advance += row * row
        passed &= passed - ONE
    out[at + _PASSED_EARLY] += sign * early * advance
    out[at + _PASSED_LATE] += sign * (_PHASES - early) * advance
    front = (king | _neighbours(king)) << _U(8)
    out[at + _SHELTER] += sign * early * popcount(men & (front | (front << _U(8))))


@compiled
def _place_terms(kind: Any, number: Any, total: Any, phase: Any, out: Any, at: Any) -> None:
    """Add the terms of the number and the squares of pieces of a kind; `phase` has the sign."""
    early, late = phase
    here = int64(int32(total))
    out[at + _SQUARES + kind] += early * here
    out[at + _SQUARES + 6 + kind] += late * ((total - here) >> 32)
    if kind != KING:
        out[at + _COUNT + kind] += early * number
        out[at + _COUNT + 5 + kind] += late * number


@compiled_once
def _terms(state: Any, out: Any, at: Any) -> None:
    pawns, knights, diagonals, straights, kings, own = state[:6]
    occupied = pawns | knights | diagonals | straights | kings
    early = popcount(knights) + popcount(diagonals) + 2 * popcount(straights)
    early += popcount(diagonals & straights)
    early = min(early, _PHASES)
    for term in range(_TERMS):
        out[at + term] = 0
    out[at + _TO_MOVE] = _PHASES
    sign = int64(1)
    # The mover's side, then the other's with the board turned, so that it moves up as well.
    for _ in range(2):
        other = occupied ^ own
        men, foes = pawns & own, pawns & other
        _pawn_terms(men, foes, kings & own, sign, early, out, at)
        free = ~(own | attacks_down(foes))
        around = king_attacks(kings & other)
        queens, bishops = diagonals & straights & own, diagonals & ~straights & own
        rooks = straights & ~diagonals & own
        attacked = popcount(attacks_up(men) & around)
        # Of knights, bishops, rooks and queens: the squares that they reach, and what those that
        # they stand on are worth. Few loops, as it takes a processor long to leave one.
        knight, bishop, rook, queen = int64(0), int64(0), int64(0), int64(0)
        at_knights, at_bishops, at_rooks, at_queens = int64(0), int64(0), int64(0), int64(0)
        left = knights & own
        while left != NONE:
            square = lowest(left)
            targets = knight_attacks(left & (~left + ONE))
            left &= left - ONE
            at_knights += _value(KNIGHT, square)
            knight += popcount(targets & free)
            attacked += popcount(targets & around)
        left = diagonals & own
        while left != NONE:
            square = lowest(left)
            bit = left & (~left + ONE)
            left ^= bit
            targets = along(rising_of(square), bit, occupied)
            targets |= along(falling_of(square), bit, occupied)
            mobile = popcount(targets & free)
            is_queen = bit & queens != NONE
            bishop += 0 if is_queen else mobile
            queen += mobile if is_queen else 0
            at_bishops += 0 if is_queen else _value(BISHOP, square)
            at_queens += _value(QUEEN, square) if is_queen else 0
            attacked += popcount(targets & around)
        left = straights & own
        while left != NONE:
            square = lowest(left)
            bit = left & (~left + ONE)
            left ^= bit
            targets = along(file_of(square), bit, occupied)
            targets |= along(rank_of(square), bit, occupied)
            mobile = popcount(targets & free)
            is_queen = bit & queens != NONE
            rook += 0 if is_queen else mobile
            queen += mobile if is_queen else 0
            at_rooks += 0 if is_queen else _value(ROOK, square)
            attacked += popcount(targets & around)
        left, at_men = men, int64(0)
        while left != NONE:
            at_men += _value(PAWN, lowest(left))
            left &= left - ONE
        phase = sign * early, sign * (_PHASES - early)
        _place_terms(PAWN, popcount(men), at_men, phase, out, at)
        _place_terms(KNIGHT, popcount(knights & own), at_knights, phase, out, at)
        _place_terms(BISHOP, popcount(bishops), at_bishops, phase, out, at)
        _place_terms(ROOK, popcount(rooks), at_rooks, phase, out, at)
        _place_terms(QUEEN, popcount(queens), at_queens, phase, out, at)
        _place_terms(KING, 1, _value(KING, lowest(kings & own)), phase, out, at)
        out[at + _MOBILITY] += sign * _PHASES * knight
        out[at + _MOBILITY + 1] += sign * _PHASES * bishop
        out[at + _MOBILITY + 2] += sign * _PHASES * rook
        out[at + _MOBILITY + 3] += sign * _PHASES * queen
        out[at + _ATTACK] += sign * early * attacked
        out[at + _PAIR] += sign * _PHASES * (popcount(bishops) >> 1)
        out[at + _OPEN_FILE] += sign * early * popcount(rooks & ~_columns(men))
        pawns, knights, kings = byteswap(pawns), byteswap(knights), byteswap(kings)
        diagonals, straights = byteswap(diagonals), byteswap(straights)
        occupied, own = byteswap(occupied), byteswap(other)
        sign = -sign


@compiled
def _loud(state: Any, out: Any, at: Any) -> Any:
    if state[7] >= FIFTY or state[8] >= 2 or insufficient(state):
        return int64(-1)
    end = generate_loud(state, out, int64(at))
    return end - at if end >= 0 else int64(-1)


@compiled
def _gain(state: Any, move: Any) -> Any:
    """Return more for a more valuable piece captured by a less valuable one."""
    pawns, knights, diagonals, straights, _kings, own, special, _, _, colour = state
    source, target, piece = squares_of(move, colour)
    by, to = ONE << uint64(source), ONE << uint64(target)
    taken = int64(-1)
    if (pawns | knights | diagonals | straights) & ~own & to != NONE:
        taken = _kind_of(to, pawns, knights, diagonals, straights)
    elif special & to & (_U(255) << _U(40)) != NONE and pawns & by != NONE:
        taken = int64(PAWN)
    gain = int64(0)
    if taken >= 0:
        gain = 16 + 8 * taken - _kind_of(by, pawns, knights, diagonals, straights)
    # A new queen is worth a queen; other pieces come last.
    return gain + (40 if piece == 0 else 0)


@compiled
def _key(state: Any) -> Any:
    # Near the end of fifty moves the clock matters, to searches of fewer than 20 plies.
    found = key(state)
    return mix(found + uint64(state[7])) if state[7] > FIFTY - 20 else found


EVALUATION = StaticEvaluation(
    terms=_terms, weights=WEIGHTS, scale=400 * _PHASES, loud=_loud, gain=_gain, key=_key
)
