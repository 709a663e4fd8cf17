"""A primal-dual interior-point method for matrix games of moderate size.

Written with slacks, a pair of strategies x, y with bounds v <= value <= w is optimal when

    s = w - M y >= 0,   t = M'x - v >= 0,   x_i s_i = 0,   y_j t_j = 0.

The uniform strategies with generous bounds are strictly feasible, and each Newton step keeps
feasibility, so w - v is at all times a true bound of the error. One step costs one product M'DM and
one Cholesky factorisation of the smaller side. That cost is fixed, however close the arms are to
each other, where simplex methods need many pivots.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_MOST_STEPS = 100
_TARGET = 1e-12  # of a game whose entries span 1; rounding stops the method soon after
_PATIENCE = 20  # steps without halving the gap, after which rounding must be the reason,
_NEAR_PATIENCE = 3  # or this many once the gap is below
_NEAR = 1e-9
_REFINEMENTS = 2
_NUDGES = (0.0, 1e-15, 1e-14, 1e-13, 1e-12)
_TO_THE_WALL = 0.995  # how much of the way to the nearest zero a step may go


@dataclass(frozen=True)
class Interior:
    """Strategies near an equilibrium, all positive, with the slack of each arm."""

    row: Vector
    column: Vector
    row_slack: Vector
    column_slack: Vector

    @cached_property
    def gap(self) -> float:
        """The upper bound less the lower bound."""
        return float(self.row @ self.row_slack + self.column @ self.column_slack)

    def transposed(self) -> "Interior":
        """Return the same, seen by the other player."""
        return Interior(self.column, self.row, self.column_slack, self.row_slack)


def interior_point(game: NDArray[np.float64]) -> Interior:
    """Approach an equilibrium of `game`, whose entries should span about 1, to rounding error."""
    if game.shape[0] < game.shape[1]:
        return interior_point(np.ascontiguousarray(-game.T)).transposed()
    state = best = _start(game)
    mark, idle = state.gap, 0
    with np.errstate(all="ignore"):  # a step that overflows is thrown away by _advance
        for _ in range(_MOST_STEPS):
            following = _advance(game, state)
            if following is None:
                break
            state = following
            best = min(best, state, key=lambda point: point.gap)
            mark, idle = (best.gap, 0) if best.gap < mark / 2 else (mark, idle + 1)
            if best.gap < _TARGET or idle == (_NEAR_PATIENCE if best.gap < _NEAR else _PATIENCE):
                break
    return best


def _start(game: NDArray[np.float64]) -> Interior:
    rows, columns = game.shape
    x, y = np.full(rows, 1 / rows), np.full(columns, 1 / columns)
    gain, loss = game @ y, x @ game
    margin = max(np.ptp(gain), np.ptp(loss), 1e-3)
    w, v = gain.max() + margin, loss.min() - margin
    return Interior(x, y, w - gain, loss - v)


@dataclass(frozen=True)
class _Step:
    """A direction in which all four change."""

    row: Vector
    column: Vector
    row_slack: Vector
    column_slack: Vector

    def plus(self, other: "_Step") -> "_Step":
        return _Step(
            self.row + other.row,
            self.column + other.column,
            self.row_slack + other.row_slack,
            self.column_slack + other.column_slack,
        )


def _advance(game: NDArray[np.float64], at: Interior) -> Interior | None:
    """Return the next point (Mehrotra's predictor and corrector), or None if rounding forbids."""
    newton = _Newton.factorise(game, at)
    if newton is None:
        return None
    x, y, s, t = at.row, at.column, at.row_slack, at.column_slack
    mean = at.gap / (len(x) + len(y))
    guess = newton.step(-x * s, -y * t)
    if guess is None:
        return None
    reached = _gap_after(at, guess, *_lengths(at, guess, 1.0))
    target = mean * (reached / at.gap) ** 3
    step = newton.step(
        target - x * s - guess.row * guess.row_slack,
        target - y * t - guess.column * guess.column_slack,
    )
    if step is None:
        return None
    a, b = _lengths(at, step, _TO_THE_WALL)
    x, y = x + a * step.row, y + b * step.column
    following = Interior(
        row=x / x.sum(),
        column=y / y.sum(),
        row_slack=s + b * step.row_slack,
        column_slack=t + a * step.column_slack,
    )
    return following if np.isfinite(following.gap) and following.gap > 0 else None


def _lengths(at: Interior, step: _Step, share: float) -> tuple[float, float]:
    """Return how far (x, v) and (y, w) go with everything positive: together or each by itself.

    Going together always narrows the gap; going apart narrows it more, most of the time.
    """

    def room(values: Vector, change: Vector) -> float:
        falling = change < 0
        return float((-values[falling] / change[falling]).min()) if falling.any() else np.inf

    primal = min(room(at.row, step.row), room(at.column_slack, step.column_slack))
    dual = min(room(at.column, step.column), room(at.row_slack, step.row_slack))
    apart = min(1.0, share * primal), min(1.0, share * dual)
    together = min(apart), min(apart)
    return min(together, apart, key=lambda lengths: _gap_after(at, step, *lengths))


def _gap_after(at: Interior, step: _Step, primal: float, dual: float) -> float:
    rows = (at.row + primal * step.row) @ (at.row_slack + dual * step.row_slack)
    columns = (at.column + dual * step.column) @ (at.column_slack + primal * step.column_slack)
    return float(rows + columns)


@dataclass(frozen=True)
class _Newton:
    """The linear system of one point, reduced to the columns and factorised.

    H dy - q dw - 1 dv = ...,  H = M'DM + diag(t/y),  D = diag(x/s),  q = M'D1; the two borders
    (sum dx = 0 and sum dy = 0) are eliminated by a 2x2 system.
    """

    game: NDArray[np.float64]
    at: Interior
    factor: tuple[NDArray[np.float64], bool]
    density: Vector
    pull: Vector
    border: NDArray[np.float64]
    corner: NDArray[np.float64]

    @staticmethod
    def factorise(game: NDArray[np.float64], at: Interior) -> "_Newton | None":
        from scipy.linalg import cho_solve

        density = at.row / at.row_slack
        scaled = np.sqrt(density)[:, None] * game
        hessian = scaled.T @ scaled
        hessian[np.diag_indices_from(hessian)] += at.column_slack / at.column
        factor = _cholesky(hessian)
        if factor is None:
            return None
        pull = density @ game
        border = cho_solve(factor, np.stack([pull, np.ones_like(pull)], axis=1))
        corner = np.stack([pull @ border, border.sum(axis=0)])
        corner[0, 0] -= density.sum()
        return _Newton(game, at, factor, density, pull, border, corner)

    def step(self, row_product: Vector, column_product: Vector) -> _Step | None:
        """Return the step that changes x*s and y*t by these amounts, to first order.

        The factor loses digits as weights and slacks drift apart; solving again for the residual
        restores them.
        """
        at = self.at
        step = self._solve(row_product, column_product, 0.0, 0.0)
        for _ in range(_REFINEMENTS):
            if step is None:
                return None
            left = column_product - at.column_slack * step.column - at.column * step.column_slack
            more = self._solve(
                np.zeros_like(row_product), left, -step.row.sum(), -step.column.sum()
            )
            step = more and step.plus(more)
        return step

    def _solve(
        self, row_product: Vector, column_product: Vector, row_sum: float, column_sum: float
    ) -> _Step | None:
        from scipy.linalg import cho_solve

        forced = row_product / self.at.row_slack
        side = column_product / self.at.column - forced @ self.game
        if not np.isfinite(side).all():
            return None
        free = cho_solve(self.factor, side, check_finite=False)
        open_sums = [row_sum - forced.sum() - self.pull @ free, column_sum - free.sum()]
        try:
            d_upper, d_lower = np.linalg.solve(self.corner, open_sums)
        except np.linalg.LinAlgError:
            return None
        d_column = free + self.border @ [d_upper, d_lower]
        d_row_slack = d_upper - self.game @ d_column
        d_row = forced - self.density * d_row_slack
        d_column_slack = d_row @ self.game - d_lower
        return _Step(d_row, d_column, d_row_slack, d_column_slack)


def _cholesky(hessian: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool] | None:
    """Factorise; with several optimal strategies the matrix is singular without a small shift."""
    from scipy.linalg import LinAlgError, cho_factor

    diagonal = np.diag(hessian).copy()
    if not np.isfinite(diagonal).all():
        return None
    for nudge in _NUDGES:
        np.fill_diagonal(hessian, diagonal + nudge * diagonal.max())
        try:
            return cho_factor(hessian, check_finite=False)
        except LinAlgError:
            continue
    return None
