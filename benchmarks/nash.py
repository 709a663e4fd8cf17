"""The equilibrium of big matrices: Seedfolio's solver, and HiGHS given the whole matrix.

Run with `python -m benchmarks.nash`. Every number comes from a fresh process.
"""

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.optimize import linprog

from seedfolio.learning.equilibrium import solve

# P(row i beats column j) = sigmoid(a_i - b_j + w u_i.v_j / sqrt(20)): spread of a and b, and w.
KINDS = {"differ much": (1.0, 1.0), "hardly differ": (0.1, 0.1), "coin flips": (0.0, 0.0)}
ENOUGH = 2.0  # seconds; a measurement repeats until it has lasted that long

HEADER = """\
Nash equilibria of matrices of 0 and 1. Rows beat columns with probability
sigmoid(a - b + w u.v / sqrt(20)); u, v have 20 normal coordinates. The spread
of a and b, and w, are 1 where seeds "differ much", 0.1 where they "hardly
differ", 0 for coin flips. Seconds: wall time of one solution, the best of as
many as fit two seconds, in a fresh process. Gap: on the whole matrix. Peak:
resident memory of the process. HiGHS: scipy.optimize.linprog, whole matrix."""


@dataclass(frozen=True)
class Measured:
    seconds: float
    gap: float
    peak_mib: float


def results(rows: int, columns: int, kind: str) -> NDArray[np.uint8]:
    spread, weight = KINDS[kind]
    random = np.random.default_rng(1)
    strength = spread * (random.normal(size=(rows, 1)) - random.normal(size=(1, columns)))
    style = random.normal(size=(rows, 20)) @ random.normal(size=(20, columns)) / np.sqrt(20)
    chance = 1 / (1 + np.exp(-strength - weight * style))
    wins: NDArray[np.bool_] = random.random((rows, columns)) < chance
    return wins.astype(np.uint8)


def by_seedfolio(matrix: NDArray[np.uint8]) -> float:
    return solve(matrix).gap


def by_highs(matrix: NDArray[np.uint8]) -> float:
    rows, columns = matrix.shape
    payoff = matrix.astype(np.float64)
    answer = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-payoff.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    assert answer.x is not None, answer.message
    row, column = answer.x[:rows], -answer.ineqlin.marginals
    return float((payoff @ column).max() - (row @ payoff).min())


SOLVERS = {"seedfolio": by_seedfolio, "highs": by_highs}


def measure_here(solver: str, rows: int, columns: int, kind: str) -> Measured:
    matrix = results(rows, columns, kind)
    SOLVERS[solver](matrix[:3, :3])  # imports are not what is measured
    times: list[float] = []
    while sum(times) < ENOUGH:
        start = time.perf_counter()
        gap = SOLVERS[solver](matrix)
        times.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Measured(min(times), gap, peak / (2**20 if sys.platform == "darwin" else 2**10))


def measure(solver: str, rows: int, columns: int, kind: str) -> Measured:
    command = [sys.executable, "-m", "benchmarks.nash", solver, str(rows), str(columns), kind]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Measured(**json.loads(done.stdout))


def main() -> None:
    if len(sys.argv) == 5:
        solver, rows, columns, kind = sys.argv[1:]
        print(json.dumps(asdict(measure_here(solver, int(rows), int(columns), kind))))
        return
    print(HEADER)
    table = Table("seeds", "matrix", "Seedfolio s", "gap", "peak MiB", "HiGHS s", "ratio")
    for kind in KINDS:
        ours, highs = (measure(solver, 1000, 1000, kind) for solver in ("seedfolio", "highs"))
        big = measure("seedfolio", 9000, 900, kind)
        compared = f"{highs.seconds:.1f}", f"{highs.seconds / ours.seconds:.0f}"
        table.add_row(kind, "1000 x 1000", *cells(ours), *compared)
        table.add_row(kind, "9000 x 900", *cells(big), "", "")
    Console().print(table)


def cells(measured: Measured) -> tuple[str, str, str]:
    return f"{measured.seconds:.2f}", f"{measured.gap:.0e}", f"{measured.peak_mib:.0f}"


if __name__ == "__main__":
    main()
