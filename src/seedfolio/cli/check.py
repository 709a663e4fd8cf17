"""`check`: is an external engine deterministic, and does a game keep the rules of all games?"""

from __future__ import annotations

from typing import Annotated

import typer

from seedfolio.cli.application import app, with_flags
from seedfolio.cli.options import JsonOption, note_unless, print_json, print_lines


@app.command()
def check(
    file: Annotated[
        str,
        typer.Argument(help="An external engine: engine.toml. Or a game: my_game.py:size=4."),
    ],
    *,
    threads: Annotated[
        int | None,
        typer.Option(
            help="Number of games that a study will run at once, to estimate its time.",
            show_default="all cores",
            min=1,
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Random games, of a game.", min=1)] = 200,
    seconds: Annotated[
        int, typer.Option(help="CPU time that a game of yours may use, in seconds.", min=1)
    ] = 600,
    as_json: JsonOption = False,
) -> None:
    """Check an external engine, or a game of yours.

    Of an engine: does an arm always play the same, do arms differ? Plays a few games, in new
    processes and in used ones, and compares every move. Exits with code 1 if the engine fails.

    Or check a game: plays random games and looks at every position of them. A file of yours runs
    in another process first, as a wrong game may crash it or never end. Exits with code 1 and one
    line if something is wrong.
    """
    from seedfolio.boosting.checkup import check as check_program

    found = check_program(
        file, threads=threads, games=games, seconds=seconds, note=note_unless(as_json)
    )
    if as_json:
        print_json(found.as_data())
    else:
        print_lines(with_flags(found.text))
    if not found.passed:
        raise typer.Exit(1)
