"""Bit sets of one to six words against Python's integers."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sparing import levels

from seedfolio.core import words
from seedfolio.core.bits import bit_sets

SIZES = (64, 128, 384)
LOW = (1 << 64) - 1


def masks(size):
    any_bits = st.integers(0, (1 << size) - 1)
    few = st.sets(st.integers(0, size - 1), max_size=4).map(lambda s: sum(1 << i for i in s))
    return st.one_of(any_bits, few, few.map(lambda m: ((1 << size) - 1) ^ m))


def to_set(mask, size):
    """One word, or a pair of the lowest and the set of the others."""
    if size == 64:
        return np.uint64(mask)
    return np.uint64(mask & LOW), to_set(mask >> 64, size - 64)


def to_mask(value):
    return int(value[0]) | to_mask(value[1]) << 64 if isinstance(value, tuple) else int(value)


def indices(mask):
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def callable_operation(operation, arguments):
    """An operation that Python can call; intrinsics are for compiled code only."""
    if arguments == 1:
        return numba.njit(lambda a: operation(a))
    return numba.njit(lambda a, b: operation(a, b))


OPERATIONS = {
    (size, name): callable_operation(getattr(bit_sets(size), name), arguments)
    for size in SIZES
    for name, arguments in [
        *((name, 1) for name in ("single", "is_empty", "several", "count", "first")),
        *((name, 2) for name in ("both", "either", "without", "same", "pick", "has", "up", "down")),
    ]
}


@levels("size", SIZES[:2], slow=SIZES[2:])
@settings(deadline=None)  # the first example compiles
@given(data=st.data(), distance=st.integers(1, 63))
def test_operations_on_sets(size, data, distance):
    a, b = data.draw(masks(size)), data.draw(masks(size))
    x, y, members = to_set(a, size), to_set(b, size), indices(a)
    assert to_mask(OPERATIONS[size, "both"](x, y)) == a & b
    assert to_mask(OPERATIONS[size, "either"](x, y)) == a | b
    assert to_mask(OPERATIONS[size, "without"](x, y)) == a & ~b
    assert OPERATIONS[size, "same"](x, y) == (a == b)
    assert OPERATIONS[size, "same"](x, x)
    assert OPERATIONS[size, "is_empty"](x) == (not members)
    assert OPERATIONS[size, "several"](x) == (len(members) > 1)
    assert OPERATIONS[size, "several"](to_set(1 | 1 << (size - 1), size))  # of two words, too
    assert OPERATIONS[size, "count"](x) == len(members)
    if members:
        assert OPERATIONS[size, "first"](x) == members[0]
    for rank, index in enumerate(members):
        assert OPERATIONS[size, "pick"](x, rank) == index
    probed = data.draw(st.integers(0, size - 1))
    assert OPERATIONS[size, "has"](x, probed) == (probed in members)
    assert to_mask(bit_sets(size).make(members)) == a
    assert to_mask(OPERATIONS[size, "up"](x, distance)) == (a << distance) & ((1 << size) - 1)
    assert to_mask(OPERATIONS[size, "down"](x, distance)) == a >> distance


@pytest.mark.parametrize("size", SIZES)
def test_single_of_every_index(size):
    for index in range(size):
        assert to_mask(OPERATIONS[size, "single"](index)) == 1 << index


@pytest.mark.parametrize("way", [words.select, words._select_by_table])
def test_select_in_every_byte_of_every_place(way):
    select = callable_operation(way, 2)
    for place in range(0, 64, 8):
        for byte in range(1, 256):
            mask = byte << place | 1 | 1 << 63
            found = [select(np.uint64(mask), rank) for rank in range(mask.bit_count())]
            assert found == indices(mask)


@pytest.mark.parametrize("size", [0, 385])
def test_sizes_that_do_not_fit(size):
    with pytest.raises(ValueError, match=f"a set of {size} squares does not fit"):
        bit_sets(size)
