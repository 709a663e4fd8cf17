"""`reproduce`: the papers' tables and curves, made again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    AddressOption,
    ArenaName,
    ArenaOption,
    QuietOption,
    ThreadsOption,
    make_progress,
    note_unless,
)
from seedfolio.core.plain_text import put
from seedfolio.errors import SpecificationError

_OWN = "the experiment's"


@app.command()
def reproduce(
    experiment: Annotated[
        str,
        typer.Argument(
            help="table3, phantom-go, gametestbed, chess or havannah; "
            "with GNU Go: transfer, variants, go9, go19, go-seeds, batoo or moves."
        ),
    ],
    *,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", help="Number of seeds of each colour to learn about.", show_default=_OWN
        ),
    ] = None,
    kt: Annotated[
        int | None,
        typer.Option(
            "--kt", help="Number of opponent seeds that each of them plays.", show_default=_OWN
        ),
    ] = None,
    opponents: Annotated[
        int | None,
        typer.Option(
            help="Number of unseen seeds of each colour to evaluate with.",
            show_default="100 or more; of chess and havannah none",
        ),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            "--game",
            help="Only this game or board; repeat the option for several.",
            show_default="all",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", "-p", help="A player for all games.", show_default=_OWN),
    ] = None,
    repetitions: Annotated[
        int,
        typer.Option(
            help="Learn so often, each time with other seeds: ± is then over all learnings."
        ),
    ] = 1,
    numbers: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=NUMBER",
            help="Another number of the experiment, such as redraws=200 of chess and havannah; "
            "repeat the option for several.",
            show_default=_OWN,
        ),
    ] = None,
    as_paper: Annotated[
        bool, typer.Option("--paper", help="With GNU Go: as large as in the paper.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where the studies are kept.", show_default="studies/EXPERIMENT"),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the table to this file as well.")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(help="Draw the figures into this folder: success against K, moves."),
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    address: AddressOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make a table of the papers again.

    The same command goes on after an interruption.

    table3: rectangular learning on Domineering, Atari-Go and Breakthrough. phantom-go: Phantom Go
    on 5x5, 7x7 and 9x9. gametestbed: five small games of hidden information and chance. chess and
    havannah: 100 seeds of each colour against each other; --set redraws=200 sets the draws for each
    K of the curve, and --board havannah:base=5 another board.

    With GNU Go, whose numbers are set with --k, --opponents, --set and --paper: transfer (to other
    opponents, 5x5), variants (options as arms, 7x7), go9 and go19 (UCB with widening), go-seeds
    (seeds 1 to 32 at level 10, 9x9), batoo (stones chosen in private), moves (boosted and original
    moves, judged by a stronger program).
    """
    from seedfolio.core.files import atomic_write
    from seedfolio.papers.run import reproduce as run_experiment

    note = note_unless(quiet)
    outcome = run_experiment(
        experiment,
        k=k,
        kt=kt,
        opponents=opponents,
        boards=board or (),
        player=player,
        repetitions=repetitions,
        numbers=_numbers(numbers or []),
        paper=as_paper,
        folder=folder,
        arena=arena.value,
        threads=threads,
        address=address,
        progress=make_progress(quiet),
        note=note,
    )
    text = outcome.markdown()
    if markdown is not None:
        atomic_write(markdown, text.encode())
    put(text, end="")
    if plots is not None:
        drawn = ", ".join(map(str, outcome.draw(plots)))
        note(f"drew {drawn}" if drawn else f"{experiment} has no figure")


def _numbers(texts: list[str]) -> dict[str, int]:
    """Return the numbers that were given, by name."""
    given = {}
    for text in texts:
        name, _, number = text.partition("=")
        if not number.isdecimal():
            raise SpecificationError(f"--set {text} is not a name and a number such as k=100")
        given[name] = int(number)
    return given
