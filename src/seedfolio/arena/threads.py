"""The arena on threads: compiled code releases the GIL, so every core plays."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block
from seedfolio.errors import SpecificationError
from seedfolio.players.program import Program

# Short enough to answer an interrupt soon, long enough to make a transaction cheap.
_BLOCK_SECONDS = 0.4
_LARGEST_BLOCK = 50_000


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


@dataclass(frozen=True)
class ThreadArena:
    """Plays on `threads` threads, in blocks of `block` cells (by default chosen by their time).

    >>> import numpy as np
    >>> from seedfolio import ThreadArena, load_program
    >>> program = load_program("domineering:4x4", "uct:simulations=5")
    >>> seeds = np.arange(4, dtype=np.uint64)
    >>> (block,) = ThreadArena(threads=1, block=4).play(program, seeds, seeds[::-1])
    >>> block.results.tolist()
    [2, 2, 2, 0]
    """

    threads: int = field(default_factory=available_cores)
    block: int | None = None

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise SpecificationError(f"`threads` must be 1 or more, not {self.threads}")
        if self.block is not None and self.block < 1:
            raise SpecificationError(f"block must be 1 or more, not {self.block}")

    def play(
        self, program: Program, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish.

        When the caller stops early, the arena waits for the running blocks and drops them.
        """
        workspaces: SimpleQueue[NDArray[np.int32]] = SimpleQueue()
        for _ in range(self.threads):
            workspaces.put(program.workspace())

        def play_block(first: int, last: int) -> tuple[Block, float]:
            began = time.perf_counter()
            workspace = workspaces.get()
            block_rows, block_columns = rows[first:last], columns[first:last]
            try:
                played = program.play_noting(block_rows, block_columns, workspace)
            finally:
                workspaces.put(workspace)  # another thread may be waiting for it
            seconds = time.perf_counter() - began
            left = played.left if program.books else None
            return Block(block_rows, block_columns, played.results, left), seconds

        pending: set[Future[tuple[Block, float]]] = set()
        size = self.block or 1
        position = 0
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="arena")
        try:
            while position < len(rows) or pending:
                while position < len(rows) and len(pending) < 2 * self.threads:
                    last = min(position + size, len(rows))
                    pending.add(pool.submit(play_block, position, last))
                    position = last
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for block, seconds in [future.result() for future in done]:
                    if self.block is None:
                        size = _next_size(len(block.rows), seconds)
                    yield block
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _next_size(cells: int, seconds: float) -> int:
    """Return the size of a block of about the right duration; sizes grow step by step."""
    fitting = int(cells * _BLOCK_SECONDS / max(seconds, 1e-6))
    return max(1, min(fitting, 8 * cells, _LARGEST_BLOCK))
