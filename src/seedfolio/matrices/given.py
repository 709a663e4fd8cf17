"""Matrices from Python: arrays, pandas frames, OpenSpiel's games and payoff tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SpecificationError
from seedfolio.matrices.payoffs import Payoffs, as_numbers

_SAME = 1e-9
_Limits = tuple[float | None, float | None]


def given_payoffs(matrix: Any, limits: _Limits = (None, None)) -> Payoffs:
    """Return a matrix that a caller has: an array, lists, a pandas frame, or one of OpenSpiel's.

    OpenSpiel's are a two-player matrix game, a `PayoffTable` of two players, and the pair of
    matrices that its meta-games are made of, if they are of constant sum.
    """
    if isinstance(matrix, Payoffs):
        return matrix
    if hasattr(matrix, "row_utilities"):  # pyspiel.MatrixGame
        rows = [matrix.row_action_name(k) for k in range(matrix.num_rows())]
        columns = [matrix.col_action_name(k) for k in range(matrix.num_cols())]
        shape = len(rows), len(columns)
        pair = np.array([matrix.row_utilities(), matrix.col_utilities()], np.float64)
        values = _first_of(pair.reshape(2, *shape))
        title = matrix.get_type().long_name
        return Payoffs.of(title, values, (rows, columns), limits=limits)
    if hasattr(matrix, "num_strategies") and callable(matrix):  # egt.PayoffTable
        return Payoffs.of("payoff table", _symmetric(np.asarray(matrix())), limits=limits)
    if hasattr(matrix, "to_numpy") and hasattr(matrix, "columns"):
        names = list(matrix.index), list(matrix.columns)
        return Payoffs.of("matrix", as_numbers(matrix.to_numpy()), names, limits=limits)
    if _is_pair(matrix):
        return Payoffs.of("matrix", _first_of(np.asarray(matrix, np.float64)), limits=limits)
    return Payoffs.of("matrix", as_numbers(matrix), limits=limits)


def _is_pair(matrix: Any) -> bool:
    """Tell whether something is two matrices of one shape."""
    try:
        shape = np.shape(matrix)
    except ValueError:  # rows of different lengths
        return False
    return len(shape) == 3 and shape[0] == 2 and min(shape) > 0


def _first_of(pair: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first player's payoffs; SpecificationError if the sum is not constant."""
    sums = pair[0] + pair[1]
    if np.ptp(sums) > _SAME * max(1.0, float(np.abs(pair).max())):
        raise SpecificationError(
            "the payoffs of both players do not add up to the same in all cells; learners need a "
            "game in which one wins what the other loses"
        )
    return as_numbers(pair[0])


def _symmetric(table: NDArray[Any]) -> NDArray[np.float64]:
    """Return the matrix of a payoff table: how many play each strategy, then what each is paid."""
    size = table.shape[1] // 2
    counts, paid = table[:, :size], table[:, size:]
    if not (counts.sum(axis=1) == 2).all():
        raise SpecificationError("a payoff table must be of two players, which this one is not")
    values = np.full((size, size), np.nan)
    for players, each in zip(counts, paid, strict=True):
        first, second = np.repeat(np.arange(size), players.astype(int))
        values[first, second], values[second, first] = each[first], each[second]
    return as_numbers(values)
