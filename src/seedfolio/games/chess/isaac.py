"""ISAAC-64, the generator of random numbers by Bob Jenkins (1996), without a seed.

Polyglot's table of random numbers is the beginning of this sequence.
"""

from __future__ import annotations

from collections.abc import Iterator

_SIZE = 256
_WORD = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C13
_SHIFTS = (-9, 9, -23, 15, -14, 20, -17, 14)
"""Of the eight steps of mixing: to the left above 0, to the right below."""


def isaac64() -> Iterator[int]:
    """Yield 64-bit numbers without end.

    >>> from seedfolio.games.chess.isaac import isaac64
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
