"""The points of a cell, as a study keeps them: in one byte.

Where all games of a cell together can have more than 254 points, the byte holds their sum in 254ths
of the most. It is rounded up or down by a draw that depends on the cell alone, so that the expected
value is exact: the mean of many cells has no error of rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import Words, below, fold_words, luck_key
from seedfolio.errors import SpecificationError
from seedfolio.games.rules import MOST_POINTS, Rules

MOST_REPEATS = 127
"""With half points, so that those of a cell fit one byte, with room for a mark."""
MOST_PAYOFF_REPEATS = 50_000
"""Where a game is played for payoffs."""


def most_repeats(scale: int) -> int:
    """Return how many games a cell can have."""
    return MOST_REPEATS if scale == 2 else MOST_PAYOFF_REPEATS


def check_repeats(repeats: int, rules: Rules) -> None:
    """Raise SpecificationError if a cell cannot have this many games."""
    most = most_repeats(rules.scale)
    if not 1 <= repeats <= most:
        raise SpecificationError(f"{repeats} repeats are not 1 to {most:,}")


def full_cell(scale: int, repeats: int) -> int:
    """Return the points of a cell whose games are all won, as a study keeps them."""
    return min(scale * repeats, MOST_POINTS)


def kept_points(rules: Rules) -> Callable[..., Any]:
    """Return kept(points, row, column, repeats): the points of a cell as a study keeps them."""
    return _all_points if rules.scale == 2 else _rounded(rules.scale)


@compiled
def _all_points(points: Any, row: Any, column: Any, repeats: Any) -> Any:
    return points


def half_points(
    results: NDArray[np.uint8], rows: Words, columns: Words, scale: int
) -> NDArray[np.uint8]:
    """Return the points of single games as half points, rounded by a draw of each game."""
    if scale == 2:
        return results
    draws = (fold_words(rows, columns) >> np.uint64(32)) * np.uint64(scale) >> np.uint64(32)
    return ((2 * results.astype(np.uint64) + draws) // np.uint64(scale)).astype(np.uint8)


def _rounded(scale: int) -> Callable[..., Any]:
    @compiled
    def kept(points: Any, row: Any, column: Any, repeats: Any) -> Any:
        most = int64(scale * repeats)
        if most <= MOST_POINTS:
            return int64(points)
        # No game of the cell has the luck of this number.
        draw = below(luck_key(row, column, repeats), int64(0), most)
        return (int64(points) * MOST_POINTS + draw) // most

    return kept
