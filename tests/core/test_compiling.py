"""Functions marked `compiled`, called by compiled code and by Python; states in a workspace."""

import os
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba import int64, uint64
from numba.core import errors

from seedfolio.core.compiler import compiled, compiled_entry, fingerprint
from seedfolio.core.kept_states import (
    keep_state,
    keep_state_of,
    kept_state,
    kept_state_of,
    state_size,
)

part = None


@compiled
def double(x):
    return 2 * x


def template(x):
    return part(x) + 1


def test_compiled_code_may_be_called_in_any_order_and_its_messages_leave_standard_output():
    entry = compiled_entry(template, {"part": double})
    assert entry(3) == 7
    assert double(4) == 8
    assert double(0.25) == 0.5
    assert entry(0.25) == 1.5
    assert double.py_func(4) == 8  # type: ignore[attr-defined]
    # With colorama, which the docs group installs, each would replace `sys.stdout` briefly.
    assert errors.termcolor().errmsg("plain") == "plain"
    assert os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] == "1"


class Turn(NamedTuple):
    stones: Any
    colour: int


@numba.njit
def both_ways(state, other, room):
    keep_state(state, room, 3)
    return kept_state(other, room, 3)


@pytest.mark.parametrize(
    ("state", "other", "size"),
    [
        ((uint64(2**64 - 1), int64(-5), int64(2**40)), (uint64(0), int64(0), int64(0)), 6),
        (((uint64(1 << 63), uint64(7)), True, int64(-1)), ((uint64(0),) * 2, False, int64(0)), 8),
        (Turn((uint64(3), uint64(2**32)), 1), Turn((uint64(0), uint64(0)), 0), 6),
    ],
)
def test_a_state_comes_back(state, other, size):
    room = np.full(20, 7, np.int32)
    assert both_ways(state, other, room) == state
    assert type(both_ways(state, other, room)) is type(state)
    assert state_size(state) == size
    assert (room[:3] == 7).all()
    assert (room[3 + size :] == 7).all(), "nothing is written beside it"


def test_its_code_is_cached_on_disk():
    assert fingerprint(keep_state_of, kept_state_of) is not None
