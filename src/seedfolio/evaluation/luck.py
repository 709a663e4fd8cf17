"""The luck in cells that are means over games, and how an exploiter would profit from it.

In games with luck, a measured success has an error. The worst of K' measured successes is then
partly the unluckiest, so the exploiter looks stronger than it is, and we look weaker. So the spread
of the successes is shrunk by the part that luck explains.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from seedfolio.study.arms import UnseenArms
from seedfolio.study.session import Session

_Floats = npt.NDArray[np.float64]

_SAMPLE = 4096
"""Games to measure the share of draws, with an error below 0.01."""
_SLOW_SAMPLE = 64
"""The same where games are slow."""


@dataclass(frozen=True)
class Luck:
    """How many games make a cell, and the share of draws if games have luck."""

    repeats: int = 1
    draws: float = 0.0

    def noise(self, cells: _Floats) -> _Floats:
        """Return the variance by luck of cells, each the mean success of `repeats` games.

        (p (1 - p) - draws / 4) / (repeats - 1) has no bias on average over cells, though that of
        one cell may even be negative. A single game shows nothing: the result is then 0.
        """
        if self.repeats == 1:
            return np.zeros_like(cells)
        noise: _Floats = (cells * (1 - cells) - self.draws / 4) / (self.repeats - 1)
        return noise


def measure_luck(session: Session) -> Luck:
    """Return the luck of a session's program, its draws counted in single games of unseen seeds."""
    program = session.program
    if program.repeats == 1:
        return Luck()
    sample = min(_SLOW_SAMPLE, program.arms.unseen) if program.traits.slow else _SAMPLE
    seeds = UnseenArms(0, sample).seeds()
    draws = 0
    with (
        session.task("games to count draws", sample),
        closing(session.play(seeds, seeds[::-1].copy(), program.single())) as blocks,
    ):
        for block in blocks:
            draws += int(np.count_nonzero(block.results == 1))
            session.progress.advance(len(block.results))
    return Luck(program.repeats, draws / sample)


def shrunk(successes: _Floats, noise: float) -> _Floats:
    """Return successes whose spread along the last axis is shrunk by that of the noise.

    `noise` is the mean variance by luck of one success. Means stay the same. All rows are shrunk by
    the same factor, computed from all of them, since that of a single row is too uncertain.
    """
    if noise <= 0 or successes.shape[-1] == 1:
        return successes
    spread = float(successes.var(axis=-1, ddof=1).mean())
    if spread == 0:
        return successes
    means = successes.mean(axis=-1, keepdims=True)
    left = sqrt(max(0.0, 1 - noise / spread))
    less: _Floats = np.clip(means + left * (successes - means), 0, 1)
    return less
