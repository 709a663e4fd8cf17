"""The arena by its name; `auto` takes the GPU where there is one, else threads."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block, Run, no_note
from seedfolio.arena.cuda.arena import CudaArena, why_not_cuda
from seedfolio.arena.threads import ThreadArena
from seedfolio.errors import CudaError, SpecificationError
from seedfolio.players.program import Program

AUTO, RAY = "auto", "ray"


@contextmanager
def open_arena(run: Run) -> Iterator[Arena]:
    """Yield the arena that `find_arena` returns, or the cluster of a run, which is then left.

    The run's progress learns which nodes are at work.
    """
    if not is_cluster(run):
        yield find_arena(run.arena, run.threads, run.note)
        return
    from seedfolio.arena.ray.arena import RayArena

    with RayArena(run.address, note=run.note, at_work=run.progress.at_work) as opened:
        yield opened


def is_cluster(run: Run) -> bool:
    """Tell whether the arena is named ray; SpecificationError if the options do not fit it."""
    if run.arena != RAY:
        if run.address is not None:
            raise SpecificationError("`address` is for `arena` ray; leave it out")
        return False
    if run.threads is not None:
        raise SpecificationError("`threads` is for the arena threads; a cluster uses all cores")
    return True


def find_arena(
    arena: str | Arena, threads: int | None = None, note: Callable[[str], None] = no_note
) -> Arena:
    """Return an arena: the one given, or the one called auto, threads or cuda.

    `threads` is the number of threads of the arena threads. `note` receives a line if `auto` has to
    leave the GPU on the way.
    """
    if not isinstance(arena, str):
        if threads is not None:
            raise SpecificationError("`threads` is for an arena given by name; leave it out")
        return arena
    if arena == AUTO and threads is None and why_not_cuda() is None:
        return CudaOrThreads(CudaArena(), ThreadArena(), note)
    if arena == "cuda":
        if threads is not None:
            raise SpecificationError("`threads` is for the arena threads; leave it out")
        return CudaArena()
    if arena not in (AUTO, "threads"):
        raise SpecificationError(
            f"unknown arena {arena!r}; `arena` must be auto, threads, cuda or ray"
        )
    return ThreadArena() if threads is None else ThreadArena(threads)


@dataclass(frozen=True)
class CudaOrThreads:
    """Plays on a CUDA device, and on threads what the device cannot play; `note` learns of it."""

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
