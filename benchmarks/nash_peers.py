"""`nash(matrix)` beside nashpy, scipy's HiGHS and OpenSpiel's lp_solver, on 20 matrices.

Run with `python -m benchmarks.nash_peers [SECONDS]`. Peers that are not installed are left out
(`pip install nashpy`; OpenSpiel's solver needs cvxpy and ecos). Each solution has a fresh process
and at most SECONDS, 60 by default.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.nash import by_highs, results
from seedfolio import nash

Matrix = NDArray[np.float64]
SAME = 1e-6
"""Of the range of the payoffs: values of two solvers that differ by less are equal."""
REPEATS = 3
ENOUGH = 1.0

HEADER = """\
Value of matrix games: seedfolio.nash beside nashpy (linear_program), scipy's
HiGHS (linprog) and OpenSpiel's lp_solver (cvxpy and ECOS). Seconds: wall time
of one solution, the best of up to three, in a fresh process, imports left out.
Ratio: the peer's time divided by ours; `>` where it did not end in time,
`fails` where it raises, `differs` where its value is another one. Gap: what
our certificate leaves open, so that the value is known where no peer ends."""


def matrices() -> dict[str, Callable[[], Matrix]]:
    """Return what makes each matrix, by its name."""
    seeds = count(1)

    def normal(rows: int, columns: int) -> Callable[[], Matrix]:
        seed = next(seeds)
        return lambda: np.random.default_rng(seed).normal(size=(rows, columns))

    def whole(rows: int, columns: int, most: int) -> Callable[[], Matrix]:
        seed = next(seeds)
        shape = rows, columns
        return lambda: np.random.default_rng(seed).integers(-most, most + 1, shape).astype(float)

    def won(rows: int, columns: int, kind: str) -> Callable[[], Matrix]:
        return lambda: results(rows, columns, kind).astype(np.float64)

    def low_rank(size: int) -> Matrix:
        random = np.random.default_rng(next(seeds))
        return random.normal(size=(size, 2)) @ random.normal(size=(2, size))

    def symmetric(size: int) -> Matrix:
        other = np.random.default_rng(5).normal(size=(size, size))
        return other - other.T

    def scaled(size: int) -> Matrix:
        random = np.random.default_rng(6)
        return random.normal(size=(size, size)) * 10.0 ** random.integers(-6, 7, (size, 1))

    return {
        "rock, paper, scissors 3x3": lambda: np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float),
        "integers 3x3": whole(3, 3, 5),
        "equal rows and columns 8x8": lambda: np.kron([[1.0, -1], [-2, 3]], np.ones((4, 4))),
        "saddle point 10x10": lambda: np.subtract.outer(np.arange(10.0), np.arange(10.0)),
        "Hilbert 12x12": lambda: 1 / np.add.outer(np.arange(1.0, 13), np.arange(12.0)),
        "integers 20x20": whole(20, 20, 2),
        "normal 30x30": normal(30, 30),
        "rows from 1e-6 to 1e6, 40x40": lambda: scaled(40),
        "normal 2x1000": normal(2, 1000),
        "normal 1000x2": normal(1000, 2),
        "integers 100x100": whole(100, 100, 1),
        "symmetric 100x100": lambda: symmetric(100),
        "rank two 100x100": lambda: low_rank(100),
        "normal 100x300": normal(100, 300),
        "differ much 300x300": won(300, 300, "differ much"),
        "coin flips 300x300": won(300, 300, "coin flips"),
        "normal 1000x1000": normal(1000, 1000),
        "hardly differ 1000x1000": won(1000, 1000, "hardly differ"),
        "coin flips 3000x300": won(3000, 300, "coin flips"),
        "differ much 3000x3000": won(3000, 3000, "differ much"),
    }


def by_seedfolio(matrix: Matrix) -> tuple[float, float]:
    found = nash(matrix)
    return found.value, found.upper - found.lower


def by_scipy(matrix: Matrix) -> tuple[float, float]:
    lower, upper = by_highs(matrix)
    return lower, upper - lower


def by_nashpy(matrix: Matrix) -> tuple[float, float]:
    import nashpy

    row, column = nashpy.Game(matrix).linear_program()
    return float(row @ matrix @ column), float((matrix @ column).max() - (row @ matrix).min())


def by_open_spiel(matrix: Matrix) -> tuple[float, float]:
    import pyspiel
    from open_spiel.python.algorithms import lp_solver

    game = pyspiel.create_matrix_game(matrix, -matrix)
    row, column, value, _ = lp_solver.solve_zero_sum_matrix_game(game)
    return float(value), float((matrix @ column.ravel()).max() - (row.ravel() @ matrix).min())


SOLVERS = {
    "seedfolio": by_seedfolio,
    "HiGHS": by_scipy,
    "nashpy": by_nashpy,
    "OpenSpiel": by_open_spiel,
}


def measure_here(solver: str, name: str) -> dict[str, float | str]:
    """Solve a matrix in this process; return seconds and value, or what is wrong."""
    solve = SOLVERS[solver]
    try:
        solve(np.eye(3))  # imports are not what is measured
    except ImportError:
        return {"problem": "missing"}
    matrix = matrices()[name]()
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < ENOUGH:
        before = time.perf_counter()
        try:
            value, gap = solve(matrix)
        except Exception:  # peers raise all kinds
            return {"problem": "fails"}
        times.append(time.perf_counter() - before)
    return {"seconds": min(times), "value": value, "gap": gap}


def measure(solver: str, name: str, limit: float) -> dict[str, float | str]:
    command = [sys.executable, "-m", "benchmarks.nash_peers", solver, name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit + 5)
        return dict(json.loads(done.stdout.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        return {"problem": "slow"}
    except (IndexError, ValueError):  # its process has crashed
        return {"problem": "fails"}


def compared(name: str, peer: str, ours: dict[str, float | str], limit: float) -> tuple[str, bool]:
    """Return the cell of a peer, and whether its value is ours, as far as it has one."""
    found = measure(peer, name, limit)
    problem = found.get("problem")
    if problem == "slow":
        return f"> {limit / float(ours['seconds']):.0f}", True
    if problem is not None:
        return {"missing": "-"}.get(str(problem), str(problem)), True
    span = float(np.ptp(matrices()[name]()))
    ratio = float(found["seconds"]) / float(ours["seconds"])
    if abs(float(found["value"]) - float(ours["value"])) > SAME * span:
        return f"{ratio:.1f}, differs", False
    return f"{ratio:.1f}", True


def main(limit: float = 60.0) -> bool:
    """Print the table; return whether every value that HiGHS finds is ours."""
    print(HEADER)
    peers = [name for name in SOLVERS if name != "seedfolio"]
    table = Table("matrix", "value", "gap", "s", *(f"{peer}, ratio" for peer in peers))
    good = True
    for name in matrices():
        ours = measure("seedfolio", name, limit)
        if "problem" in ours:
            table.add_row(name, str(ours["problem"]))
            good = False
            continue
        cells = []
        for peer in peers:
            cell, same = compared(name, peer, ours, limit)
            cells.append(cell)
            good &= same or peer != "HiGHS"
        value = f"{round(float(ours['value']), 12) + 0.0:.6g}"
        table.add_row(name, value, f"{ours['gap']:.0e}", f"{ours['seconds']:.4f}", *cells)
    Console().print(table)
    return good


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure_here(*sys.argv[1:])))
    else:
        sys.exit(0 if main(*map(float, sys.argv[1:])) else 1)
