"""How much success for how many games: every learner, by the number of games it may choose.

    python -m experiments.budget play --folder budget     plays, on a GPU if there is one
    python -m experiments.budget learn --folder budget    learns from these games
    python -m experiments.budget plot --folder budget     draws and prints what was learnt

Each step goes on where it was interrupted.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from experiments import budget_games as games_files
from experiments.options import ArenaOption, ThreadsOption
from seedfolio.arena import Silent
from seedfolio.arena.choice import find_arena
from seedfolio.cli.output import Quiet, make_progress, note_unless, say

app = typer.Typer(add_completion=False, no_args_is_help=True)

FolderOption = Annotated[Path, typer.Option(help="Where the study is kept.")]
GameOption = Annotated[
    list[str] | None,
    typer.Option("--game", help="Only this game; may be given several times.", show_default="all"),
]
FOLDER = Path("studies") / "budget"


@app.callback()
def budget() -> None:
    """How much success for how many games: play, then learn, then plot."""


@app.command()
def play(
    folder: FolderOption = FOLDER,
    game: GameOption = None,
    arms: Annotated[int, typer.Option(help="Training arms of each colour.")] = games_files.ARMS,
    unseen: Annotated[int, typer.Option(help="Unseen arms of each colour.")] = games_files.UNSEEN,
    repetitions: Annotated[int, typer.Option(help="How often.")] = games_files.REPETITIONS,
    first: Annotated[
        int, typer.Option(help="Number of the first repetition; each has arms of its own.")
    ] = 0,
    lazily: Annotated[
        bool, typer.Option("--lazily", help="Leave all to `learn`, which plays what it needs.")
    ] = False,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
    quiet: Quiet = False,
) -> None:
    """Play all games of the study, and keep them."""
    player, progress = find_arena(arena, threads, say), make_progress(quiet) or Silent()
    for name in game or games_files.GAMES:
        program = games_files.program_of(name)
        for repetition in range(first, first + repetitions):
            path = games_files.file_of(folder, name, repetition)
            if path.exists():
                say(f"{path} is there")
                continue
            if lazily:
                games_files.save(games_files.unplayed(program, arms, unseen), path)
                continue
            began = time.perf_counter()
            played = games_files.play_repetition(
                program, repetition, arms, unseen, player, progress
            )
            games_files.save(played, path)
            total = played.training.size + played.first.size + played.second.size
            seconds = time.perf_counter() - began
            say(f"{path}: {total:,} cells in {seconds:.1f} s, {total / seconds:,.0f} a second")


@app.command()
def learn(
    folder: FolderOption = FOLDER,
    game: GameOption = None,
    learner: Annotated[
        list[str] | None,
        typer.Option("--learner", "-l", help="Only this learner.", show_default="all"),
    ] = None,
    budget: Annotated[
        list[int] | None, typer.Option("--budget", "-b", help="Only this.", show_default="all")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Also what was done before.")] = False,
    orders: Annotated[
        int | None,
        typer.Option(
            help="How often, with the arms in another order each time.",
            show_default="4 to 1, fewer for more games",
            min=1,
        ),
    ] = None,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
    quiet: Quiet = False,
) -> None:
    """Let every learner choose its games for every budget; those not played yet are played."""
    from experiments.budget_learning import BUDGETS, LEARNERS, learn_game

    note = note_unless(quiet)
    player = find_arena(arena, threads, say)
    for name in game or games_files.GAMES:
        asked = learner or LEARNERS, budget or BUDGETS
        learn_game(folder, name, *asked, again, player, note, orders)


@app.command()
def plot(
    folder: FolderOption = FOLDER,
    game: GameOption = None,
    first: Annotated[
        int, typer.Option(help="Leave out the repetitions before this, counted from 0.")
    ] = 0,
    every: Annotated[
        bool, typer.Option("--every", help="Tables of all learners, not of the selected ones.")
    ] = False,
    picture: Annotated[
        Path | None, typer.Option(help="Draw into this file, a .png or .svg.")
    ] = None,
) -> None:
    """Print tables of what was learnt, say whether it is what it should be, and draw it."""
    from experiments import budget_report as report
    from experiments.budget_learning import LEARNERS, load_results

    found = []
    for name in game or games_files.GAMES:
        results = [each for each in load_results(folder, name) if each.repetition >= first]
        found.append(report.summarise(name, results))
    for each in found:
        for opponents in report.SHOWN:
            print(report.table(each, opponents, LEARNERS if every else report.SELECTED))
    for each in found:
        for holds, text in report.verdicts(each):
            print(f"{'yes' if holds else 'NO '} {text}")
    if picture is not None:
        report.draw(picture, found)


if __name__ == "__main__":
    app()
