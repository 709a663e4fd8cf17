"""The arena on a CUDA device: the same games as on threads, bit for bit.

Cells go to the device in batches, two at a time: while the last games of one batch go on, the next
batch uses the free threads, and the study writes results.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block
from seedfolio.errors import CudaError, SpecificationError
from seedfolio.players.program import Program

# Short enough to answer an interrupt soon, long enough to make the tails unimportant.
_BATCH_SECONDS = 1.0
_LARGEST_BATCH = 2_000_000


@dataclass
class Timing:
    """How long the device has worked in total, for benchmarks."""

    busy: float = 0.0


@dataclass(frozen=True)
class CudaArena:
    """Plays on the current CUDA device with at most `threads` threads, `batch` cells a batch.

    By default both depend on the size of the device and the duration of games.
    CudaError if there is no device.

    >>> from seedfolio import CudaArena, SeedfolioError, boost
    >>> try:
    ...     arena = CudaArena()
    ... except SeedfolioError:  # no GPU here
    ...     arena = "threads"
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> boosted = boost(*program, k=8, opponents=17, study="a.study", arena=arena)
    """

    threads: int | None = None
    batch: int | None = None
    timing: Timing = field(default_factory=Timing, compare=False)

    def __post_init__(self) -> None:
        for name, value in (("threads", self.threads), ("batch", self.batch)):
            if value is not None and value < 1:
                raise SpecificationError(
                    f"the {name} of a CUDA arena must be 1 or more, not {value}"
                )
        if (problem := why_not_cuda()) is not None:
            raise CudaError(problem)

    def play(
        self, program: Program, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order of the cells.

        When the caller stops early, the arena waits for the running batches and drops them.
        CudaError if the program does not compile for the device or needs more memory.
        """
        from seedfolio.arena.cuda.device import IN_FLIGHT, Batch, Device

        if len(rows) == 0:
            return
        device = Device(program, len(rows), self.threads)
        size = self.batch or device.games
        position, number, busy_until = 0, 0, 0.0
        under_way: deque[Batch] = deque()
        try:
            while position < len(rows) or under_way:
                while position < len(rows) and len(under_way) < IN_FLIGHT:
                    cells = slice(position, position + size)
                    under_way.append(device.launch(number, rows[cells], columns[cells]))
                    position, number = position + size, number + 1
                batch = under_way.popleft()
                results, began, ended = device.finish(batch)
                self.timing.busy += max(0.0, ended - max(began, busy_until))
                busy_until = max(busy_until, ended)
                if self.batch is None:
                    size = _next_size(len(results), ended - began, device.games)
                yield Block(batch.rows, batch.columns, results, device.left(batch))
        finally:
            device.wait()


def why_not_cuda() -> str | None:
    """Return the reason why games cannot run on a CUDA device; None if they can."""
    if find_spec("numba_cuda") is None:  # much faster than an import
        return "CUDA needs the extra gpu of Seedfolio: pip install 'seedfolio[gpu]'"
    try:
        from numba import cuda
        from numba.cuda.cudadrv.driver import CudaAPIError
        from numba.cuda.cudadrv.error import CudaSupportError
    except ImportError as error:
        return f"numba-cuda does not load ({' '.join(str(error).split())})"
    try:
        cuda.current_context()
    except (CudaSupportError, CudaAPIError) as error:
        lines = [line.strip(" :.") for line in str(error).splitlines()]
        reasons = [line for line in lines if line and line != "Error at driver init"]
        return f"there is no CUDA device ({reasons[0] if reasons else 'no driver'})"
    return None


def _next_size(cells: int, seconds: float, games: int) -> int:
    """Return the size of a batch of about the right duration; sizes grow step by step."""
    fitting = int(cells * _BATCH_SECONDS / max(seconds, 1e-6))
    return max(games, min(fitting, 16 * cells, _LARGEST_BATCH))
