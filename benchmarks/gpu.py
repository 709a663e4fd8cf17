"""Games a second on a CUDA device that is filled, the time of one game, and one core of the CPU.

Run with `python -m benchmarks.gpu`, on a machine with a device: `python -m benchmarks` leaves it
out. Names of games, as in `python -m benchmarks.gpu chess havannah`, leave out all others. Every
program is compiled and warmed up first.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from seedfolio.arena.cuda.arena import CudaArena, Timing, why_not_cuda
from seedfolio.arena.threads import ThreadArena
from seedfolio.games import BUILT_IN
from seedfolio.papers.board_experiment import BoardExperiment
from seedfolio.papers.run import EXPERIMENTS
from seedfolio.papers.seed_square import SeedSquare
from seedfolio.players.program import Program
from seedfolio.programs.built_in import load_built_in

SECONDS = 4.0
"""How long each side plays, about; the device longer if it is not filled by then."""
LONGEST = 60.0
"""No more cells are tried on the device if they would take longer than this."""
FIRST = 5_000
"""Cells of the first try on the device."""
MOST = 20_000_000
"""Cells of a try at most; they take memory on both sides."""
GROWTH, FILLED = 4, 1.1
"""The device is filled when GROWTH times the cells do not give FILLED times the games a second."""

HEADER = f"""\
Games a second on one CUDA device and on one core of this machine's CPU, the
same games, after compiling. The device has so many games that {GROWTH} times as many
play less than {FILLED:g} times as fast, or would take {LONGEST:g} s: then a + follows. One
game: the seconds of a game alone on the device, the best of three. A cell of a
game with luck is several games. Outside: share of the time in which the device
had nothing to do."""


@dataclass(frozen=True)
class Measured:
    games: int
    seconds: float
    busy: float
    """How long the device was at work; 0 for the CPU."""

    @property
    def rate(self) -> float:
        return self.games / self.seconds


def cells(number: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the cells of a matrix as square as can be."""
    side = int(number**0.5) + 1
    rows, columns = np.divmod(np.arange(number, dtype=np.uint64), np.uint64(side))
    return rows, columns


def measure(arena: CudaArena | ThreadArena, program: Program, number: int) -> Measured:
    rows, columns = cells(number)
    timing = arena.timing if isinstance(arena, CudaArena) else Timing()
    before = timing.busy
    began = time.perf_counter()
    for _ in arena.play(program, rows, columns):
        pass
    seconds = time.perf_counter() - began
    return Measured(number * program.repeats, seconds, timing.busy - before)


def measure_long(arena: CudaArena | ThreadArena, program: Program, first: int) -> Measured:
    """Measure with cells enough for the time."""
    number = first
    while True:
        measured = measure(arena, program, number)
        if measured.seconds >= SECONDS / 2 or number == MOST:
            return measured
        number = min(MOST, int(number * min(20.0, SECONDS / measured.seconds)) + 1)


def measure_filled(arena: CudaArena, program: Program) -> tuple[Measured, bool]:
    """Measure with cells enough to fill the device; return also whether that many were tried."""
    best = measure_long(arena, program, FIRST)
    number = best.games // program.repeats
    while number < MOST:
        number = min(MOST, GROWTH * number)
        if number * program.repeats / best.rate > LONGEST:
            return best, False
        measured = measure(arena, program, number)
        if measured.rate < FILLED * best.rate:
            return max(best, measured, key=lambda each: each.rate), True
        best = measured
    return best, False


def programs() -> list[Program]:
    """Return what is measured: every game and board of the papers, and other built-in games."""
    papers: list[tuple[str, str | None]] = []
    for each in EXPERIMENTS.values():
        if isinstance(each, BoardExperiment):
            papers += [(game, each.player) for game in each.paper]
        elif isinstance(each, SeedSquare):
            papers += [(each.game, player) for player in each.players]
    named = {game.partition(":")[0] for game, _ in papers}
    others = [(game, None) for game in BUILT_IN if game not in named]
    return [load_built_in(game, player) for game, player in [*papers, *others]]


def main(games: Sequence[str] = ()) -> bool:
    """Print the table, or why there is none; nothing is required. No names: all games."""
    if (problem := why_not_cuda()) is not None:
        print(f"benchmarks.gpu measures nothing here: {problem}")
        return True
    from numba import cuda

    print(HEADER)
    name = cuda.get_current_device().name
    print(f"device: {name.decode() if isinstance(name, bytes) else name}")
    table = Table("game", "player")
    for heading in ("GPU games / s", "one game", "core games / s", "ratio", "outside"):
        table.add_column(heading, justify="right")
    for program in programs():
        if games and program.game.name not in games:
            continue
        arena = CudaArena()
        measure(arena, program, 1)  # compiles
        alone = min(measure(arena, program, 1).seconds for _ in range(3)) / program.repeats
        gpu, filled = measure_filled(arena, program)
        outside = 1 - gpu.busy / gpu.seconds
        cores = ThreadArena(1)
        measure(cores, program, 1)
        core = measure_long(cores, program, 10)
        table.add_row(
            program.game.title,
            program.player.text,
            f"{gpu.rate:,.0f}{'' if filled else '+'}",
            f"{alone:.3g} s",
            f"{core.rate:,.1f}",
            f"{gpu.rate / core.rate:,.0f}",
            f"{outside:.0%}",
        )
    Console().print(table)
    return True


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
