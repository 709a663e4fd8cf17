"""Moves that arms have proposed without a game of their own.

In a game of an external engine an arm is also asked what it would play where its book has a move:
that costs one answer, where a game costs dozens. So rare moves become known, which games by the
program's own choice would seldom show.
"""

from __future__ import annotations

import numpy as np

from seedfolio.book.statistics import Rows
from seedfolio.portfolios.book import Words


def rows_of_proposals(proposed: Words) -> Rows:
    """Return rows without games, one for each proposal, in the form of `arena.Block.proposed`."""
    nothing = np.zeros(len(proposed), np.int32)
    return Rows(
        states=proposed[:, 1],
        moves=proposed[:, 2].astype(np.int32) - 1,
        last=proposed[:, 3],
        last_moves=proposed[:, 4].astype(np.int32) - 1,
        games=nothing,
        points=nothing,
        natural_games=nothing,
        natural_points=nothing,
        arms=proposed[:, 5],
    ).in_order()
