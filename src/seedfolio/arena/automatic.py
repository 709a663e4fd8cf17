"""The arena that needs no choosing: the GPU where there is one, else threads."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block
from seedfolio.arena.cuda import CudaArena, why_not_cuda
from seedfolio.arena.threads import ThreadArena
from seedfolio.errors import CudaError
from seedfolio.players.program import Program


def best_arena(note: Callable[[str], None]) -> Arena:
    """Return the fastest arena of this machine; `note` is told if it must change on the way."""
    if why_not_cuda() is None:
        return CudaOrThreads(CudaArena(), ThreadArena(), note)
    return ThreadArena()


@dataclass(frozen=True)
class CudaOrThreads:
    """Plays on a CUDA device, and on threads what the device cannot play; `note` is told which."""

    cuda: Arena
    threads: Arena
    note: Callable[[str], None]
    _given_up: set[str] = field(default_factory=set, init=False, compare=False)
    """Titles of the programs that the device cannot play."""

    def play(
        self, program: Program, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish."""
        played = 0
        if program.title not in self._given_up:
            try:
                with closing(self.cuda.play(program, rows, columns)) as blocks:
                    for block in blocks:
                        yield block
                        played += len(block.rows)
            except CudaError as failure:
                self._given_up.add(program.title)
                self.note(f"{failure.problem}; this is played on the CPU instead")
        with closing(self.threads.play(program, rows[played:], columns[played:])) as blocks:
            yield from blocks
