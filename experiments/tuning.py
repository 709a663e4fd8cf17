r"""Whether `tune` finds the best exploration: several runs, each with games of its own.

    python -m experiments.tuning domineering:7x7 breakthrough:6x6 --runs 10

Each run begins with exploration 1.4. Then every value that a run has found, and every value of a
grid, plays 1.4 once more, with seeds that no run had. The table has these successes in percent, and
says how many runs came within 1.5 points of the best value of the grid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Annotated, TypeAlias

import typer

from experiments.exploration import success
from experiments.options import ArenaOption, ThreadsOption
from seedfolio.arena import Run, Silent
from seedfolio.boosting.tune import Record, Tuning
from seedfolio.players.program import Program
from seedfolio.programs.load import load_program
from seedfolio.tuning.games import Games, Pairs, Scores, open_games
from seedfolio.tuning.parameter import parse_parameters

GRID = "0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.5,0.7,1"
RANGE = "exploration=0.05..2"
NEAR = 0.015
APART = 1 << 24
"""Pairs of seeds of one run."""

Where: TypeAlias = tuple[str, int | None]
"""An arena and its threads."""

app = typer.Typer(add_completion=False)


class Own(Games):
    """Games with seeds that no other run plays."""

    def __init__(self, games: Games, run: Run, number: int) -> None:
        super().__init__(games.given, run, games._arena)
        self._number = number

    def scores(
        self, asked: Sequence[Pairs], *, unseen: bool = False
    ) -> Generator[Scores, None, None]:
        """Yield the success in the pairs with these numbers, of this run's own."""
        first = self._number * APART
        own = [replace(each, first=first + each.first) for each in asked]
        return super().scores(own, unseen=unseen)


@app.command()
def measure(
    boards: Annotated[list[str], typer.Argument(help="Games, such as domineering:7x7.")],
    player: Annotated[str, typer.Option("--player", "-p", help="The program.")] = "uct",
    runs: Annotated[int, typer.Option(help="Runs of a game.")] = 10,
    budget: Annotated[int, typer.Option(help="Games of a run.")] = 20_000,
    values: Annotated[str, typer.Option(help="The grid, with commas.")] = GRID,
    games: Annotated[int, typer.Option(help="Games of each value that judge it.")] = 20_000,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
) -> None:
    """Tune, judge, and print a row of the table for each game."""
    print(f"| {player}, {budget:,} games a run | grid | found | near |")
    print("| --- | --- | --- | ---: |")
    for board in boards:
        where = arena, threads
        found = Counter(found_by_run(board, player, each, budget, where) for each in range(runs))
        tried = dict.fromkeys((*values.split(","), *found))
        judged = {value: judge(board, player, value, games, where) for value in tried}
        grid = {value: judged[value] for value in values.split(",")}
        best = max(grid, key=lambda value: grid[value])
        near = sum(found[value] for value in found if judged[value] >= grid[best] - NEAR)
        every = ", ".join(f"{value}: {100 * mean:.1f}" for value, mean in grid.items())
        mine = ", ".join(
            f"{value}{f' ({count} times)' if count > 1 else ''}: {100 * judged[value]:.1f}"
            for value, count in sorted(found.items(), key=lambda each: Decimal(each[0]))
        )
        print(f"| {board} | {every} | {mine} | {near} of {runs} |", flush=True)


def judge(board: str, player: str, value: str, games: int, where: Where) -> float:
    """Return the success of a value against 1.4, with seeds of no run."""
    values = value, "1.4"
    return success(board, player, "exploration", values, games, 1, *where).mean


def found_by_run(board: str, player: str, number: int, budget: int, where: Where) -> str:
    """Return the exploration that one run recommends."""
    run = Run(*where, progress=Silent())
    given = load_program(board, player)
    assert isinstance(given, Program)
    with open_games(given.single(), run) as games:
        kept = Record(asked={"budget": budget})
        tuned = Tuning(Own(games, run, number), parse_parameters([RANGE]), kept, None, run)
        found = tuned.complete(number)
    return str(found.setting[0]) if found.better else "1.4"


if __name__ == "__main__":
    app()
