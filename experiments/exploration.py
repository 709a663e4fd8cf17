r"""Which exploration makes `uct` strongest: matches of each value against one of them.

    python -m experiments.exploration domineering:7x7 --games 20000
    python -m experiments.exploration chess -p uct:leaf=evaluation --games 1000
    python -m experiments.exploration hex:9x9 -p rave:simulations=100 --parameter bias \
        --values 0.001,0.003,0.03,0.1 --against 0.01

All play with the same simulations. The table has the success of each value in percent, with its
95% interval. The best of several values has had some luck: confirm it with another --key.
"""

from __future__ import annotations

from typing import Annotated

import typer

from experiments.options import ArenaOption, ThreadsOption
from seedfolio import match
from seedfolio.core.user_file import with_option
from seedfolio.evaluation.intervals import SuccessInterval

VALUES = "0.1,0.2,0.3,0.4,0.5,0.7,1"

app = typer.Typer(add_completion=False)


@app.command()
def measure(
    boards: Annotated[list[str], typer.Argument(help="Games, such as domineering:7x7.")],
    player: Annotated[str, typer.Option("--player", "-p", help="The program.")] = "uct",
    values: Annotated[str, typer.Option(help="The values, with commas.")] = VALUES,
    against: Annotated[str, typer.Option(help="The value of the opponent.")] = "1.4",
    parameter: Annotated[str, typer.Option(help="What has these values.")] = "exploration",
    games: Annotated[int, typer.Option(help="Games of each match.")] = 2000,
    key: Annotated[int, typer.Option(help="Draws the seeds of all games.")] = 0,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
) -> None:
    """Play the matches, and print a row of the table for each game."""
    tried = [value.strip() for value in values.split(",")]
    print(f"| {player}, {games:,} games a value | {' | '.join(tried)} |")
    print(f"| --- |{' ---: |' * len(tried)}")
    for board in boards:
        row = [
            success(board, player, parameter, (value, against), games, key, arena, threads)
            for value in tried
        ]
        cells = [
            f"{100 * each.mean:.1f} ({100 * each.low:.1f} to {100 * each.high:.1f})" for each in row
        ]
        print(f"| {board} | {' | '.join(cells)} |", flush=True)


def success(
    board: str,
    player: str,
    parameter: str,
    values: tuple[str, str],
    games: int,
    key: int,
    arena: str,
    threads: int | None,
) -> SuccessInterval:
    """Return the success of the first value of a parameter against the second."""
    ours, theirs = (f"{board}@{with_option(player, f'{parameter}={value}')}" for value in values)
    played = match(ours, theirs, games=games, key=key, arena=arena, threads=threads, progress=False)
    return played.overall(0)


if __name__ == "__main__":
    app()
