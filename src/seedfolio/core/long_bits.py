"""Sets of three and more 64-bit words, made from sets of one word less.

A set is a pair: its lowest word, and the set of the others. So three words are (w, (w, w)). The
compiler takes the pairs apart: nothing of them is left in the code.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import word
from seedfolio.core.set_operations import BitSets
from seedfolio.core.words import ONE, WORD, ZERO, lowest, popcount, select, write_word


def longer_sets(rest: BitSets) -> BitSets:
    """Return the operations for one word more than `rest` has: (low word, set of `rest`)."""
    rest_either, rest_both, rest_without = rest.either, rest.both, rest.without
    rest_empty, rest_several, rest_same = rest.is_empty, rest.several, rest.same
    rest_count, rest_pick, rest_first = rest.count, rest.pick, rest.first
    rest_single, rest_has, rest_half = rest.single, rest.has, rest.half
    rest_up, rest_down = rest.up, rest.down
    rest_write, rest_window = rest.write, rest.window
    nothing = rest.make(())
    high = nothing[1]

    def make(indices: Iterable[int]) -> Any:
        members = list(indices)
        low = np.uint64(sum(1 << i for i in members if i < 64))
        return low, rest.make(i - 64 for i in members if i >= 64)

    @compiled
    def single(index: Any) -> Any:
        is_low = index < 64
        low = (ONE << uint64(index & 63)) if is_low else ZERO
        return low, (nothing if is_low else rest_single(index - 64))

    @compiled
    def both(a: Any, b: Any) -> Any:
        return a[0] & b[0], rest_both(a[1], b[1])

    @compiled
    def either(a: Any, b: Any) -> Any:
        return a[0] | b[0], rest_either(a[1], b[1])

    @compiled
    def without(a: Any, b: Any) -> Any:
        return a[0] & ~b[0], rest_without(a[1], b[1])

    @compiled
    def is_empty(a: Any) -> Any:
        return a[0] == ZERO and rest_empty(a[1])

    @compiled
    def several(a: Any) -> Any:
        low = a[0] & (a[0] - ONE) != ZERO
        return low or rest_several(a[1]) or (a[0] != ZERO and not rest_empty(a[1]))

    @compiled
    def same(a: Any, b: Any) -> Any:
        return a[0] == b[0] and rest_same(a[1], b[1])

    @compiled
    def count(a: Any) -> Any:
        return popcount(a[0]) + rest_count(a[1])

    @compiled
    def pick(a: Any, rank: Any) -> Any:
        low = popcount(a[0])
        return select(a[0], rank) if rank < low else 64 + rest_pick(a[1], rank - low)

    @compiled
    def first(a: Any) -> Any:
        return lowest(a[0]) if a[0] != ZERO else 64 + rest_first(a[1])

    @compiled
    def has(a: Any, index: Any) -> Any:
        if index < 64:
            return (a[0] >> uint64(index)) & ONE != ZERO
        return rest_has(a[1], index - 64)

    @compiled
    def write(a: Any, out: Any, at: Any) -> Any:
        low = write_word(a[0], int64(0), out, int64(at))
        above = rest_write(a[1], out, int64(at) + low)
        for k in range(int64(at) + low, int64(at) + low + above):
            out[uint64(k)] += 64
        return low + above

    @compiled
    def window(a: Any, n: Any) -> Any:
        shift = uint64(n & 63)
        high = (a[1][0] << ONE) << (WORD - ONE - shift)
        return ((a[0] >> shift) | high) if n < 64 else rest_window(a[1], n - 64)

    @compiled
    def up(a: Any, n: Any) -> Any:
        shift = uint64(n)
        return a[0] << shift, rest_either(rest_up(a[1], n), (a[0] >> (WORD - shift), high))

    @compiled
    def down(a: Any, n: Any) -> Any:
        shift = uint64(n)
        return (a[0] >> shift) | (a[1][0] << (WORD - shift)), rest_down(a[1], n)

    @compiled
    def half(a: Any, key: Any, step: Any) -> Any:
        high, after = rest_half(a[1], key, step + 1)
        return (a[0] & word(key, step), high), after

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
