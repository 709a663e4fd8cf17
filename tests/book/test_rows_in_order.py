"""Rows of results in order of their keys, against a plain sum by key in Python."""

from collections import defaultdict

import numpy as np
import pytest

from seedfolio.learning.book.statistics import Rows
from seedfolio.players.books.table import NO_STATE


def some_rows(count, states, seed):
    """Return columns with many equal keys, in any order."""
    drawn = np.random.default_rng(seed)
    pool = np.append(drawn.integers(0, 2**64 - 1, states, np.uint64), np.uint64(NO_STATE))
    state = pool[drawn.integers(0, len(pool), count)]
    last = pool[drawn.integers(0, min(3, len(pool)), count)]
    move, last_move, games = (drawn.integers(0, most, count) for most in (4, 3, 9))
    arms = drawn.integers(0, 2**62, count).astype(np.uint64)
    return state, move, last, last_move, games, games + 1, games, games, arms


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("count", "states"), [(0, 1), (1, 1), (50, 4), (3000, 900), (30_000, 5)])
def test_rows_of_one_key_are_added_up_in_order(count, states, seed):
    columns = some_rows(count, states, seed)
    sums = defaultdict(lambda: [0, 0, 0, 0, NO_STATE])
    for *key, games, points, own, own_points, arm in zip(
        *(each.tolist() for each in columns), strict=True
    ):
        found = sums[tuple(key)]
        for place, number in enumerate((games, points, own, own_points)):
            found[place] += number
        found[4] = min(found[4], arm)
    kinds = [each.dtype for each in Rows.none().columns]
    pairs = zip(columns, kinds, strict=True)
    rows = Rows(*(column.astype(kind) for column, kind in pairs)).in_order()
    found = list(zip(*(each.tolist() for each in rows.columns), strict=True))
    assert found == [(*key, *sums[key]) for key in sorted(sums)]
    assert rows.are_in_order()
