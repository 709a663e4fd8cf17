"""Random playouts of Go from the empty board: Seedfolio's, and OpenSpiel's in C++.

Run with `python -m benchmarks.go_playouts`; it takes one core and under a minute.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pyspiel
from rich.console import Console
from rich.table import Table

from benchmarks.noise import Interval, coloured, judge, median_interval
from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import mix
from seedfolio.games import load_game
from seedfolio.games.game import Game

REQUIRED = {5: 15, 7: 18, 9: 10}
"""By size of the board: how many times OpenSpiel's playouts a second are asked of us."""
ROUNDS = 6
SLICE = 1.0
"""Seconds that each side plays before the other has its turn, so that noise hits both alike."""
BATCH = {5: 20_000, 7: 10_000, 9: 4_000}
THEIR_BATCH = {5: 1_000, 7: 400, 9: 200}
"""By size of the board: playouts between two looks at the clock."""

HEADER = f"""\
Go, random playouts from the empty board, on one core. Ours fill no eyes of one
point, and pass when nothing else is left. OpenSpiel: RandomRolloutEvaluator, in
C++, called by an MCTSBot for one simulation; its moves are uniform, passes
included, and its games end after 2 * size * size moves at the latest, so that
they are shorter. CPU time, both in this process, in turn for {SLICE:g} s each. The
ratio is the median of {ROUNDS} rounds with its 95% interval; a requirement within the
interval is unclear, and not missed."""


@dataclass
class Tally:
    playouts: int = 0
    seconds: float = 0.0

    def play(self, batch: Callable[[], int]) -> None:
        """Play for one slice of time; `batch` returns how many playouts it made."""
        start = time.process_time()
        end = start + SLICE
        while time.process_time() < end:
            self.playouts += batch()
        self.seconds += time.process_time() - start

    def add(self, other: Tally) -> None:
        """Count the playouts of another tally, too."""
        self.playouts += other.playouts
        self.seconds += other.seconds

    @property
    def rate(self) -> float:
        return self.playouts / self.seconds


# Names that the binding fills in.
start: Any = None
rollout: Any = None


def _playouts_template(first: Any, number: Any, scratch: Any) -> Any:
    """Play rollouts number `first` and on; return the sum of their half points."""
    points = 0
    for k in range(number):
        points += rollout(start(), mix(np.uint64(first + k)), np.int64(0), scratch, np.int64(0))
    return points


def by_seedfolio(game: Game, number: int) -> Callable[[], int]:
    playouts = compiled_entry(_playouts_template, game.functions)
    scratch = np.zeros(game.rules.room, np.int64)
    firsts = count(0, number)

    def play_batch() -> int:
        playouts(next(firsts), number, scratch)
        return number

    playouts(0, 1, scratch)  # compile first
    return play_batch


def by_openspiel(name: str, number: int) -> Callable[[], int]:
    theirs = pyspiel.load_game(name)
    start = theirs.new_initial_state()
    seeds = count(1)

    def play_batch() -> int:
        # A search of one simulation evaluates the position it is given, and does nothing else.
        evaluator = pyspiel.RandomRolloutEvaluator(number, next(seeds))
        bot = pyspiel.MCTSBot(theirs, evaluator, 1.4, 1, 1000, False, 1, False)
        bot.mcts_search(start)
        return number

    return play_batch


def take_turns(
    play_ours: Callable[[], int], play_theirs: Callable[[], int]
) -> tuple[Tally, Tally, Interval]:
    """Measure both in turn; return all playouts of each, and the ratio of their rates."""
    ours, theirs, ratios = Tally(), Tally(), []
    for _ in range(ROUNDS):
        one, other = Tally(), Tally()
        one.play(play_ours)
        other.play(play_theirs)
        ratios.append(one.rate / other.rate)
        ours.add(one)
        theirs.add(other)
    return ours, theirs, median_interval(ratios)


def compare(size: int, table: Table) -> bool:
    """Measure both, add them to the table, and tell whether the required ratio is not missed."""
    game = load_game(f"go:{size}x{size}")
    play_ours = by_seedfolio(game, BATCH[size])
    name = f"go(board_size={size},komi={game.parameters['komi']})"
    play_theirs = by_openspiel(name, THEIR_BATCH[size])
    return add_row(f"{size}x{size}", take_turns(play_ours, play_theirs), REQUIRED[size], table)


def add_row(
    board: str, found: tuple[Tally, Tally, Interval], required: float, table: Table
) -> bool:
    """Add what `take_turns` found to the table; tell whether the required ratio is not missed."""
    ours, theirs, ratio = found
    verdict = judge(ratio, at_least=required)
    rates = f"{ours.rate:,.0f}", f"{theirs.rate:,.0f}"
    spread = f"{ratio.low:.1f} to {ratio.high:.1f}"
    asked = f"{required}, {coloured(verdict)}"
    table.add_row(board, *rates, f"{ratio.middle:.1f}", spread, asked)
    return verdict != "missed"


def new_table() -> Table:
    table = Table("board")
    for heading in ("Seedfolio / s", "OpenSpiel / s", "ratio", "95% interval", "required"):
        table.add_column(heading, justify="right")
    return table


def main() -> bool:
    """Print the table; return whether no required ratio is missed."""
    print(HEADER)
    table = new_table()
    met = [compare(size, table) for size in REQUIRED]
    Console().print(table)
    return all(met)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
