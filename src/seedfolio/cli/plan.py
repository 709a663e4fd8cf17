"""`plan`, how many games are enough, and `online`, how portfolios resist a learning opponent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    AddressOption,
    ArenaName,
    ArenaOption,
    JsonOption,
    PlayerOption,
    QuietOption,
    RepeatsOption,
    ThreadsOption,
    make_progress,
    note_unless,
    print_json,
    print_lines,
    say,
)
from seedfolio.core.plain_text import plain_console, put


@app.command()
def plan(
    game: Annotated[
        str, typer.Argument(help="A game such as domineering:7x7, or a file of yours.")
    ],
    *,
    player: PlayerOption = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="Precision of each seed's success.", show_default="0.05 unless --kt is given"
        ),
    ] = None,
    delta: Annotated[float, typer.Option(help="Probability that this fails.")] = 0.05,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            help="Number of seeds of each colour to learn about.",
            show_default="the fewest that go with epsilon",
        ),
    ] = None,
    kt: Annotated[
        int | None,
        typer.Option("--kt", help="Number of opponents of each: gives epsilon for K and Kt."),
    ] = None,
    repeats: RepeatsOption = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    address: AddressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how many games are enough, and how long they take.

    Plays for about two seconds to measure the speed; nothing is kept.
    """
    from seedfolio.boosting.plan import plan as make_plan

    planned = make_plan(
        game,
        player,
        epsilon=epsilon,
        delta=delta,
        k=k,
        kt=kt,
        repeats=repeats,
        arena=arena.value,
        threads=threads,
        address=address,
        note=say,
    )
    if as_json:
        print_json(planned.as_data())
    else:
        print_lines(planned.text)


@app.command()
def online(
    study: Annotated[Path, typer.Argument(help="A study file.")],
    *,
    games: Annotated[
        int, typer.Option(help="Games that UCBT plays against each opponent.")
    ] = 16384,
    arms: Annotated[
        int | None,
        typer.Option(
            help="Number of seeds that UCBT chooses among.",
            show_default="Kt of the study, at most 100",
        ),
    ] = None,
    repetitions: Annotated[int, typer.Option(help="How often all of it is repeated.")] = 20,
    discount: Annotated[
        float,
        typer.Option(help="Weight of earlier games after each game: below 1, UCBT forgets."),
    ] = 1.0,
    widening: Annotated[
        float | None,
        typer.Option(
            help="Open the first W √N of its seeds after N games.", show_default="all at once"
        ),
    ] = None,
    endless: Annotated[
        bool,
        typer.Option(
            "--endless", help="Let it have seeds without end, opened as --widening says, else √N."
        ),
    ] = False,
    change: Annotated[
        int, typer.Option(help="Games after which the opponent that changes does so.")
    ] = 1024,
    plot: Annotated[
        Path | None, typer.Option(help="Draw losing rates over the games: a .png or .svg file.")
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    address: AddressOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Let a learning opponent play the portfolios of a study.

    UCBT, a bandit, plays the portfolios and single seeds of the study with seeds of the same
    study. Games between two seeds are taken from the study, and played if it lacks them.
    """
    from seedfolio.boosting.online import online as play_online
    from seedfolio.report.plots.figures import picture_format

    if plot is not None:
        picture_format(plot)  # refuses an unknown one before anything is computed
    outcome = play_online(
        study,
        games=games,
        arms=arms,
        repetitions=repetitions,
        discount=discount,
        widening=widening,
        endless=endless,
        change=change,
        arena=arena.value,
        threads=threads,
        address=address,
        progress=make_progress(quiet),
        note=note_unless(quiet),
    )
    if plot is not None:
        outcome.plot(plot)
        if not quiet:
            say(f"wrote {plot}")
    if as_json:
        print_json(outcome.as_data())
        return
    for table in outcome.tables():
        plain_console().print(table)
        put()
    plain_console().print(outcome.caption, highlight=False, markup=False)
