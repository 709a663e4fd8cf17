"""`reproduce`: the papers' tables and curves, made again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    ArenaName,
    ArenaOption,
    QuietOption,
    ThreadsOption,
    make_arena,
    make_progress,
    say,
)

_OWN = "the experiment's"


@app.command()
def reproduce(
    experiment: Annotated[
        str, typer.Argument(help="Which one: table3, phantom-go or gametestbed.")
    ],
    k: Annotated[
        int | None,
        typer.Option("--k", help="Seeds of each colour to learn about.", show_default=_OWN),
    ] = None,
    kt: Annotated[
        int | None,
        typer.Option("--kt", help="Opponent seeds that each of them meets.", show_default=_OWN),
    ] = None,
    opponents: Annotated[
        int | None,
        typer.Option(help="Unseen seeds of each colour to judge with.", show_default="100 or more"),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            "--game",
            help="Only this game or board; may be given several times.",
            show_default="all",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", "-p", help="A player for all games.", show_default=_OWN),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where the studies are kept.", show_default="studies/EXPERIMENT"),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the table to this file as well.")
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Draw success against K into this folder, a game a file.")
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make a table of the papers again; the same command goes on after an interruption.

    table3: rectangular learning on Domineering, Atari-Go and Breakthrough. phantom-go: Phantom Go
    on 5x5, 7x7 and 9x9. gametestbed: five small games of hidden information and chance.
    """
    from seedfolio.reproduce import find_experiment
    from seedfolio.reproduce.experiment import draw_curves
    from seedfolio.study.files import atomic_write

    found = find_experiment(experiment)
    results = found.run(
        folder or Path("studies") / experiment,
        board or list(found.paper),
        player,
        found.sizes(k, kt, opponents),
        make_arena(arena, threads),
        make_progress(quiet),
        (lambda text: None) if quiet else say,
    )
    text = found.markdown(results)
    if markdown is not None:
        atomic_write(markdown, text.encode())
    print(text, end="", flush=True)
    if plots is not None:
        for path in draw_curves(found, results, plots):
            if not quiet:
                say(f"drew {path}")
