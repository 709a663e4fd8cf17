"""The centre of a set of optimal strategies: one point of it that the set alone determines."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_MOST_FREE = 1000  # dimensions; finding the centre costs their cube
_MOST_STEPS = 200
_DEPENDENT = 1e-11
_CONVERGED = 1e-9  # Newton's decrement; it is squared by the step that follows
_TO_THE_WALL = 0.9


def centre(equal: NDArray[np.float64], above: NDArray[np.float64], start: Vector) -> Vector | None:
    """Return the mixture of rows with the largest product of its weights and its slacks.

    Among the mixtures that score alike on every column of `equal` and better than that on every
    column of `above`; the slacks are how much better. `start` is such a mixture, all positive.
    None if it is not, or if the mixtures have too many dimensions.

    The logarithm of the product is strictly concave, so there is one such mixture, whatever the
    start and the order of arms, and Newton's method converges to it quadratically.
    """
    from scipy.linalg import lstsq

    first = equal[:, :1]
    free = _directions(equal, start)
    values = np.append(start, start @ (above - first))
    if free is None or values.min() <= 0:
        return None
    changes = np.concatenate([free, (above - first).T @ free])
    for _ in range(_MOST_STEPS):
        relative = changes / values[:, None]
        step = lstsq(relative, np.ones(len(values)), lapack_driver="gelsy")[0]
        decrement = float(np.linalg.norm(relative @ step))
        values = _advance(values, changes @ step, decrement)
        if decrement < _CONVERGED:
            return values[: len(start)]
    return None


def _directions(equal: NDArray[np.float64], start: Vector) -> NDArray[np.float64] | None:
    """Return changes of the weights, as columns, that keep their sum and the scores alike."""
    from scipy.linalg import null_space

    if len(start) - equal.shape[1] > _MOST_FREE:
        return None
    kept = np.concatenate([(equal[:, 1:] - equal[:, :1]).T, np.ones((1, len(start)))])
    directions: NDArray[np.float64] = start[:, None] * null_space(kept * start, rcond=_DEPENDENT)
    return directions if 0 < directions.shape[1] <= _MOST_FREE else None


def _advance(values: Vector, change: Vector, decrement: float) -> Vector:
    """Go as far as pays: nearly to the wall, or the damped step, which is safe for logarithms."""
    falling = change < 0
    room = float((-values[falling] / change[falling]).min()) if falling.any() else np.inf
    lengths = min(1.0, _TO_THE_WALL * room), 1 / (1 + decrement)
    if decrement < 1e-3:  # close to the centre the whole step is right
        return values + change
    return max((values + a * change for a in lengths), key=lambda after: np.log(after).sum())
