"""The state of a chess game, seen from the mover's side, and how a move changes it.

A state is (pawns, knights, diagonals, straights, kings, own, special, clock, times, colour). The
first six are sets of squares of both sides; queens are both diagonal and straight sliders, and
`own` has all pieces of the mover. The board is seen from the mover's side: its pawns move up, and
after every move the board is turned upside down by swapping bytes. So the rules are written once.

`special` has the rooks that may still castle on ranks 1 and 8, and on rank 6 the square behind a
pawn that has just made a double step next to a pawn that might capture it. In Chess960 it also has
two squares that no castling and no pawn can mean, a4 and a5. `clock` counts the plies since the
last capture or pawn move, `times` how often the position has occurred before (see `games.rules`).
`colour` is 0 for White.

A move is 64 * source + target, with squares as White sees them. Castling is a move of the king; in
Chess960 its target is the king's own rook, because the king may also step to g1. Promotions come
after these: 4096 + 4 * (3 * (8 * colour + file) + direction) + piece, with direction 0 to the left
and piece 0 for a queen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled, compiled_once
from seedfolio.core.randomness import mix, mix_int
from seedfolio.core.words import lowest, popcount
from seedfolio.games.chess.lines import (
    FILE_A,
    FILE_H,
    NONE,
    ONE,
    RANK_1,
    RANK_6,
    RANK_8,
    attacks_down,
    byteswap,
    knight_attacks,
    sliders_from,
)

_U = np.uint64
PROMOTIONS = 4096
"""The first move that is a promotion."""
MOVES = PROMOTIONS + 2 * 8 * 3 * 4
TURNED = 0b111000_111000
"""What turns both squares of a move upside down."""
PIECES = "qrbn"
"""What a pawn can become, in the order of move numbers."""
FIFTY = 100
"""The plies without capture or pawn move after which a game is drawn."""
_DARK = _U(0xAA55AA55AA55AA55)
_CASTLING_SIDES = RANK_1 | RANK_8
CHESS960 = _U(1 << 24 | 1 << 32)
"""Where `special` says that a game is Chess960: the same squares from both sides."""
_A1, _E1, _H1 = _U(1 << 0), _U(1 << 4), _U(1 << 7)
SHORT, LONG = (_U(1 << 6), _U(1 << 5)), (_U(1 << 2), _U(1 << 3))
"""Where king and rook stand after castling."""
_SALTS = tuple(_U(mix_int(number)) for number in range(1, 8))


@compiled
def placed(words: Any, at: Any) -> Any:
    """Return the state whose numbers are words[at], words[at + 1], ..."""
    first, second = uint64(words[at]), uint64(words[at + 1])
    third, fourth = uint64(words[at + 2]), uint64(words[at + 3])
    sets = first, second, third, fourth, uint64(words[at + 4]), uint64(words[at + 5])
    clock, times, colour = int64(words[at + 7]), int64(words[at + 8]), int64(words[at + 9])
    return (*sets, uint64(words[at + 6]), clock, times, colour)


@compiled
def _moved(pieces: Any, source: Any, target: Any) -> Any:
    """Return a set of pieces after a move: what was on the target is gone."""
    arrived = target if pieces & source != NONE else NONE
    return (pieces & ~(source | target)) | arrived


@compiled
def promotion(move: Any) -> Any:
    """Return (source, target, piece) of a promotion, with squares as the mover sees them."""
    rest = move - PROMOTIONS
    rest = rest - 96 if rest >= 96 else rest
    file = rest // 12
    return 48 + file, 56 + file + (rest >> 2) % 3 - 1, rest & 3


@compiled
def squares_of(move: Any, colour: Any) -> Any:
    """Return (source, target, promoted piece or -1) of a move, as the mover sees the squares."""
    if move >= PROMOTIONS:
        return promotion(int64(move))
    turned = int64(move) ^ (TURNED if colour == 1 else 0)
    return turned >> 6, turned & 63, int64(-1)


@compiled_once
def play(state: Any, move: Any) -> Any:
    """Return the state after a legal move."""
    pawns, knights, diagonals, straights, kings, own, special, clock, _, colour = state
    source_square, target_square, piece = squares_of(move, colour)
    source, target = ONE << uint64(source_square), ONE << uint64(target_square)
    by_pawn = pawns & source != NONE
    by_king = kings & source != NONE
    occupied = pawns | knights | diagonals | straights | kings
    # In Chess960 the king castles onto its own rook.
    rook = own & target
    quiet = not by_pawn and (occupied ^ rook) & target == NONE
    pawns, knights = _moved(pawns, source, target), _moved(knights, source, target)
    diagonals, straights = _moved(diagonals, source, target), _moved(straights, source, target)
    kings = _moved(kings, source, target)
    other = (occupied ^ own) & ~target
    own = _moved(own, source, target)
    after = (special & _CASTLING_SIDES & ~(source | target)) | (special & CHESS960)
    if by_pawn:
        if special & RANK_6 & target != NONE:
            pawns &= ~(target >> _U(8))
            other &= ~(target >> _U(8))
        elif piece >= 0:
            pawns &= ~target
            knights |= target if piece == 3 else NONE
            diagonals |= target if piece == 0 or piece == 2 else NONE
            straights |= target if piece <= 1 else NONE
        elif target_square - source_square == 16:
            beside = ((target << ONE) & ~FILE_A) | ((target >> ONE) & ~FILE_H)
            after |= source << _U(8) if beside & pawns & other != NONE else NONE
    elif by_king:
        after &= ~RANK_1
        if rook != NONE:
            home, beside = SHORT if target > source else LONG
            kings = (kings ^ target) | home
            straights |= beside
            own = (own ^ target) | home | beside
        elif source == _E1 and target == SHORT[0]:
            straights ^= SHORT[1] | _H1
            own ^= SHORT[1] | _H1
        elif source == _E1 and target == LONG[0]:
            straights ^= LONG[1] | _A1
            own ^= LONG[1] | _A1
    return (
        byteswap(pawns),
        byteswap(knights),
        byteswap(diagonals),
        byteswap(straights),
        byteswap(kings),
        byteswap(other),
        byteswap(after),
        clock + 1 if quiet else int64(0),
        int64(0),
        1 - colour,
    )


@compiled
def checkers(state: Any) -> Any:
    """Return the pieces that check the mover's king."""
    pawns, knights, diagonals, straights, kings, own = state[:6]
    occupied = pawns | knights | diagonals | straights | kings
    king = kings & own
    # What the king would attack as a pawn, knight or slider is what attacks it.
    near = (_pawn_checkers(king) & pawns) | (knight_attacks(king) & knights)
    return (near | sliders_from(lowest(king), diagonals, straights, occupied)) & (occupied ^ own)


@compiled
def _pawn_checkers(king: Any) -> Any:
    return ((king << _U(7)) & ~FILE_H) | ((king << _U(9)) & ~FILE_A)


@compiled_once
def en_passant(state: Any) -> Any:
    """Return the mover's pawns that may legally capture a pawn in passing."""
    pawns, knights, diagonals, straights, kings, own, special = state[:7]
    target = special & RANK_6
    candidates = attacks_down(target) & pawns & own
    legal = NONE
    if candidates != NONE:
        occupied = pawns | knights | diagonals | straights | kings
        other = occupied ^ own
        king = kings & own
        captured = target >> _U(8)
        near = (_pawn_checkers(king) & pawns & ~captured) | (knight_attacks(king) & knights)
        while near & other == NONE and candidates != NONE:
            source = candidates & (~candidates + ONE)
            candidates ^= source
            after = occupied ^ source ^ target ^ captured
            hits = sliders_from(lowest(king), diagonals & other, straights & other, after)
            legal |= source if hits == NONE else NONE
    return legal


@compiled_once
def key(state: Any) -> Any:
    """Return 64 bits that are the same for the same position.

    As for the rule of repetition, a capture in passing counts only if it is legal.
    """
    special = state[6]
    if special & RANK_6 != NONE and en_passant(state) == NONE:
        special &= ~RANK_6
    pawns, knights, diagonals, straights, kings, own = state[:6]
    # One hash a word, side by side: a processor does several at once.
    total = mix(pawns + _SALTS[0]) + mix(knights + _SALTS[1]) + mix(diagonals + _SALTS[2])
    total += mix(straights + _SALTS[3]) + mix(kings + _SALTS[4]) + mix(own + _SALTS[5])
    return mix(total + mix(special + _SALTS[6]) + uint64(state[9]))


@compiled
def insufficient(state: Any) -> Any:
    """Return whether neither side can ever mate: too little is left."""
    pawns, knights, diagonals, straights = state[:4]
    if pawns | straights != NONE:
        return False
    one_shade = diagonals & _DARK == NONE or diagonals & ~_DARK == NONE
    return popcount(knights | diagonals) <= 1 or (knights == NONE and one_shade)
