"""Captures and promotions of chess, for searches that play them out."""

from __future__ import annotations

from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled, compiled_once
from seedfolio.core.words import lowest
from seedfolio.games.chess.lines import (
    NONE,
    ONE,
    RANK_6,
    RANK_8,
    along,
    falling_of,
    file_of,
    king_attacks,
    knight_attacks,
    rank_of,
    rising_of,
)
from seedfolio.games.chess.moves import (
    checks_and_pins,
    king_targets,
    pawn_targets,
    write_pawns,
    write_targets,
)
from seedfolio.games.chess.state import TURNED, en_passant


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
        return int64(-1)
    return int64(at)
