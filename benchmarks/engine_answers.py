"""What remembering answers saves: a matrix of GNU Go 5x5, played with and without.

`python -m benchmarks.engine_answers 20` plays 20 seeds of each colour against each other twice,
with answers remembered and processes reused, and with neither, and compares every cell. With
`20 false`, answers are remembered without reusing processes.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from seedfolio.arena.processes import ProcessArena
from seedfolio.engines.play.answers import Answer
from seedfolio.engines.program import EngineProgram, load_engine_program
from seedfolio.engines.record import GameRecord

SPECIFICATION = """
[game]
name = "go"
board = 5
komi = 6.5
moves = 150

[player]
protocol = "gtp"
command = "gnugo --mode gtp --quiet --level 1 --chinese-rules --never-resign \
--monte-carlo --mc-games-per-level 400"
setup = ["set_random_seed {seed}"]
reuse = REUSE
"""


@dataclass
class Kept:
    """The games of an arena, in memory."""

    games: list[GameRecord] = field(default_factory=list)

    def answers(self):
        return iter(())

    def keep(self, games: list[GameRecord], answers: list[Answer]) -> None:
        self.games += games


def play(program: EngineProgram, arms: int, *, remember: bool, reuse: bool, games: int = 1):
    """Play a square matrix; return it, its games and the seconds."""
    kept = Kept()
    seeds = np.arange(arms, dtype=np.uint64)
    rows, columns = np.repeat(seeds, arms), np.tile(seeds, arms)
    matrix = np.full((arms, arms), 255, np.uint8)
    began = time.perf_counter()
    with ProcessArena(program, games=games, remember=remember, reuse=reuse, archive=kept) as arena:
        for block in arena.play(program, rows, columns):
            matrix[block.rows, block.columns] = block.results
    return matrix, kept.games, time.perf_counter() - began


def main(arms: int = 20, reuse: str = "true") -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "gnugo.toml"
        file.write_text(SPECIFICATION.replace("REUSE", reuse))
        program = load_engine_program(file)
        remembered, games, quick = play(program, arms, remember=True, reuse=True)
        plain, all_games, slow = play(program, arms, remember=False, reuse=False)
    asked = sum(game.asked for game in games)
    moves = sum(len(game.moves) for game in games)
    assert [game.moves for game in games] == [game.moves for game in all_games]
    print(f"{program.title}: {arms}x{arms} games, {len({g.moves for g in games})} different")
    print(f"cells that differ: {np.count_nonzero(remembered != plain)} of {plain.size}")
    print(f"engine moves: {asked:,} of {moves:,}; {100 * (1 - asked / moves):.1f}% saved")
    print(f"seconds, one game at a time: {quick:.0f} remembering, {slow:.0f} without")
    print(f"endings: {dict(Counter(game.ending.value for game in games))}")
    rows = plain.mean(axis=1) / 2
    print(f"Black: mean {rows.mean():.2f}, best seed {rows.max():.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:])
