"""Sets of squares as 64-bit words, with the same operations for any number of words.

A set of `bit_sets(64)` is one uint64; a set of `bit_sets(128)` is a pair of them, low word first;
larger sets are those of `long_bits`. A game uses these operations, whatever its board. Each is
compiled into a few instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.long_bits import longer_sets
from seedfolio.core.randomness import word
from seedfolio.core.set_operations import BitSets
from seedfolio.core.words import ONE, WORD, ZERO, lowest, popcount, select, write_word

__all__ = ["BitSets", "bit_sets", "connected_by"]

_MOST = 384
"""The largest size of a set."""
_U = np.uint64


@cache
def bit_sets(size: int) -> BitSets:
    """Return the operations for sets over 0..size-1; `size` is at most 384.

    >>> from seedfolio import bit_sets
    >>> sets = bit_sets(9)
    >>> stones = sets.either(sets.make([0, 4]), sets.single(8))
    >>> sets.pick(stones, 1)
    4
    >>> sets.is_empty(sets.both(stones, sets.make([1, 2, 3])))
    True
    """
    if not 1 <= size <= _MOST:
        raise ValueError(f"a set of {size} squares does not fit; size must be from 1 to {_MOST}")
    if size <= 64:
        return _one_word()
    if size <= 128:
        return _two_words()
    return longer_sets(bit_sets(size - 64))


def connected_by(sets: BitSets, around: Callable[..., Any]) -> Callable[..., Any]:
    """Return connected(a, own): `a` and all of `own` that is connected to it.

    around(a) has the neighbours of all members of a set. Compiled.
    """
    both, either, same = sets.both, sets.either, sets.same

    @compiled
    def connected(a: Any, own: Any) -> Any:
        while True:
            grown = either(a, both(around(a), own))
            if same(grown, a):
                return a
            a = grown

    return connected


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

    @compiled
    def has(a: Any, index: Any) -> Any:
        return (a >> uint64(index)) & ONE != ZERO

    @compiled
    def write(a: Any, out: Any, at: Any) -> Any:
        return write_word(a, int64(0), out, int64(at))

    @compiled
    def window(a: Any, n: Any) -> Any:
        return a >> uint64(n)

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
        has=has,
        up=up,
        down=down,
        write=write,
        window=window,
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

    @compiled
    def write(a: Any, out: Any, at: Any) -> Any:
        low = write_word(a[0], int64(0), out, int64(at))
        return low + write_word(a[1], int64(64), out, int64(at) + low)

    @compiled
    def window(a: Any, n: Any) -> Any:
        shift = uint64(n & 63)
        is_low = n < 64
        # Two shifts for the high word, because a shift by 64 is undefined.
        high = (a[1] << ONE) << (WORD - ONE - shift)
        return ((a[0] if is_low else a[1]) >> shift) | (high if is_low else ZERO)

    @compiled
    def has(a: Any, index: Any) -> Any:
        return ((a[0] if index < 64 else a[1]) >> uint64(index & 63)) & ONE != ZERO

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
        has=has,
        up=up,
        down=down,
        write=write,
        window=window,
        half=half,
    )
