"""Legal moves of chess, generated without trying them out: by check masks and pins.

`generate` is large: it is compiled once, and its callers call it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled, compiled_once
from seedfolio.core.words import lowest, popcount
from seedfolio.games.chess.lines import (
    ALL,
    FILE_A,
    FILE_H,
    NONE,
    ONE,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    along,
    attacks_down,
    falling_of,
    file_of,
    king_attacks,
    knight_attacks,
    rank_of,
    rising_of,
    sliders_attack,
)
from seedfolio.games.chess.state import CHESS960, LONG, PROMOTIONS, SHORT, TURNED, en_passant

_U = np.uint64
MOST_MOVES = 218
"""No position that can arise has more legal moves (R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1)."""
_H1, _A1 = _U(1 << 7), _U(1 << 0)
_SHORT_WAY, _SHORT_PATH = _U(0b01100000), _U(0b01110000)
_LONG_WAY, _LONG_PATH = _U(0b00001110), _U(0b00011100)


@compiled
def _on_line(line: Any, king: Any, occupied: Any, own: Any, sliders: Any) -> Any:
    """Return (squares that answer a check on this line of the king, pinned pieces on it)."""
    low = king - ONE
    seen = along(line, king, occupied)
    checks = seen & sliders
    answer = ALL
    answer &= seen & ~low if checks & ~low != NONE else ALL
    answer &= seen & low if checks & low != NONE else ALL
    blockers = seen & own
    pinners = along(line, king, occupied ^ blockers) & ~seen & sliders
    pinned = blockers & ~low if pinners & ~low != NONE else NONE
    pinned |= blockers & low if pinners & low != NONE else NONE
    return answer, pinned


@compiled
def _only(checks: Any) -> Any:
    """Return the squares that answer checks by knights or pawns: the one that gives it."""
    if checks == NONE:
        return ALL
    return checks if checks & (checks - ONE) == NONE else NONE


@compiled
def checks_and_pins(state: Any, occupied: Any) -> Any:
    """Return (squares that answer all checks, pinned pieces by the line of the king).

    The lines are its file, its rank, the rising diagonal and the falling one.
    """
    pawns, knights, diagonals, straights, kings, own = state[:6]
    other = occupied ^ own
    king = kings & own
    home = lowest(king)
    straight, diagonal = straights & other, diagonals & other
    answer_1, on_file = _on_line(file_of(home), king, occupied, own, straight)
    answer_2, on_rank = _on_line(rank_of(home), king, occupied, own, straight)
    answer_3, rising = _on_line(rising_of(home), king, occupied, own, diagonal)
    answer_4, falling = _on_line(falling_of(home), king, occupied, own, diagonal)
    answer = answer_1 & answer_2 & answer_3 & answer_4
    answer &= _only(knight_attacks(king) & knights & other)
    by_pawns = ((king << _U(7)) & ~FILE_H) | ((king << _U(9)) & ~FILE_A)
    answer &= _only(by_pawns & pawns & other)
    return answer, (on_file, on_rank, rising, falling)


@compiled
def _reach(bit: Any, state: Any, occupied: Any, pins: Any) -> Any:
    """Return where a piece may go that is neither pawn nor king, checks aside."""
    _, knights, diagonals, straights = state[:4]
    on_file, on_rank, rising, falling = pins
    pinned = on_file | on_rank | rising | falling
    square = lowest(bit)
    targets = NONE
    if straights & bit != NONE:
        if bit & (pinned ^ on_file) == NONE:
            targets |= along(file_of(square), bit, occupied)
        if bit & (pinned ^ on_rank) == NONE:
            targets |= along(rank_of(square), bit, occupied)
    if diagonals & bit != NONE:
        if bit & (pinned ^ rising) == NONE:
            targets |= along(rising_of(square), bit, occupied)
        if bit & (pinned ^ falling) == NONE:
            targets |= along(falling_of(square), bit, occupied)
    if knights & bit != NONE:
        targets = knight_attacks(bit) if bit & pinned == NONE else NONE
    return targets


@compiled
def pawn_targets(men: Any, occupied: Any, other: Any, answer: Any, pins: Any) -> Any:
    """Return where pawns may go: captures to the left, steps, captures to the right, leaps."""
    on_file, on_rank, rising, falling = pins
    men &= ~on_rank
    steps = ((men & ~(rising | falling)) << _U(8)) & ~occupied
    leaps = ((steps & RANK_3) << _U(8)) & ~occupied
    to_left = ((men & ~FILE_A & ~(on_file | rising)) << _U(7)) & other & answer
    to_right = ((men & ~FILE_H & ~(on_file | falling)) << _U(9)) & other & answer
    return to_left, steps & answer, to_right, leaps & answer


@compiled
def _danger(state: Any, other: Any) -> Any:
    """Return where the king would be attacked."""
    pawns, knights, diagonals, straights, kings, own = state[:6]
    return (
        attacks_down(pawns & other)
        | knight_attacks(knights & other)
        | king_attacks(kings & other)
        | sliders_attack(diagonals & other, straights & other, (own ^ (kings & own)) | other)
    )


@compiled
def king_targets(state: Any, other: Any) -> Any:
    """Return where the king may go; castling is a step to g1 or c1. See also `castling_rooks`."""
    kings, own, special = state[4], state[5], state[6]
    king = kings & own
    occupied = own | other
    danger = _danger(state, other)
    targets = king_attacks(king) & ~danger & ~own
    if special & (_A1 | _H1) != NONE and special & CHESS960 == NONE:
        if special & _H1 != NONE and occupied & _SHORT_WAY == NONE and danger & _SHORT_PATH == NONE:
            targets |= SHORT[0]
        if special & _A1 != NONE and occupied & _LONG_WAY == NONE and danger & _LONG_PATH == NONE:
            targets |= LONG[0]
    return targets


@compiled_once
def castling_rooks(state: Any) -> Any:
    """Return the rooks with which the king may castle now in Chess960."""
    pawns, knights, diagonals, straights, kings, own, special = state[:7]
    other = (pawns | knights | diagonals | straights | kings) ^ own
    king, rooks, found = kings & own, special & RANK_1, NONE
    danger = _danger(state, other)
    while rooks != NONE:
        rook = rooks & (~rooks + ONE)
        rooks ^= rook
        home, beside = SHORT if rook > king else LONG
        path, rest = _span(king, home), (own ^ king ^ rook) | other
        # The rook may have stood between the king's new square and a rook of the other side.
        opened = along(rank_of(lowest(home)), home, rest | beside) & straights & other
        blocked = rest & (path | _span(rook, beside))
        found |= rook if blocked | (danger & path) | opened == NONE else NONE
    return found


@compiled
def _span(first: Any, second: Any) -> Any:
    """Return all squares of the first row from one to another."""
    return (max(first, second) << ONE) - min(first, second)


def _generator(
    put_targets: Callable[..., Any], put_pawns: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a function that passes all legal moves on, as sets of targets."""

    @compiled_once
    def generate(state: Any, out: Any, at: Any) -> Any:
        pawns, knights, diagonals, straights, kings, own, special, _, _, colour = state
        occupied = pawns | knights | diagonals | straights | kings
        other = occupied ^ own
        king = kings & own
        turn = TURNED if colour == 1 else 0
        answer, pins = checks_and_pins(state, occupied)
        allowed = answer & ~own
        left = own & ~pawns
        while left != NONE:
            bit = left & (~left + ONE)
            left ^= bit
            targets = _reach(bit, state, occupied, pins) & allowed
            if bit == king:
                targets = king_targets(state, other)
            at = put_targets(lowest(bit), targets, turn, out, at)
        at = put_pawns(pawn_targets(pawns & own, occupied, other, answer, pins), turn, out, at)
        if special & CHESS960 != NONE:
            at = put_targets(lowest(king), castling_rooks(state), turn, out, at)
        if special & RANK_6 != NONE:
            by = en_passant(state)
            target = lowest(special & RANK_6)
            while by != NONE:
                at = put_targets(lowest(by), ONE << uint64(target), turn, out, at)
                by &= by - ONE
        return at

    return generate


@compiled
def write_targets(square: Any, targets: Any, turn: Any, out: Any, at: Any) -> Any:
    """Write the moves from a square to its targets; return the index after the last."""
    source = square << 6
    while targets != NONE:
        out[at] = (source | lowest(targets)) ^ turn
        targets &= targets - ONE
        at += 1
    return at


@compiled
def write_pawns(sets: Any, turn: Any, out: Any, at: Any) -> Any:
    """Write the moves of pawns to the sets of `pawn_targets`."""
    to_left, steps, to_right, leaps = sets
    for direction in range(4):
        # Selections: a GPU would keep a tuple with a computed index in slow memory.
        targets = steps if direction == 1 else to_left
        targets = to_right if direction == 2 else targets
        targets = leaps if direction == 3 else targets
        distance = 16 if direction == 3 else 7 + direction
        while targets != NONE:
            target = lowest(targets)
            targets &= targets - ONE
            source = target - distance
            if target < 56:
                out[at] = ((source << 6) | target) ^ turn
                at += 1
            else:
                side = 96 if turn != 0 else 0
                first = PROMOTIONS + side + 4 * (3 * (source & 7) + direction)
                for piece in range(4):
                    out[at + piece] = first + piece
                at += 4
    return at


@compiled
def _count_targets(square: Any, targets: Any, turn: Any, out: Any, at: Any) -> Any:
    return at + popcount(targets)


@compiled
def _count_pawns(sets: Any, turn: Any, out: Any, at: Any) -> Any:
    to_left, steps, to_right, leaps = sets
    at += popcount(to_left) + popcount(steps) + popcount(to_right) + popcount(leaps)
    last = popcount(to_left & RANK_8) + popcount(steps & RANK_8) + popcount(to_right & RANK_8)
    return at + 3 * last


generate = _generator(write_targets, write_pawns)
"""generate(state, out, at): write all legal moves from out[at] on; return the index after the
last."""

_counter = _generator(_count_targets, _count_pawns)


@compiled
def count_moves(state: Any) -> Any:
    """Return the number of legal moves, without a list of them."""
    return _counter(state, int64(0), int64(0))
