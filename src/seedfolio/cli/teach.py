"""`teach`, games against a program that learns what a person loses to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, PlayerOption, print_json
from seedfolio.core.plain_text import put


@app.command()
def teach(
    game: Annotated[
        str, typer.Argument(help="A game such as domineering:5x5, or a file of yours.")
    ],
    *,
    player: PlayerOption = None,
    name: Annotated[str, typer.Option(help="Your name, under which it remembers you.")],
    colour: Annotated[
        str, typer.Option(help="Your colour: first, second, or both in turn.")
    ] = "both",
    games: Annotated[
        int | None, typer.Option(help="Number of games.", show_default="until you quit")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="File that keeps all games.", show_default="studies/people.teach"),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Print what it has found out, without a game.")
    ] = False,
    discount: Annotated[
        float, typer.Option(help="What a game counts, relative to the one after it.")
    ] = 0.99,
    key: Annotated[
        int | None, typer.Option(help="Makes all draws repeatable.", min=0, max=2**64 - 1)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play against a program that learns what you lose to.

    It plays the arms that beat you more and more often, and shows where the games that you lost
    part from those that you won. Leave when you like: it remembers you, and the same command
    continues your game. For example:

    seedfolio teach domineering:5x5 --name Ann

    seedfolio teach domineering:5x5 --name Ann --show
    """
    from seedfolio.people.teach import teach as play

    found = play(
        game,
        player,
        name=name,
        colour=colour,
        games=games,
        file=file,
        show=show,
        discount=discount,
        key=key,
    )
    if as_json:
        print_json(found.as_data())
    else:
        put(found.text())
