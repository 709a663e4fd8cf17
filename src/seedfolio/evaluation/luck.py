"""The luck in cells that are means over games, and what an exploiter would make of it.

Where chance plays a part, a success is measured with an error of its own. The worst of K' measured
successes is then partly the unluckiest, the exploiter looks stronger than it is, and we look
weaker. So the spread of the successes is shrunk to what the luck leaves of it.
"""

from math import sqrt

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]


def cell_noise(cells: _Floats, repeats: int) -> _Floats:
    """Return the variance by luck of cells, each the mean success of `repeats` games.

    p (1 - p) / (repeats - 1) is its unbiased estimate where games are won or lost, and more than
    it where some are drawn. Of a single game nothing can be told, and 0 is returned.
    """
    if repeats == 1:
        return np.zeros_like(cells)
    noise: _Floats = cells * (1 - cells) / (repeats - 1)
    return noise


def shrunk(successes: _Floats, noise: float) -> _Floats:
    """Return successes with the spread along the last axis that is left without the noise.

    `noise` is the mean variance by luck of one success. Means stay as they are. Several rows are
    shrunk alike, by what is true of them together: that of a single row is too uncertain.
    """
    if noise == 0 or successes.shape[-1] == 1:
        return successes
    spread = float(successes.var(axis=-1, ddof=1).mean())
    if spread == 0:
        return successes
    means = successes.mean(axis=-1, keepdims=True)
    left = sqrt(max(0.0, 1 - noise / spread))
    less: _Floats = np.clip(means + left * (successes - means), 0, 1)
    return less
