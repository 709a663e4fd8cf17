"""UCT on Breakthrough 6x6: Seedfolio's, and OpenSpiel's MCTSBot written in C++.

Run with `python -m benchmarks.openspiel`; it takes one core and under two minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import numpy as np
import pyspiel
from rich.console import Console
from rich.table import Table

from benchmarks.noise import coloured, judge, median_interval
from seedfolio.games import load_game
from seedfolio.players.program import Program
from seedfolio.players.uct import Uct

REQUIRED = {100: 25, 1000: 20}
"""By simulations a move: how many times OpenSpiel's games a second are asked of us."""
ROUNDS = 6
SLICE = 2.5
"""Seconds that each side plays before the other has its turn, so that noise hits both alike."""
SAMPLE = {100: 400, 1000: 100}
"""By simulations a move: how many games of ours are played again to count their plies."""

HEADER = f"""\
Breakthrough 6x6, UCT against itself: exploration constant 1.4, one random
playout a simulation, a new tree for every move. OpenSpiel: its C++ MCTSBot with
RandomRolloutEvaluator(1) and solve=False. CPU time on one core, both in this
process, in turn for {SLICE} s each. The ratio is the median of {ROUNDS} rounds with its
95% interval; a requirement within the interval is unclear, and not missed. Games
differ in length, so the ratio is given by simulations as well."""


@dataclass
class Tally:
    games: int = 0
    plies: int = 0
    seconds: float = 0.0

    def play(self, slice_of_games: Callable[[], tuple[int, int]]) -> None:
        """Play for one slice of time; `slice_of_games` returns games and plies."""
        start = time.process_time()
        end = start + SLICE
        while time.process_time() < end:
            games, plies = slice_of_games()
            self.games += games
            self.plies += plies
        self.seconds += time.process_time() - start

    def add(self, other: Tally) -> None:
        """Count the games of another tally, too."""
        self.games += other.games
        self.plies += other.plies
        self.seconds += other.seconds

    @property
    def rate(self) -> float:
        return self.games / self.seconds


def by_seedfolio(program: Program, batch: int) -> Callable[[], tuple[int, int]]:
    workspace = program.workspace()
    numbers = count()

    def play_batch() -> tuple[int, int]:
        first = 2 * batch * next(numbers)
        rows, columns = np.arange(first, first + 2 * batch, dtype=np.uint64).reshape(2, -1)
        program.play(rows, columns, workspace)
        return batch, 0  # the plies are counted afterwards

    program.play(np.zeros(1, np.uint64), np.zeros(1, np.uint64), workspace)  # compile first
    return play_batch


def by_openspiel(simulations: int) -> Callable[[], tuple[int, int]]:
    game = pyspiel.load_game("breakthrough(rows=6,columns=6)")
    seeds = count(1)

    def bot() -> pyspiel.MCTSBot:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, seed, False)

    def play_one() -> tuple[int, int]:
        bots = bot(), bot()
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
            plies += 1
        return 1, plies

    return play_one


def plies_a_game(program: Program, games: int) -> float:
    """Return the mean length of the games between seeds 2k and 2k + 1, move by move."""
    workspace = program.workspace()
    total = 0
    for k in range(games):
        history: list[int] = []
        while program.game.position(history).moves:
            seed = 2 * k + len(history) % 2
            history.append(program.choose(history, seed, workspace=workspace))
        total += len(history)
    return total / games


def compare(simulations: int, table: Table) -> bool:
    """Measure both, add them to the table, and tell whether the required ratio is not missed."""
    program = Program(load_game("breakthrough:6x6"), Uct(simulations))
    ours, theirs, ratios = Tally(), Tally(), []
    play_ours = by_seedfolio(program, batch=max(1, 10_000 // simulations))
    play_theirs = by_openspiel(simulations)
    for _ in range(ROUNDS):
        one, other = Tally(), Tally()
        one.play(play_ours)
        other.play(play_theirs)
        ratios.append(one.rate / other.rate)
        ours.add(one)
        theirs.add(other)
    ratio, required = median_interval(ratios), REQUIRED[simulations]
    verdict = judge(ratio, at_least=required)
    spread = f"{ratio.low:.1f} to {ratio.high:.1f}"
    plies = plies_a_game(program, SAMPLE[simulations]), theirs.plies / theirs.games
    speeds = ours.rate * plies[0] * simulations, theirs.rate * plies[1] * simulations
    games = f"{ours.rate:.1f}", f"{theirs.rate:.1f}"
    asked = f"{required}, {coloured(verdict)}"
    row = (*games, f"{ratio.middle:.1f}", spread, asked)
    table.add_row(str(simulations), "games / s", *row)
    table.add_row("", "plies / game", *(f"{value:.1f}" for value in plies))
    table.add_row(
        "",
        "simulations / s",
        *(f"{speed:,.0f}" for speed in speeds),
        f"{speeds[0] / speeds[1]:.1f}",
        end_section=True,
    )
    return verdict != "missed"


def main() -> bool:
    """Print the table; return whether no required ratio is missed."""
    print(HEADER)
    table = Table("simulations", "")
    for heading in ("Seedfolio", "OpenSpiel", "ratio", "95% interval", "required"):
        table.add_column(heading, justify="right")
    met = [compare(simulations, table) for simulations in REQUIRED]
    Console().print(table)
    return all(met)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
