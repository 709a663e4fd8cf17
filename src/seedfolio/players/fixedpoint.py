"""Integer tables for the upper confidence bound, so that search uses no floating point.

With `v` visits and `w` points of a child under a parent of `n` visits, and at most `s` points a
game (2 half points, usually), UCB1 is w / (s v) + c * sqrt(ln n / v). Scaled by 2**32 it becomes

    w * reciprocal[v] + root_log[n] * inverse_root[v]

All entries are integers, computed by decimal arithmetic, so they are the same on any machine.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import isqrt

import numpy as np
from numpy.typing import NDArray


def ucb_tables(visits: int, exploration: Decimal, scale: int = 2) -> NDArray[np.int64]:
    """Return reciprocal, inverse_root and root_log for 0..visits, in that order, in a flat array.

    `scale` is the most points of a game. Index 0 is never read: a child without visits is tried
    before any comparison.
    """
    tables = np.zeros((3, visits + 1), np.int64)
    with localcontext() as context:
        context.prec = 40
        for n in range(1, visits + 1):
            tables[0, n] = (1 << 32) // (scale * n)
            tables[1, n] = isqrt((1 << 64) // n) >> 16
            tables[2, n] = int(Decimal(n).ln().sqrt() * exploration * 65536)
    return tables.reshape(-1)
