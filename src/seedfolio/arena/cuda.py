"""The arena on a CUDA device: the same games as on threads, bit for bit, one thread a game.

Cells go to the device in batches, two of them under way at any time: while the last games of one
are played, the next one takes the place of those that are over, and the study is written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block
from seedfolio.errors import SpecificationError
from seedfolio.players.program import Program

INSTEAD = "play on the CPU with --arena threads"

# By measurement (docs/gpu.md): with more, their trees fall out of the cache.
_THREADS_A_PROCESSOR = 512
_BLOCK = 128
_BATCH_SECONDS = 1.0
_LARGEST_BATCH = 2_000_000
_IN_FLIGHT = 2
_SHARE_OF_MEMORY = 0.8
_LANES = 32
"""Lanes that share a game where a player can share its work."""
_LARGEST_SHORT = 2**15 - 1


@dataclass
class Timing:
    """How long the device has been at work in all, for benchmarks."""

    busy: float = 0.0


@dataclass(frozen=True)
class CudaArena:
    """Plays on the current CUDA device, at most `threads` at once, in batches of `batch` cells.

    By default both are chosen by the device's size and the time that games take.
    SpecificationError if there is no device, or too little memory on it.
    """

    threads: int | None = None
    batch: int | None = None
    timing: Timing = field(default_factory=Timing, compare=False)

    def __post_init__(self) -> None:
        for name, value in (("threads", self.threads), ("batch", self.batch)):
            if value is not None and value < 1:
                raise SpecificationError(f"the CUDA arena needs {name} of 1 or more, not {value}")
        if (problem := why_not_cuda()) is not None:
            raise SpecificationError(f"{problem}; {INSTEAD}")

    def play(
        self, program: Program, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish.

        When the caller stops early or is interrupted, batches under way end and are dropped.
        """
        if len(rows) == 0:
            return
        device = _Device(program, len(rows), self.threads)
        size = self.batch or device.games
        position, number, busy_until = 0, 0, 0.0
        under_way: deque[_Batch] = deque()
        try:
            while position < len(rows) or under_way:
                while position < len(rows) and len(under_way) < _IN_FLIGHT:
                    cells = slice(position, position + size)
                    under_way.append(device.launch(number, rows[cells], columns[cells]))
                    position, number = position + size, number + 1
                batch = under_way.popleft()
                results, began, ended = device.finish(batch)
                self.timing.busy += max(0.0, ended - max(began, busy_until))
                busy_until = max(busy_until, ended)
                if self.batch is None:
                    size = _next_size(len(results), ended - began, device.games)
                yield Block(batch.rows, batch.columns, results)
        finally:
            device.wait()


def why_not_cuda() -> str | None:
    """Return what keeps games from being played on a CUDA device; None if nothing does."""
    try:
        from numba import cuda
        from numba.cuda.cudadrv.error import CudaSupportError
    except ImportError as error:
        return f"CUDA needs the extra seedfolio[gpu] ({error})"
    try:
        cuda.current_context()
    except CudaSupportError as error:
        reason = next((line for line in str(error).splitlines() if line.strip()), "no driver")
        return f"there is no CUDA device to play on ({reason.strip().rstrip(':')})"
    return None


@dataclass(frozen=True)
class _Batch:
    rows: NDArray[np.uint64]
    columns: NDArray[np.uint64]
    arrays: tuple[Any, ...]
    """What the kernel reads and writes besides: kept from being freed."""
    results: Any
    began: Any
    ended: Any


@dataclass(frozen=True)
class _Slot:
    """Where one batch at a time is played."""

    stream: Any
    work: Any


class _Device:
    """One program on the current device, with its kernel and scratch space."""

    def __init__(self, program: Program, cells: int, threads: int | None) -> None:
        from numba import cuda

        from seedfolio.arena.cuda_kernel import kernel_of
        from seedfolio.core.cuda_twins import SIMULATED, WARP

        self._cuda: Any = cuda
        self._program = program
        self._kernel: Any = kernel_of(program)
        self._copying = cuda.stream()
        self._origin = cuda.event()
        self._origin.record(self._copying)
        bound = program.bound
        knobs = bound.knobs.copy()
        self._lanes = 1
        if bound.lanes_knob is not None and not SIMULATED:
            self._lanes = knobs[bound.lanes_knob] = _LANES
        self._knobs = cuda.to_device(knobs)
        largest = max(bound.largest, len(program.game.rules.move_names))
        kind = np.int16 if largest <= _LARGEST_SHORT else np.int32
        size = bound.workspace * np.dtype(kind).itemsize
        wanted = threads or (WARP if SIMULATED else self._most_threads(size))
        # Whole warps, so that all lanes of a game exist.
        warps = -(-min(wanted, cells * self._lanes) // WARP)
        self._threads = warps * WARP
        self._slots = [
            _Slot(cuda.stream(), self._allocate(bound.workspace, self._threads, kind))
            for _ in range(_IN_FLIGHT)
        ]

    @property
    def games(self) -> int:
        """How many games a batch has under way at once."""
        return self._threads // self._lanes

    def launch(self, number: int, rows: NDArray[np.uint64], columns: NDArray[np.uint64]) -> _Batch:
        """Start on the cells of batch `number`; return at once."""
        cuda, slot = self._cuda, self._slots[number % _IN_FLIGHT]
        stream = slot.stream
        inputs = (cuda.to_device(rows, stream=stream), cuda.to_device(columns, stream=stream))
        counter = cuda.to_device(np.zeros(1, np.int64), stream=stream)
        results = cuda.device_array(len(rows), np.uint8, stream=stream)
        histories = cuda.device_array(len(rows), np.uint64, stream=stream)
        began, ended = cuda.event(), cuda.event()
        began.record(stream)
        self._kernel[-(-self._threads // _BLOCK), min(_BLOCK, self._threads), stream](
            *inputs,
            self._program.repeats,
            self._knobs,
            self._lanes,
            slot.work,
            counter,
            results,
            histories,
        )
        ended.record(stream)
        return _Batch(rows, columns, (*inputs, counter, histories), results, began, ended)

    def finish(self, batch: _Batch) -> tuple[NDArray[np.uint8], float, float]:
        """Wait for a batch; return its results and the seconds when it began and ended."""
        batch.ended.synchronize()
        results: NDArray[np.uint8] = batch.results.copy_to_host(stream=self._copying)
        self._copying.synchronize()
        began, ended = (self._origin.elapsed_time(at) / 1000 for at in (batch.began, batch.ended))
        return results, began, ended

    def wait(self) -> None:
        """Wait until nothing is under way."""
        for slot in self._slots:
            slot.stream.synchronize()

    def _most_threads(self, size: int) -> int:
        """Return how many threads of `size` bytes each the device should have."""
        processors = self._cuda.get_current_device().MULTIPROCESSOR_COUNT
        free, _ = self._cuda.current_context().get_memory_info()
        room = int(free * _SHARE_OF_MEMORY) // (_IN_FLIGHT * size)
        return max(1, min(_THREADS_A_PROCESSOR * int(processors), room))

    def _allocate(self, size: int, threads: int, kind: type) -> Any:
        from numba.cuda.cudadrv.driver import CudaAPIError

        try:
            return self._cuda.device_array((size, threads), kind)
        except (CudaAPIError, MemoryError) as error:
            need = size * threads * np.dtype(kind).itemsize / 2**20
            raise SpecificationError(
                f"the CUDA device has no {need:.0f} MiB left for {threads} games of "
                f"{self._program.title}; {INSTEAD}"
            ) from error


def _next_size(cells: int, seconds: float, games: int) -> int:
    """Return the size of batch that should take about the right time, growing step by step."""
    fitting = int(cells * _BATCH_SECONDS / max(seconds, 1e-6))
    return max(games, min(fitting, 16 * cells, _LARGEST_BATCH))
