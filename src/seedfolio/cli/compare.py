"""`compare`: learners side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    ArenaName,
    ArenaOption,
    JsonOption,
    OpponentsOption,
    QuietOption,
    RepeatsOption,
    ThreadsOption,
    make_arena,
    make_progress,
    print_json,
)


@app.command()
def compare(
    game: Annotated[str, typer.Argument(help="A game such as domineering:7x7, or a file.")],
    player: Annotated[
        str | None,
        typer.Option("--player", "-p", help="A player.", show_default="the game's own"),
    ] = None,
    budget: Annotated[
        int, typer.Option("--budget", "-b", help="Games that each learner may choose.")
    ] = 10_000,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help="Which learner; may be given several times.",
            show_default="a selection, see seedfolio learners for all",
        ),
    ] = None,
    opponents: OpponentsOption = 100,
    repeats: RepeatsOption = None,
    key: Annotated[
        int, typer.Option(help="Draws what learners leave to chance.", min=0, max=2**64 - 1)
    ] = 0,
    study: Annotated[
        Path | None,
        typer.Option(help="File that keeps all games.", show_default="studies/GAME-PLAYER.study"),
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compare learners: the same number of games for each, all judged on the same unseen seeds.

    A learner that takes a matrix gets the largest square that the budget pays for. Games are kept
    in the study file, so the same command goes on after an interruption.
    """
    from seedfolio.boosting.compare import COMPARED
    from seedfolio.boosting.compare import compare as run_comparison

    outcome = run_comparison(
        game,
        player,
        budget=budget,
        learners=learner or COMPARED,
        opponents=opponents,
        repeats=repeats,
        key=key,
        study=study,
        arena=make_arena(arena, threads),
        progress=make_progress(quiet),
    )
    if as_json:
        print_json({**outcome.as_data(), "study": str(outcome.study)})
    else:
        Console().print(outcome.table())
        print(f"study       {outcome.study}")
