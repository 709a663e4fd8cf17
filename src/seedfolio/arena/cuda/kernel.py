"""The kernel of the CUDA arena: the match of `players.program`, one game a thread or 32 lanes.

Nothing is implemented twice: numba-cuda compiles the same functions that numba compiles for the
CPU. Importing this module needs numba-cuda, the extra `gpu`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from numba import cuda, int64, uint32

from seedfolio.core.compiler import named_by_content
from seedfolio.core.cuda_twins import SIMULATED, TWINS, WARP, lanes_of_game, scratch
from seedfolio.core.lanes import lane
from seedfolio.players.program import Program

_MOST_REGISTERS = 96
"""By measurement (docs/notes/gpu.md): with more registers a thread, fewer threads fit."""
NOTHING = -1
"""The cell of a thread that plays none."""

# Filled in for each program.
play_cell: Any = None
note: Any = None


def play_template(
    rows: Any,
    columns: Any,
    repeats: Any,
    knobs: Any,
    book: Any,
    lanes: Any,
    playing: Any,
    work: Any,
    counter: Any,
    under_way: Any,
    results: Any,
    histories: Any,
    left: Any,
) -> None:
    """Play cells until none is left; the first `playing` threads of each warp play.

    `work` has a row for each of them, or for each warp a block with a column a thread. In a block
    the threads of a warp find the same number of theirs side by side: where they look at the same
    one, the memory serves them together.
    """
    thread = cuda.grid(1)
    warp, place = thread // WARP, thread % WARP
    if place < playing:
        workspace = scratch(work, warp * playing + place)
        while True:
            # The next cell that nobody plays yet, the same for all lanes of a game.
            cell = int64(0)
            if lane(lanes) == 0:
                cell = int64(cuda.atomic.add(counter, 0, 1))
            if lanes > 1:
                all_lanes = lanes_of_game(lanes)
                # Rules that raise an error end one lane: then the others must not go on alone.
                if uint32(cuda.ballot_sync(all_lanes, True)) != uint32(all_lanes):
                    break
                first = (cuda.laneid // lanes) * lanes
                cell = cuda.shfl_sync(all_lanes, cell, first)
            if cell >= len(rows):
                break
            # Stays there if the rules raise an error, which ends this thread.
            under_way[thread] = cell
            points, history, ours, theirs = play_cell(
                rows[cell], columns[cell], repeats, knobs, book, workspace
            )
            if lane(lanes) == 0:
                results[cell] = points
                histories[cell] = history
                note(ours, theirs, left, cell)
        under_way[thread] = NOTHING


def kernel_of(program: Program) -> Callable[..., Any]:
    """Return the kernel that plays cells of a program, cached on disk by its content."""
    if SIMULATED:
        return _kernel(*_for_simulator(program))
    return _kernel(program.play_cell, program.side["note"])


@lru_cache(maxsize=8)  # the same program is played again and again, a part of its matrix each time
def _kernel(play: Callable[..., Any], note: Callable[..., Any]) -> Callable[..., Any]:
    names = {"play_cell": play, "note": note}
    bound, cached = named_by_content(play_template, names, *TWINS.values())
    options = {} if SIMULATED else {"max_registers": _MOST_REGISTERS, "cache": cached}
    return cast(Callable[..., Any], cuda.jit(bound, **options))


def _for_simulator(program: Program) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return what the simulator's Python can call: the CPU's code, on plain arrays."""

    def play(row: Any, column: Any, repeats: Any, knobs: Any, book: Any, workspace: Any) -> Any:
        arrays = knobs._ary, book._ary, workspace._ary
        return program.play_cell(row, column, repeats, *arrays)

    def note(first: Any, second: Any, left: Any, cell: Any) -> None:
        # The sides of plain arms hold 64-bit seeds that Python hands on as signed numbers; only
        # those of books have anything to note.
        if program.books is not None:
            program.side["note"](first, second, left._ary, cell)

    return play, note
