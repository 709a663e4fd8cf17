"""Sets of squares as one or two 64-bit words, with the same operations for both.

A set of `bit_sets(64)` is one uint64; a set of `bit_sets(128)` is a pair of them, low word first.
A game uses these operations, whatever its board. Each is compiled into a few instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64, types, uint64
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from seedfolio.core.compiler import INLINED, compiled
from seedfolio.core.randomness import word

_U = np.uint64
ZERO, ONE, WORD = _U(0), _U(1), _U(64)
_PAIRS, _NIBBLES, _BYTES = (
    _U(0x5555555555555555),
    _U(0x3333333333333333),
    _U(0x0F0F0F0F0F0F0F0F),
)
_LOW_BITS, _HIGH_BITS = _U(0x0101010101010101), _U(0x8080808080808080)
_TWO, _THREE, _FOUR, _SEVEN, _EIGHT, _BYTE = _U(2), _U(3), _U(4), _U(7), _U(8), _U(255)


@intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:
    """Return the number of bits set in a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _lowest(typing_context: Any, word: Any) -> Any:
    """Return the index of the lowest bit set in a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


# Called with the word alone: numba supplies the typing context.
popcount: Any = _popcount
lowest: Any = _lowest


def _select_in_byte() -> NDArray[np.uint8]:
    """Return the table of the index of the set bit of rank k in byte b, at 8 * b + k."""
    table = np.zeros(8 * 256, np.uint8)
    for byte in range(256):
        for rank, index in enumerate(i for i in range(8) if byte >> i & 1):
            table[8 * byte + rank] = index
    return table


_SELECT_IN_BYTE = _select_in_byte()


@compiled
def _select_by_table(word: Any, rank: Any) -> Any:
    """Find the byte by Vigna's broadword search, then the bit by a table. Works on any CPU."""
    counts = word - ((word >> ONE) & _PAIRS)
    counts = (counts & _NIBBLES) + ((counts >> _TWO) & _NIBBLES)
    # Byte b of `sums` holds the number of bits in bytes 0..b.
    sums = ((counts + (counts >> _FOUR)) & _BYTES) * _LOW_BITS
    k = uint64(rank)
    # The lowest bit of every byte b for which bytes 0..b hold more than k bits.
    enough = (((sums | _HIGH_BITS) - (k + ONE) * _LOW_BITS) >> _SEVEN) & _LOW_BITS
    place = uint64(lowest(enough))
    row = ((word >> place) & _BYTE) << _THREE
    k -= ((sums << _EIGHT) >> place) & _BYTE
    # An unsigned index spares numba's check for a negative one.
    return int64(place + uint64(_SELECT_IN_BYTE[row + k]))


def select(word: Any, rank: Any) -> Any:
    """Return the index of the set bit that has `rank` set bits below it.

    For compiled code. A GPU uses another method (core.cuda_twins) with the same result.

    >>> import numpy as np
    >>> from seedfolio import select
    >>> select(np.uint64(0b10110), 1)
    2
    """
    return _select_by_table(word, rank)


@overload(select, jit_options=INLINED)  # type: ignore[arg-type]
def _select_on_cpu(word: Any, rank: Any) -> Any:
    def by_table(word: Any, rank: Any) -> Any:
        return _select_by_table(word, rank)

    return by_table


@dataclass(frozen=True)
class BitSets:
    """Operations on sets of bit indices. All but `make` are compiled."""

    make: Callable[[Iterable[int]], Any]
    """make(indices): a constant set. Plain Python, used when the rules are built."""
    single: Any
    """single(index): the set of one index."""
    both: Any
    """both(a, b): the intersection."""
    either: Any
    """either(a, b): the union."""
    without: Any
    """without(a, b): the indices that are in a but not in b."""
    is_empty: Any
    several: Any
    """several(a): whether the set has at least two members."""
    same: Any
    count: Any
    pick: Any
    """pick(a, rank): the index with `rank` smaller ones in the set."""
    first: Any
    """first(a): the smallest index in a set that is not empty."""
    up: Any
    """up(a, n): every index raised by n, 0 < n < 64."""
    down: Any
    """down(a, n): every index lowered by n, 0 < n < 64."""
    half: Any
    """half(a, key, step): (a random subset of a, the next step). Each index is in the subset with
    probability 1/2."""


@cache
def bit_sets(size: int) -> BitSets:
    """Return the operations for sets over 0..size-1; `size` is at most 128.

    >>> from seedfolio import bit_sets
    >>> sets = bit_sets(9)
    >>> stones = sets.either(sets.make([0, 4]), sets.single(8))
    >>> sets.pick(stones, 1)
    4
    >>> sets.is_empty(sets.both(stones, sets.make([1, 2, 3])))
    True
    """
    if not 1 <= size <= 128:
        raise ValueError(f"a set of {size} squares does not fit; size must be from 1 to 128")
    return _one_word() if size <= 64 else _two_words()


def _one_word() -> BitSets:
    @compiled
    def single(index: Any) -> Any:
        return ONE << uint64(index)

    @compiled
    def both(a: Any, b: Any) -> Any:
        return a & b

    @compiled
    def either(a: Any, b: Any) -> Any:
        return a | b

    @compiled
    def without(a: Any, b: Any) -> Any:
        return a & ~b

    @compiled
    def is_empty(a: Any) -> Any:
        return a == ZERO

    @compiled
    def several(a: Any) -> Any:
        return a & (a - ONE) != ZERO

    @compiled
    def same(a: Any, b: Any) -> Any:
        return a == b

    @compiled
    def up(a: Any, n: Any) -> Any:
        return a << uint64(n)

    @compiled
    def down(a: Any, n: Any) -> Any:
        return a >> uint64(n)

    @compiled
    def half(a: Any, key: Any, step: Any) -> Any:
        return a & word(key, step), step + 1

    return BitSets(
        make=lambda indices: _U(sum(1 << i for i in indices)),
        single=single,
        both=both,
        either=either,
        without=without,
        is_empty=is_empty,
        several=several,
        same=same,
        count=popcount,
        pick=select,
        first=lowest,
        up=up,
        down=down,
        half=half,
    )


def _two_words() -> BitSets:
    def make(indices: Iterable[int]) -> Any:
        bits = sum(1 << i for i in indices)
        return _U(bits & ((1 << 64) - 1)), _U(bits >> 64)

    @compiled
    def single(index: Any) -> Any:
        # Here and in `pick`: select values instead of branching. On a GPU the threads of a warp
        # would run the branches one after the other.
        bit = ONE << uint64(index & 63)
        return (bit if index < 64 else ZERO), (ZERO if index < 64 else bit)

    @compiled
    def both(a: Any, b: Any) -> Any:
        return a[0] & b[0], a[1] & b[1]

    @compiled
    def either(a: Any, b: Any) -> Any:
        return a[0] | b[0], a[1] | b[1]

    @compiled
    def without(a: Any, b: Any) -> Any:
        return a[0] & ~b[0], a[1] & ~b[1]

    @compiled
    def is_empty(a: Any) -> Any:
        return (a[0] | a[1]) == ZERO

    @compiled
    def several(a: Any) -> Any:
        beyond_first = (a[0] & (a[0] - ONE)) | (a[1] & (a[1] - ONE))
        return beyond_first != ZERO or (a[0] != ZERO and a[1] != ZERO)

    @compiled
    def same(a: Any, b: Any) -> Any:
        return a[0] == b[0] and a[1] == b[1]

    @compiled
    def count(a: Any) -> Any:
        return popcount(a[0]) + popcount(a[1])

    @compiled
    def pick(a: Any, rank: Any) -> Any:
        low = popcount(a[0])
        is_low = rank < low
        place = select(a[0] if is_low else a[1], rank if is_low else rank - low)
        return place if is_low else 64 + place

    @compiled
    def first(a: Any) -> Any:
        if a[0] != ZERO:
            return lowest(a[0])
        return 64 + lowest(a[1])

    @compiled
    def up(a: Any, n: Any) -> Any:
        shift = uint64(n)
        return a[0] << shift, (a[1] << shift) | (a[0] >> (WORD - shift))

    @compiled
    def down(a: Any, n: Any) -> Any:
        shift = uint64(n)
        return (a[0] >> shift) | (a[1] << (WORD - shift)), a[1] >> shift

    @compiled
    def half(a: Any, key: Any, step: Any) -> Any:
        return (a[0] & word(key, step), a[1] & word(key, step + 1)), step + 2

    return BitSets(
        make=make,
        single=single,
        both=both,
        either=either,
        without=without,
        is_empty=is_empty,
        several=several,
        same=same,
        count=count,
        pick=pick,
        first=first,
        up=up,
        down=down,
        half=half,
    )
