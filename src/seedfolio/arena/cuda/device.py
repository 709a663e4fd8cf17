"""One program on a CUDA device: its kernel, memory and streams, and what can go wrong there.

Importing this module needs numba-cuda, the extra `gpu`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda.cudadrv.driver import CudaAPIError
from numpy.typing import NDArray

from seedfolio.arena.cuda.kernel import NOTHING, kernel_of
from seedfolio.core.cuda_twins import SIMULATED, WARP
from seedfolio.errors import CudaError
from seedfolio.players.program import Program

IN_FLIGHT = 2
"""The number of batches that run at once."""

# By measurement (docs/notes/gpu.md): with more threads, their trees do not fit into the cache.
_THREADS_A_PROCESSOR = 512
_LANES_A_PROCESSOR = 1536
_WARPS_A_PROCESSOR = 8
"""For games in rows."""
_FEW = 8
"""As few games for each of these warps are played in rows."""
_LARGE = 2**15
"""Games with more bytes of scratch space are always played in rows."""
_SHARE_OF_MEMORY = 0.8
_LANES = 32
"""Lanes that share a game, for players that can share their work."""
_LARGEST_SHORT = 2**15 - 1
_UNPLAYED = 255
"""More half points than a cell can have."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Running cells, with all arrays of the kernel on the device."""

    rows: NDArray[np.uint64]
    columns: NDArray[np.uint64]
    inputs: tuple[Any, ...]
    """Kept from being freed."""
    under_way: Any
    results: Any
    histories: Any
    """For each cell a hash of its moves."""
    left: Any
    """With books: where each colour left them."""
    began: Any
    ended: Any


@dataclass(frozen=True)
class _Slot:
    """Stream and scratch space of one batch at a time."""

    stream: Any
    work: Any


class Device:
    """One program on the current device, with its kernel and scratch space."""

    def __init__(self, program: Program, cells: int, threads: int | None) -> None:
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
        self._book = cuda.to_device(program.book_words)
        kind = work_kind(program)
        size = bound.workspace * np.dtype(kind).itemsize
        self._warps, most = _most(size, self._lanes)
        if threads is not None:
            self._warps, most = -(-threads // WARP), threads
        self._threads = min(cells * self._lanes, most)
        few = size > _LARGE or self._threads <= _FEW * self._warps
        self._rows = few and self._lanes == 1
        warps, playing = self._spread(cells)
        self._threads = warps * playing
        self._slots = [_Slot(cuda.stream(), self._scratch(kind)) for _ in range(IN_FLIGHT)]

    @property
    def games(self) -> int:
        """How many games of a batch run at once."""
        return self._threads // self._lanes

    def _spread(self, cells: int) -> tuple[int, int]:
        """Return how many warps play `cells`, and how many threads of each.

        Threads of a warp that go different ways wait for each other: so few games are spread over
        many warps.
        """
        threads = min(cells * self._lanes, self._threads)
        playing = min(-(-threads // self._warps), WARP) if self._rows else WARP
        return -(-threads // playing), playing

    def launch(self, number: int, rows: NDArray[np.uint64], columns: NDArray[np.uint64]) -> Batch:
        """Start on the cells of batch `number`; return at once."""
        slot = self._slots[number % IN_FLIGHT]
        stream = slot.stream
        with self._explained_failures():
            # Copies: one cell counts as contiguous whatever its stride, and CUDA minds the stride.
            sides = [np.array(side, order="C") for side in (rows, columns)]
            inputs = tuple(cuda.to_device(side, stream=stream) for side in sides)
            counter = cuda.to_device(np.zeros(1, np.int64), stream=stream)
            warps, playing = self._spread(len(rows))
            size = self._program.bound.workspace
            shape = (warps * playing, size) if self._rows else (warps, size, WARP)
            work = slot.work[: warps * playing * size].reshape(shape)
            nothing = np.full(warps * WARP, NOTHING, np.int64)
            under_way = cuda.to_device(nothing, stream=stream)
            unplayed = np.full(len(rows), _UNPLAYED, np.uint8)
            results = cuda.to_device(unplayed, stream=stream)
            histories = cuda.device_array(len(rows), np.uint64, stream=stream)
            # An array on the device needs at least one entry.
            noted = (len(rows), 2, 3) if self._program.books else (1, 2, 3)
            left = cuda.device_array(noted, np.uint64, stream=stream)
            began, ended = cuda.event(), cuda.event()
            began.record(stream)
            self._kernel[warps, WARP, stream](
                *inputs,
                self._program.repeats,
                self._knobs,
                self._book,
                self._lanes,
                playing,
                work,
                counter,
                under_way,
                results,
                histories,
                left,
            )
            ended.record(stream)
        return Batch(
            rows=rows,
            columns=columns,
            inputs=(*inputs, counter),
            under_way=under_way,
            results=results,
            histories=histories,
            left=left,
            began=began,
            ended=ended,
        )

    def finish(self, batch: Batch) -> tuple[NDArray[np.uint8], float, float]:
        """Wait for a batch; return its results and the seconds when it began and ended.

        SpecificationError, naming the game, if the rules raise an error.
        """
        with self._explained_failures():
            batch.ended.synchronize()
            results: NDArray[np.uint8] = batch.results.copy_to_host(stream=self._copying)
            under_way = batch.under_way.copy_to_host(stream=self._copying)
            self._copying.synchronize()
            events = batch.began, batch.ended
            began, ended = (self._origin.elapsed_time(at) / 1000 for at in events)
        check_finished(self._program, batch.rows, batch.columns, under_way)
        if _UNPLAYED in results:
            raise CudaError(f"the CUDA device does not finish games of {self._program.title}")
        return results, began, ended

    def left(self, batch: Batch) -> NDArray[np.uint64] | None:
        """Return where each colour left its book in a finished batch; None without books.

        CudaError if the device fails.
        """
        if self._program.books is None:
            return None
        with self._explained_failures():
            left: NDArray[np.uint64] = batch.left.copy_to_host(stream=self._copying)
            self._copying.synchronize()
        return left

    def wait(self) -> None:
        """Wait until all batches have ended."""
        with suppress(CudaAPIError):  # an earlier call has reported the failure
            for slot in self._slots:
                slot.stream.synchronize()

    def _scratch(self, kind: type[np.signedinteger[Any]]) -> Any:
        """Return scratch space for as many threads as play at once."""
        size = self._program.bound.workspace * self._threads
        try:
            return cuda.device_array(size, kind)
        except (CudaAPIError, MemoryError) as error:
            need = size * np.dtype(kind).itemsize / 2**20
            raise CudaError(
                f"the CUDA device has no {need:,.0f} MiB left for {self.games:,} games of "
                f"{self._program.title}"
            ) from error

    @contextmanager
    def _explained_failures(self) -> Generator[None, None, None]:
        """Turn errors of the compiler or the device into one line."""
        try:
            yield
        except (CudaAPIError, MemoryError) as error:
            reason = " ".join(str(error).split())
            raise CudaError(f"the CUDA device fails at {self._program.title} ({reason})") from error
        except Exception as error:
            raise not_compiled(self._program, error) from error


def work_kind(program: Program) -> type[np.signedinteger[Any]]:
    """Return the smallest integer type for all values in the scratch space of a program."""
    largest = max(program.bound.largest, len(program.game.rules.move_names))
    return np.int16 if largest <= _LARGEST_SHORT else np.int32


def not_compiled(program: Program, error: Exception) -> CudaError:
    """Return the error for a program that numba-cuda does not compile."""
    from seedfolio.conformance.report import first_helpful_line

    reason = first_helpful_line(error)
    return CudaError(f"{program.title} does not compile for CUDA: {reason}")


def check_finished(
    program: Program,
    rows: NDArray[np.uint64],
    columns: NDArray[np.uint64],
    under_way: NDArray[np.int64],
) -> None:
    """Raise an error if a thread has an unfinished cell after the end of the kernel.

    On a device, rules that raise an error end their thread without a message. Playing the cell on
    the CPU raises the error itself.
    """
    left = under_way[under_way != NOTHING]
    if len(left) > 0:
        first = slice(int(left.min()), int(left.min()) + 1)
        program.play(rows[first], columns[first], program.workspace())
        raise CudaError(f"the CUDA device does not finish games of {program.title}")


def _most(size: int, lanes: int) -> tuple[int, int]:
    """Return the warps for games in rows, and the most threads, each with `size` bytes."""
    if SIMULATED:
        return 1, WARP
    processors = int(cuda.get_current_device().MULTIPROCESSOR_COUNT)
    fitting = _THREADS_A_PROCESSOR if lanes == 1 else _LANES_A_PROCESSOR
    free, _ = cuda.current_context().get_memory_info()
    room = int(free * _SHARE_OF_MEMORY) // (IN_FLIGHT * size)
    return _WARPS_A_PROCESSOR * processors, max(1, min(fitting * processors, room))
