"""Exact weights: multiples of 2**-48, so that sums and certificates need no rounding.

A weight is kept as its numerator, a whole number of units. The units of a strategy add up to
exactly 2**48, and its success against results of 0, 1 or 2 half points is a sum of whole numbers
below 2**53: the same bits in any order and on any machine. If results go up to 254 the sum stays
below 2**56, and is computed in 64-bit integers.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

UNITS = 2.0**48
_COARSE = 2.0**44  # leaves room for the exact residual of a payoff of 8 bits
_SINGULAR = 1e-11

_Solve = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def to_units(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return whole units in proportion to non-negative weights, adding up to one."""
    units: NDArray[np.float64] = np.rint(weights * (UNITS / weights.sum()))
    units[np.argmax(units)] += UNITS - units.sum()
    return units


def spread(
    units: NDArray[np.float64], members: NDArray[np.intp], sizes: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Share each class's units equally among its arms; `members` gives each arm's class."""
    shared = np.floor(units / sizes)[members]
    rest = (units % sizes)[members]
    order = np.argsort(members, kind="stable")
    starts = np.cumsum(sizes) - sizes
    place = np.empty(len(members), dtype=np.intp)
    place[order] = np.arange(len(members)) - starts[members[order]]
    return shared + (place < rest)


def equalising_units(
    payoff: NDArray[np.float64], near: NDArray[np.float64]
) -> tuple[NDArray[np.float64], bool] | None:
    """Return units of a mixture of the rows that scores alike on every column, and if it is unique.

    If there are several, the one closest to `near`, in proportion to it; None if there is none
    without negative weights. The linear system is solved digit by digit: for whole numbers
    in `payoff`, or such by 256, the residual of the first digits is exact, so the last digits are
    right too, in any order of summation.
    """
    arms, opponents = payoff.shape
    system = np.zeros((opponents + 1, arms + 1))
    system[:opponents, :arms] = payoff.T
    system[:opponents, arms] = -1.0
    system[opponents, :arms] = 1.0
    right = np.zeros(opponents + 1)
    right[opponents] = 1.0
    correction, unique = _solver(system, np.append(near, 1.0))
    digits = _coarse(np.append(near, (near @ payoff).mean()))
    for _ in range(2):
        digits = _coarse(digits + correction(right - system @ digits))
    units = digits * UNITS + np.rint(correction(right - system @ digits) * UNITS)
    return None if units[:arms].min() < 0 else (to_units(units[:arms]), unique)


def _coarse(values: NDArray[np.float64]) -> NDArray[np.float64]:
    rounded: NDArray[np.float64] = np.rint(values * _COARSE) / _COARSE
    return rounded


def _solver(system: NDArray[np.float64], scale: NDArray[np.float64]) -> tuple[_Solve, bool]:
    """Return how to solve the system for a right side, and if the solution is unique.

    Otherwise the solution is the one of least length, measured in units of `scale`.
    """
    from scipy.linalg import lapack, lstsq, lu_solve

    if system.shape[0] == system.shape[1]:
        factors, pivots, _ = lapack.dgetrf(system)
        sizes = np.abs(np.diag(factors))
        if sizes.min() > _SINGULAR * sizes.max():
            return lambda right: lu_solve((factors, pivots), right), True
    scaled = system * scale
    rank = lstsq(scaled, np.zeros(len(scaled)), cond=_SINGULAR, lapack_driver="gelsy")[2]

    def shortest(right: NDArray[np.float64]) -> NDArray[np.float64]:
        solution = lstsq(scaled, right, cond=_SINGULAR, lapack_driver="gelsy")[0]
        return scale * solution

    return shortest, rank == system.shape[1]
