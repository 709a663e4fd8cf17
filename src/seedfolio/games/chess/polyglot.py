"""Opening books of chess in Polyglot's format: a .bin file that many chess programs read.

A file has 16 bytes for each move that may be played at a position: the position's key, the move,
its weight, and four bytes for learning, which are 0 here. A program draws a move in proportion to
the weights, or plays the one with the largest. A key depends on the position alone, not on how it
came about, and has a bit for whose move it is; so one file serves both colours.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from itertools import islice
from operator import xor

import numpy as np
from numpy.typing import NDArray

from seedfolio.games.chess.position import ChessPosition

_SIZE = 256
_WORD = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C13
_SHIFTS = (-9, 9, -23, 15, -14, 20, -17, 14)
"""Of the eight steps of mixing: to the left above 0, to the right below."""


def isaac64() -> Iterator[int]:
    """Yield 64-bit numbers without end.

    >>> from seedfolio.games.chess.polyglot import isaac64
    >>> f"{next(isaac64()):016x}"
    '9d39247e33776d41'
    """
    memory = _first_memory()
    last = total = count = 0
    while True:
        count += 1
        total = (total + count) & _WORD
        results = []
        for place in range(_SIZE):
            old = memory[place]
            last = _stirred(last, place) + memory[place ^ _SIZE // 2] & _WORD
            memory[place] = (memory[old >> 3 & 255] + last + total) & _WORD
            total = (memory[memory[place] >> 11 & 255] + old) & _WORD
            results.append(total)
        yield from reversed(results)


def _stirred(last: int, place: int) -> int:
    kind = place % 4
    if kind == 0:
        return ~(last ^ last << 21)
    return last ^ (last >> 5, last << 12, last >> 33)[kind - 1]


def _first_memory() -> list[int]:
    """Return the memory at the start, mixed twice."""
    words = [_GOLDEN] * 8
    for _ in range(4):
        _mix(words)
    memory = [0] * _SIZE
    for _ in range(2):
        for place in range(0, _SIZE, 8):
            words = [(a + b) & _WORD for a, b in zip(words, memory[place : place + 8], strict=True)]
            _mix(words)
            memory[place : place + 8] = words
    return memory


def _mix(words: list[int]) -> None:
    """Mix eight words in place."""
    for k, shift in enumerate(_SHIFTS):
        words[k] = (words[k] - words[k - 4]) & _WORD
        words[k - 3] ^= words[k - 1] >> -shift if shift < 0 else words[k - 1] << shift & _WORD
        words[k - 1] = (words[k - 1] + words[k]) & _WORD


_CASTLING, _PASSING, _WHITE = 768, 772, 780
"""Where the numbers of these begin; before them come 64 for each piece of either colour."""
_PROMOTIONS = " nbrq"
_ENTRY = struct.Struct(">QHHI")
ENTRY_BYTES = _ENTRY.size
"""Of each move in a file."""
_MOST_WEIGHT = 0xFFFF


@cache
def _numbers() -> tuple[int, ...]:
    return tuple(islice(isaac64(), _WHITE + 1))


def polyglot_key(position: ChessPosition) -> int:
    """Return Polyglot's key of a position.

    >>> from seedfolio.games.chess.fen import START
    >>> from seedfolio.games.chess.position import ChessPosition
    >>> from seedfolio.games.chess.polyglot import polyglot_key
    >>> f"{polyglot_key(ChessPosition.from_fen(START)):016x}"
    '463b96181691fc9c'
    """
    black = int(position.words[9]) == 1
    pawns, knights, diagonals, straights, kings, own, special = _as_white_sees(position.words)
    queens = diagonals & straights
    kinds = (pawns, knights, diagonals ^ queens, straights ^ queens, queens, kings)
    chosen = [] if black else [_WHITE]
    for kind, pieces in enumerate(kinds):
        for square in _squares(pieces):
            is_white = (own >> square & 1 == 1) != black
            chosen.append(64 * (2 * kind + is_white) + square)
    white = ~own if black else own
    for square in _squares(special):
        row, file = divmod(square, 8)
        if row in (0, 7):  # a rook that may castle: first White's, and the short side first
            (king,) = _squares(kings & (white if row == 0 else ~white))
            chosen.append(_CASTLING + 2 * (row == 7) + (square < king))
        elif row in (2, 5):  # only if a pawn stands beside it, as Polyglot wants it
            chosen.append(_PASSING + file)
    numbers = _numbers()
    return reduce(xor, (numbers[each] for each in chosen), 0)


def polyglot_move(position: ChessPosition, name: str) -> int:
    """Return Polyglot's code of a legal move with a UCI name; castling is the king on its rook."""
    source, target = name[:2], name[2:4]
    if position.castles(name) and target not in position.pieces:  # in Chess960 it already is
        target = ("h" if target[0] == "g" else "a") + target[1]
    promoted = _PROMOTIONS.index(name[4]) if name[4:] else 0
    return promoted << 12 | _number(source) << 6 | _number(target)


def polyglot_file(positions: Mapping[int, Mapping[int, float]]) -> bytes:
    """Return the file of a book: for each key the codes of moves, with how often each is played."""
    entries = []
    for key in sorted(positions):
        shares = positions[key]
        greatest = max(shares.values()) or 1.0
        weights = {
            move: max(1, round(_MOST_WEIGHT * each / greatest)) for move, each in shares.items()
        }
        ordered = sorted(weights.items(), key=lambda each: (-each[1], each[0]))
        entries += [_ENTRY.pack(key, move, weight, 0) for move, weight in ordered]
    return b"".join(entries)


def _as_white_sees(words: NDArray[np.uint64]) -> list[int]:
    """Return the sets of squares of a state, which the mover sees from its side."""
    sets = words[:7] if int(words[9]) == 0 else words[:7].byteswap()
    return [int(each) for each in sets]


def _squares(pieces: int) -> list[int]:
    found = []
    while pieces:
        found.append((pieces & -pieces).bit_length() - 1)
        pieces &= pieces - 1
    return found


def _number(square: str) -> int:
    return "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
