"""A tournament of 30 engines in a PGN file of 10,000 games: read, learnt and shown.

Run with `python -m benchmarks.tournament [GAMES]`. The file has moves with comments, as fastchess
writes them. Required: 10 s on two cores, for the whole command in a fresh process.
"""

import resource
import subprocess
import sys
import tempfile
import time
from itertools import permutations
from pathlib import Path

import numpy as np

ENGINES = 30
REQUIRED = 10.0
ROUNDS = 3
_MOVES = " ".join(f"{k}. Nf3 {{+0.25/12 0.512s}} Nf6 {{-0.18/11 0.498s}}" for k in range(1, 61))


def write_tournament(path: Path, games: int) -> None:
    """Write games of engines whose strengths differ, every pair equally often."""
    random = np.random.default_rng(1)
    strength = random.normal(0, 120, ENGINES)
    pairs = [*permutations(range(ENGINES), 2)]
    with path.open("w") as file:
        for number in range(games):
            white, black = pairs[number % len(pairs)]
            wins = 1 / (1 + 10 ** ((strength[black] - strength[white] - 30) / 400))
            decided = "1-0" if random.random() < wins else "0-1"
            result = "1/2-1/2" if random.random() < 0.35 else decided
            file.write(
                f'[Event "T"]\n[Round "{number + 1}"]\n[White "Engine {white}"]\n'
                f'[Black "Engine {black}"]\n[Result "{result}"]\n\n{_MOVES} {result}\n\n'
            )


def main(games: int = 10_000) -> bool:
    """Print the times; return whether the requirement is met."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        write_tournament(path, games)
        size = path.stat().st_size / 2**20
        taken = []
        for _ in range(ROUNDS):
            before = time.perf_counter()
            command = [sys.executable, "-m", "seedfolio", "learn", str(path)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            taken.append(time.perf_counter() - before)
    met = min(taken) <= REQUIRED
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = (used.ru_utime + used.ru_stime) / ROUNDS
    print(
        f"{games:,} games of {ENGINES} engines, {size:.0f} MiB of PGN: read, learnt by every "
        f"learner and shown in {min(taken):.1f} s (best of {ROUNDS}; required {REQUIRED:.0f}), "
        f"with {processor:.1f} s of a core: {'met' if met else 'missed'}"
    )
    return met


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
