"""An arena that plays other seeds in place of those asked for: learning, repeated."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block
from seedfolio.programs.interface import Playable

_APART = 20
"""Repetitions have their seeds 2**20 apart: all ranges of seeds are larger, and studies smaller."""
MOST_REPETITIONS = 256
"""More would reach from one range of seeds into the next."""


@dataclass(frozen=True)
class ShiftedArena:
    """Plays seed n as seed n + 2**20 times `number`, in every range of seeds."""

    arena: Arena
    number: int

    def play(
        self, program: Playable, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play the other seeds; blocks name those asked for."""
        shift = np.uint64(self.number << _APART)
        with closing(self.arena.play(program, rows + shift, columns + shift)) as blocks:
            for block in blocks:
                yield replace(block, rows=block.rows - shift, columns=block.columns - shift)
