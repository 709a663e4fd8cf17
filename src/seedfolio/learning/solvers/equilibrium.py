"""Exact equilibria of zero-sum matrix games, with a certificate, for thousands of arms."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import inf
from threading import local
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seedfolio.core.display import Brief
from seedfolio.errors import EquilibriumError
from seedfolio.learning.solvers.blocks import solve_by_blocks
from seedfolio.learning.solvers.centre import centre
from seedfolio.learning.solvers.interior_point import Interior
from seedfolio.learning.solvers.support import UNITS, equalising_units, spread, to_units
from seedfolio.matrices.payoffs import as_numbers

_EXACT = 1e-12  # of a game whose entries span about 1: strategies this close are equally good
_ROUNDED = 2.0**-32  # of weights: far above rounding errors, far below what matters
_SMALL_BYTE = 2.0**53 / UNITS  # up to which sums of results in units are exact in floats
_ROUGH = 1e-12  # a gap that rounding does not explain
_TREMBLES = (1e-2, 1e-4)
_OWN = local()


@dataclass(frozen=True, repr=False)
class Equilibrium(Brief):
    """Strategies of both sides, and what they guarantee: lower <= value of the game <= upper.

    >>> from seedfolio import nash
    >>> found = nash([[3, -1], [-2, 1]])
    >>> round(found.value, 12), found.gap < 1e-9
    (0.142857142857, True)
    >>> [round(weight, 3) for weight in found.column.tolist()]
    [0.286, 0.714]
    """

    row: NDArray[np.float64]
    column: NDArray[np.float64]
    lower: float
    upper: float

    @property
    def value(self) -> float:
        """The middle of the bracket."""
        return (self.lower + self.upper) / 2

    @property
    def gap(self) -> float:
        """How much the two sides together could still gain: 0 at an exact equilibrium."""
        return self.upper - self.lower

    def _summary(self) -> str:
        used = [f"{np.count_nonzero(each)} of {len(each)}" for each in (self.row, self.column)]
        rows, columns = used
        return f"value {self.value:.12g}, gap {self.gap:.1g}, {rows} rows, {columns} columns"


def nash(matrix: ArrayLike, *, tolerance: float = 1e-9) -> Equilibrium:
    """Return an exact equilibrium of a zero-sum matrix game, with its certificate.

    The row player gets the number of a cell, the column player its negative. Of several equilibria
    it is the one that `solve` chooses. The certificate is what each strategy guarantees against
    every arm of the other side, computed on the whole matrix: `lower` for the rows, `upper` for the
    columns. The value of the game is between them.

    Args:
        matrix: Payoffs of the row player: lists, an array or a pandas frame.
        tolerance: The largest gap of the certificate, as a share of the range of the payoffs.
            EquilibriumError if the gap is larger.

    >>> from seedfolio import nash
    >>> nash([[1, -1], [-1, 1]])
    <Equilibrium value 0, gap 0, 2 of 2 rows, 2 of 2 columns>
    >>> found = nash([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> found.row.round(9).tolist()
    [0.333333333, 0.333333333, 0.333333333]
    """
    payoff = as_numbers(matrix)
    _check_finite(payoff)
    with np.errstate(over="ignore"):
        span = float(np.ptp(payoff))
    if not np.isfinite(span):
        raise EquilibriumError("payoffs differ by more than a computer can hold; divide them all")
    low = float(payoff.min())
    # Between 0 and 1, so that the gap is a share; by a power of two, which rounds nothing.
    scale = float(2.0 ** np.ceil(np.log2(span))) if span else 1.0
    found = solve((payoff - low) / scale, tolerance=inf)
    exact = found.gap <= _ROUGH
    found = Equilibrium(
        found.row, found.column, low + scale * found.lower, low + scale * found.upper
    )
    if not exact:
        found = min(found, *_by_simplex(payoff), key=lambda each: each.gap)
    _check_gap(found, payoff.shape, tolerance * scale)
    return found


def solve(matrix: ArrayLike, *, tolerance: float = 1e-9) -> Equilibrium:
    """Return an equilibrium of the game in which rows maximise and columns minimise `matrix`.

    Equal arms share their weight equally. If one side has several optimal strategies, the result is
    the one that does best against an opponent who draws uniformly (an opponent who trembles); of
    several such, their centre (see `centre`).

    For a matrix of bytes, half points or their sums over the games of a cell, every machine should
    find the same bits. Other processors or BLAS libraries round differently on the way, but that
    arithmetic only decides which arms have weight at all. From these, a unique strategy follows to
    its last bit. The centre is first rounded to multiples of 2**-32: about one weight in a million
    lies so close to the middle between two of them that machines may round it differently, and
    then weights differ by about 1e-9. Two cases are not covered: sets of optimal strategies of more
    than 1000 dimensions, whose centre would take too long, and arms so nearly useless that rounding
    errors hide their weight.

    Raises EquilibriumError if the bounds, computed from the returned strategies against the whole
    matrix, differ by more than `tolerance`.
    """
    with one_thread():
        return _solve(np.asarray(matrix), tolerance)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let this thread's linear algebra use one core; inside of another such block, do nothing.

    One thread gives the same bits on any number of cores. It costs little, and avoids threads of
    two BLAS libraries, numpy's and scipy's, that spin while they wait. Entering it takes longer
    than to solve a small game, so those who solve many enter it once.
    """
    if getattr(_OWN, "limited", False):
        yield
        return
    libraries = _blas()
    _OWN.limited = True
    try:
        with libraries.limit(limits=1):
            yield
    finally:
        _OWN.limited = False


@cache
def _blas() -> Any:
    """Return the linear algebra of numpy and of scipy, found once: to look takes milliseconds."""
    import scipy.linalg  # noqa: F401  (loaded here, so that the limit reaches its BLAS)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def _solve(matrix: NDArray[Any], tolerance: float) -> Equilibrium:
    payoff = _checked(matrix)
    rows, columns = _classes(matrix), _classes(matrix.T)
    distinct = payoff
    if distinct.shape != (len(rows.first), len(columns.first)):
        distinct = payoff[np.ix_(rows.first, columns.first)]
    row_units, column_units = _strategies(
        distinct, payoff.mean(axis=1)[rows.first], payoff.mean(axis=0)[columns.first]
    )
    row, column = rows.share(row_units), columns.share(column_units)
    lower, upper = _expected(row, matrix, payoff).min(), _expected(column, matrix.T, payoff.T).max()
    found = Equilibrium(row / UNITS, column / UNITS, float(lower), float(upper))
    _check_gap(found, payoff.shape, tolerance)
    return found


def _check_gap(found: Equilibrium, shape: tuple[int, ...], tolerance: float) -> None:
    if not found.gap <= tolerance:
        raise EquilibriumError(
            f"the equilibrium of a {shape[0]} x {shape[1]} matrix is known only to "
            f"{found.gap:.1e}, not to {tolerance:.1e}; allow a larger tolerance"
        )


def _by_simplex(game: NDArray[np.float64]) -> list[Equilibrium]:
    """Return an equilibrium by scipy's HiGHS, if it finds one.

    Where rows differ by many powers of ten, it is more exact than the interior point.
    """
    from scipy.optimize import linprog

    rows, columns = game.shape
    answer = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-game.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs-ds",
    )
    if answer.x is None:
        return []
    row, column = np.maximum(answer.x[:rows], 0), np.maximum(-answer.ineqlin.marginals, 0)
    if not row.sum() > 0 or not column.sum() > 0:
        return []
    row, column = row / row.sum(), column / column.sum()
    return [Equilibrium(row, column, float((row @ game).min()), float((game @ column).max()))]


def _expected(
    units: NDArray[np.float64], matrix: NDArray[Any], payoff: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what a strategy in units gets on every column; for bytes without rounding."""
    if matrix.dtype != np.uint8:
        return (units / UNITS) @ payoff
    if matrix.max() <= _SMALL_BYTE:  # many times faster than whole numbers
        return (units @ payoff) / UNITS
    sums: NDArray[np.int64] = units.astype(np.int64) @ matrix.astype(np.int64)
    return sums / UNITS


def _checked(matrix: NDArray[Any]) -> NDArray[np.float64]:
    payoff = np.ascontiguousarray(matrix, dtype=np.float64)
    if payoff.ndim != 2 or payoff.size == 0:
        raise EquilibriumError(f"a matrix game needs rows and columns, not shape {payoff.shape}")
    _check_finite(payoff)
    return payoff


def _check_finite(payoff: NDArray[np.float64]) -> None:
    if not np.isfinite(payoff).all():
        raise EquilibriumError("a matrix game needs finite results; play the missing cells first")


@dataclass(frozen=True)
class _Classes:
    """Classes of arms with equal results, in the order of their first members."""

    first: NDArray[np.intp]
    member: NDArray[np.intp]
    size: NDArray[np.intp]

    def share(self, units: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the units of every arm."""
        return spread(units, self.member, self.size)


def _classes(arms: NDArray[Any]) -> _Classes:
    # Adding 0.0 turns -0.0 into 0.0: the same result, but not the same bytes.
    whole = np.ascontiguousarray(arms + arms.dtype.type(0))
    as_bytes = whole.view(np.dtype((np.void, whole.dtype.itemsize * whole.shape[1]))).ravel()
    _, first, member, size = np.unique(
        as_bytes, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    return _Classes(first[order], np.argsort(order)[member], size[order])


def _strategies(
    payoff: NDArray[np.float64], row_means: NDArray[np.float64], column_means: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both sides' units for a game without equal arms."""
    span = float(np.ptp(payoff))
    if span == 0:
        return to_units(np.ones(1)), to_units(np.ones(1))
    # By a power of two, which rounds nothing.
    scale = 2.0 ** np.ceil(np.log2(span))
    game = payoff / scale
    game -= payoff.min() / scale + 0.5
    near = solve_by_blocks(game)
    return (
        _row_units(game, near, row_means / scale),
        _row_units(-game.T, near.transposed(), -column_means / scale),
    )


def _row_units(
    game: NDArray[np.float64], near: Interior, means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the row player's optimal strategy; of several, one best against uniform opponents.

    A small bonus for good means selects among the optimal strategies; if it was too large the
    result is not optimal, and a smaller one is tried.
    """
    plain, unique = _exact(game, near)
    if unique:
        return plain
    usable = near.row > near.row_slack
    enough = _guarantee(game, plain) - _EXACT
    for tremble in _TREMBLES:
        bonus = tremble * (means[usable] - means[usable].mean())
        nudged = solve_by_blocks(game[usable] + bonus[:, None])
        units = np.zeros(len(game))
        units[usable] = _centred(game[usable], nudged, *_exact(game[usable], nudged))
        if _guarantee(game, units) >= enough:
            return units
    return _centred(game, near, plain, unique)


def _exact(game: NDArray[np.float64], near: Interior) -> tuple[NDArray[np.float64], bool]:
    """Return the row units that the interior approaches, and if they are the only optimal ones."""
    rows, columns = near.row > near.row_slack, near.column > near.column_slack
    solved = equalising_units(game[np.ix_(rows, columns)], near.row[rows])
    # From the most exact to the safest: on the support alone, less its traces, as it is.
    choices = [to_units(np.where(rows, near.row, 0.0)), to_units(near.row)]
    if solved is not None:
        choices.insert(0, np.zeros(len(game)))
        choices[0][rows] = solved[0]
    guarantees = [_guarantee(game, units) for units in choices]
    best = next(k for k, sure in enumerate(guarantees) if sure >= max(guarantees) - _EXACT)
    return choices[best], best == 0 and solved is not None and solved[1]


def _centred(
    game: NDArray[np.float64], near: Interior, units: NDArray[np.float64], unique: bool
) -> NDArray[np.float64]:
    """Return, in place of one of several optimal strategies, the centre of them all.

    Which of them the interior method ends at depends on rounding errors, which differ by machine.
    The centre, rounded to be the same everywhere, only says which of the exact strategies to take.
    """
    if unique:
        return units
    rows, columns = near.row > near.row_slack, near.column > near.column_slack
    equal = game[np.ix_(rows, columns)]
    middle = centre(equal, game[np.ix_(rows, ~columns)], units[rows] / UNITS)
    if middle is None:
        return units
    solved = equalising_units(equal, np.maximum(np.rint(middle / _ROUNDED), 1.0) * _ROUNDED)
    if solved is None:
        return units
    centred = np.zeros(len(game))
    centred[rows] = solved[0]
    return centred if _guarantee(game, centred) >= _guarantee(game, units) - _EXACT else units


def _guarantee(game: NDArray[np.float64], units: NDArray[np.float64]) -> float:
    return float((units @ game).min()) / UNITS
