"""The kernel of the CUDA arena: the match of `players.program`, one game a thread or a few lanes.

There is no second implementation of anything here: numba-cuda compiles the functions that numba
compiles for the CPU. Importing this module needs numba-cuda, the extra `gpu`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from numba import cuda, int32, int64, uint32
from numba.core import config

from seedfolio.core.compiling import named_by_content
from seedfolio.core.lanes import lane, together
from seedfolio.players.program import Program

WARP = 32
_ALL = uint32(0xFFFFFFFF)

SIMULATED = bool(config.ENABLE_CUDASIM)
"""Whether kernels run in numba's simulator of CUDA, in plain Python; there a game has one lane."""

play_cell: Any = None  # filled in for each program


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _group(lanes: Any) -> Any:
    """Return the mask of the lanes that play this thread's game."""
    first = (cuda.laneid // lanes) * lanes
    return (_ALL >> uint32(WARP - lanes)) << uint32(first)


def _lane_on_gpu(lanes: Any) -> Any:
    def among(lanes: Any) -> Any:
        return int64(cuda.laneid) % lanes

    return among


def _together_on_gpu(value: Any, lanes: Any) -> Any:
    def summed(value: Any, lanes: Any) -> Any:
        total = int32(value)
        mask = _group(lanes)
        distance = 1
        while distance < lanes:
            total += cuda.shfl_xor_sync(mask, total, distance)
            distance *= 2
        return int64(total)

    return summed


if not SIMULATED:
    from numba.cuda.extending import overload

    overload(lane)(_lane_on_gpu)
    overload(together)(_together_on_gpu)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _next_cell(counter: Any, lanes: Any) -> Any:
    """Return the next cell that nobody plays yet, the same for all lanes of a game."""
    cell = int64(0)
    if lane(lanes) == 0:
        cell = int64(cuda.atomic.add(counter, 0, 1))
    if lanes > 1:
        first = (cuda.laneid // lanes) * lanes
        cell = cuda.shfl_sync(_group(lanes), cell, first)
    return cell


def _play_template(
    rows: Any,
    columns: Any,
    repeats: Any,
    knobs: Any,
    lanes: Any,
    work: Any,
    counter: Any,
    results: Any,
    histories: Any,
) -> None:
    """Play cells until none is left. `work` has a column of scratch space for each thread.

    Neighbouring threads find the same number of theirs side by side: most of the time they look
    at the same one, and the memory serves them together.
    """
    thread = cuda.grid(1)
    if thread < work.shape[1]:
        workspace = work[:, thread]
        while True:
            cell = _next_cell(counter, lanes)
            if cell >= len(rows):
                break
            points, history = play_cell(rows[cell], columns[cell], repeats, knobs, workspace)
            if lane(lanes) == 0:
                results[cell] = points
                histories[cell] = history


def kernel_of(program: Program) -> Callable[..., Any]:
    """Return the kernel that plays cells of a program, cached on disk by its content."""
    play = _for_simulator(program) if SIMULATED else program.play_cell
    bound, cached = named_by_content(_play_template, {"play_cell": play})
    return cast(Callable[..., Any], cuda.jit(bound, cache=cached and not SIMULATED))


def _for_simulator(program: Program) -> Callable[..., Any]:
    """Return the match as the simulator's Python can call it: the CPU's code, on plain arrays."""

    def play(row: Any, column: Any, repeats: Any, knobs: Any, workspace: Any) -> Any:
        return program.play_cell(row, column, repeats, knobs._ary, workspace._ary)

    return play
