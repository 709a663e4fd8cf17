"""Integer tables for the upper confidence bound, so that search uses no floating point.

With `v` visits and `w` points of a child under a parent of `n` visits, and at most `s` points a
game (2 half points, usually), UCB1 is w / (s v) + c * sqrt(ln n / v). Scaled by 2**32 it becomes

    w * reciprocal[v] + root_log[n] * inverse_root[v]

All entries are integers, rounded down exactly, so they are the same on any machine.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

_UNSURE = 1e-4
"""Floating point is wrong by far less than this; closer to an integer, decimals decide."""


def ucb_tables(visits: int, exploration: Decimal, scale: int = 2) -> NDArray[np.int64]:
    """Return reciprocal, inverse_root and root_log for 0..visits, in that order, in a flat array.

    `scale` is the most points of a game. Index 0 is never read: a child without visits is tried
    before any comparison.
    """
    tables = np.zeros((3, visits + 1), np.int64)
    n = np.arange(1, visits + 1, dtype=np.int64)
    tables[0, 1:] = (1 << 32) // (scale * n)
    tables[1, 1:] = np.sqrt((1 << 32) // n)  # exact: square roots of doubles are well rounded
    roots = np.sqrt(np.log(n)) * float(exploration) * 65536
    tables[2, 1:] = roots
    with localcontext() as context:
        context.prec = 40
        unsure = np.abs(roots - np.rint(roots)) < _UNSURE
        for k in 1 + np.flatnonzero(unsure & (roots > 0)):
            tables[2, k] = int(Decimal(int(k)).ln().sqrt() * exploration * 65536)
    return tables.reshape(-1)
