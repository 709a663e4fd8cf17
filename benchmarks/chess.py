"""Chess: move generation beside Stockfish's, simulations a second, games beside OpenSpiel's.

Run with `python -m benchmarks.chess`; it takes one core and about two minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO, Any

import pyspiel
from rich.console import Console
from rich.table import Table

from benchmarks.noise import Interval, coloured, judge, median_interval
from seedfolio.games import load_game
from seedfolio.games.chess.position import perft
from seedfolio.players import load_player
from seedfolio.players.program import Program

FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEPTH, LINES = 5, 193_690_690
ROUNDS = 6
REQUIRED_PERFT, REQUIRED_SIMULATIONS, REQUIRED_GAMES = 0.2, 200_000, 20
EVALUATING = "uct:simulations=1000,leaf=evaluation"
FEW = 2
"""Simulations a move in games beside OpenSpiel's, whose random games of chess are slow."""
SLICE = 3.0
"""CPU seconds of a round of simulations or of games."""

HEADER = f"""\
Chess on one core, CPU time, both sides of a ratio in turn. Perft: all lines of {DEPTH} moves from
a position with {LINES:,} of them, beside Stockfish's `go perft`, the last move counted by both.
Simulations: {EVALUATING} in games against itself. Games:
uct:simulations={FEW} with random playouts, beside OpenSpiel's C++ MCTSBot with
RandomRolloutEvaluator(1), whole games. The middle of {ROUNDS} rounds with its 95% interval; a
requirement within the interval is unclear, and not missed."""


def cpu_seconds(process: int) -> float:
    """Return the CPU time of a running process, all threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def stockfish() -> Any:
    """Lend a function that counts lines by Stockfish and returns them a second."""
    found = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if found is None:
        raise SystemExit("the benchmark of chess needs Stockfish: apt-get install stockfish")
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([found], bufsize=1, **pipes) as engine:
        said: IO[str] = engine.stdout
        ask: IO[str] = engine.stdin

        def until(word: str) -> str:
            while word not in (line := said.readline()):
                assert line, "Stockfish is gone"
            return line

        def lines_a_second() -> float:
            ask.write(f"position fen {FEN}\nisready\n")
            until("readyok")
            start = cpu_seconds(engine.pid)
            ask.write(f"go perft {DEPTH}\n")
            assert int(until("Nodes searched").split(":")[1]) == LINES
            return LINES / (cpu_seconds(engine.pid) - start)

        yield lines_a_second
        ask.write("quit\n")


def our_lines_a_second() -> float:
    start = time.process_time()
    assert perft(DEPTH, FEN) == LINES
    return LINES / (time.process_time() - start)


def compare_perft() -> tuple[float, float, Interval]:
    perft(2, FEN)  # compile first
    ours, theirs = [], []
    with stockfish() as lines_a_second:
        lines_a_second()
        for _ in range(ROUNDS):
            ours.append(our_lines_a_second())
            theirs.append(lines_a_second())
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return sum(ours) / ROUNDS, sum(theirs) / ROUNDS, median_interval(ratios)


def plies_of_games(player: str) -> Callable[[], int]:
    """Return a function that plays the next game and returns the number of its moves."""
    program = Program(load_game("chess"), load_player(player))
    program.play_line((0, 1), 0)  # compile first
    seeds = count(2, 2)

    def play_one() -> int:
        seed = next(seeds)
        return len(program.play_line((seed, seed + 1), 0)[0])

    return play_one


def plies_of_openspiel() -> Callable[[], int]:
    game, seeds = pyspiel.load_game("chess"), count(1)

    def bot() -> pyspiel.MCTSBot:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, evaluator, 1.4, FEW, 1000, False, seed, False)

    def play_one() -> int:
        bots, state, plies = (bot(), bot()), game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
            plies += 1
        return plies

    return play_one


def rates(play_one: Callable[[], int]) -> tuple[float, float]:
    """Return games and moves a second, of whole games for at least a slice of time."""
    start, games, plies = time.process_time(), 0, 0
    while (spent := time.process_time() - start) < SLICE:
        games, plies = games + 1, plies + play_one()
    return games / spent, plies / spent


def simulations_a_second() -> Interval:
    play_one = plies_of_games(EVALUATING)
    return median_interval([1000 * rates(play_one)[1] for _ in range(ROUNDS)])


def compare_games() -> tuple[float, float, Interval]:
    ours, theirs = plies_of_games(f"uct:simulations={FEW}"), plies_of_openspiel()
    pairs = [(rates(ours)[0], rates(theirs)[0]) for _ in range(ROUNDS)]
    means = [sum(side) / ROUNDS for side in zip(*pairs, strict=True)]
    return means[0], means[1], median_interval([one / other for one, other in pairs])


def main() -> bool:
    """Print the table; return whether nothing required is missed."""
    print(HEADER)
    table = Table("chess")
    for heading in ("Seedfolio", "other", "ratio", "95% interval", "required"):
        table.add_column(heading, justify="right")
    verdicts = []
    for name, found, required in (
        ("perft, lines / s (Stockfish)", compare_perft(), REQUIRED_PERFT),
        ("games / s (OpenSpiel)", compare_games(), REQUIRED_GAMES),
    ):
        ours, theirs, ratio = found
        verdicts.append(judge(ratio, at_least=required))
        sides = f"{ours:,.4g}", f"{theirs:,.4g}"
        spread = f"{ratio.low:.3g} to {ratio.high:.3g}"
        asked = f"{required}, {coloured(verdicts[-1])}"
        table.add_row(name, *sides, f"{ratio.middle:.3g}", spread, asked)
    speed = simulations_a_second()
    verdicts.append(judge(speed, at_least=REQUIRED_SIMULATIONS))
    spread = f"{speed.low:,.0f} to {speed.high:,.0f}"
    asked = f"{REQUIRED_SIMULATIONS:,}, {coloured(verdicts[-1])}"
    table.add_row("simulations / s", f"{speed.middle:,.0f}", "", "", spread, asked)
    Console().print(table)
    return "missed" not in verdicts


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
