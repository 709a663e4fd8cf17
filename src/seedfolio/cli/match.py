"""`match`, games between programs, and `worth`, what a boosted program is worth in thinking."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    ArenaName,
    JsonOption,
    MatchArenaOption,
    QuietOption,
    ThreadsOption,
    make_progress,
    print_json,
)
from seedfolio.core.plain_text import plain_console, put

_KeyOption = Annotated[int, typer.Option(help="Draws the arms of all games.", min=0, max=2**64 - 1)]


@app.command()
def match(
    programs: Annotated[
        list[str],
        typer.Argument(
            help="Two or more: portfolio files, games such as domineering:7x7, a game and a "
            "player such as domineering:7x7@uct:simulations=300, engine.toml, or "
            "FILE.json@original for the program that a portfolio was learnt with.",
        ),
    ],
    *,
    games: Annotated[
        int, typer.Option(help="Number of games between each two programs; with --sprt, the most.")
    ] = 200,
    key: _KeyOption = 0,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop when a sequential test has decided between two differences in Elo.",
            show_default="play all games",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="File that keeps every game; the same command continues it."),
    ] = None,
    sgf: Annotated[
        Path | None,
        typer.Option(
            help="File that ends in .sgf, or a folder, for all games with Go stones.",
            show_default="none",
        ),
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="File for all games of chess.", show_default="none")
    ] = None,
    arena: MatchArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a match between programs of the same game.

    Each plays both colours equally often. Prints success and the difference in Elo with 95%
    intervals; three programs or more play each against each. For example:

    seedfolio match studies/a-nash.json domineering:7x7@uct:simulations=300

    seedfolio match a.json b.json domineering:7x7 --record games.jsonl

    seedfolio match a.json a.json@original --games 10000 --sprt 0,30

    seedfolio match gnugo-nash.json gnugo.toml --sgf games
    """
    from seedfolio.evaluation.intervals import parse_sprt
    from seedfolio.matches.match import match as play_match

    played = play_match(
        *programs,
        games=games,
        key=key,
        sprt=None if sprt is None else parse_sprt(sprt),
        record=record,
        sgf=sgf,
        pgn=pgn,
        arena=arena.value,
        threads=threads,
        progress=make_progress(quiet),
    )
    if as_json:
        print_json(played.as_data())
        return
    plain_console().print(played.table())
    if record is not None:
        put(f"record      {record}")
    if sgf is not None:
        put(f"sgf         {sgf}")
    if pgn is not None:
        put(f"pgn         {pgn}")


@app.command()
def worth(
    portfolio: Annotated[str, typer.Argument(help="A portfolio file that boost has written.")],
    *,
    games: Annotated[int, typer.Option(help="Number of games of each step.")] = 200,
    most: Annotated[
        float, typer.Option(help="The most times the thinking that the original gets.")
    ] = 64,
    steps: Annotated[
        int, typer.Option(help="Number of bisections after the original has reached 50%.")
    ] = 2,
    key: _KeyOption = 0,
    parameter: Annotated[
        str | None,
        typer.Option(
            help="What says how long the program thinks: a whole number of the player; of an "
            "external engine a flag of its command, a word of its go or an option.",
            show_default="what the player declares; nodes or simulations of an engine",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Folder that keeps every game; the same command continues it."),
    ] = None,
    arena: MatchArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say what a boosted program is worth in thinking.

    That is how many times the thinking the original needs to hold 50% against it. Thinking is the
    number of simulations of uct, of playouts of flat, of nodes of a UCI engine, or what a player
    of yours declares. The original gets 1, 2, 4 times as much until it holds 50%; then bisection
    makes the range smaller. For example:

    seedfolio worth studies/a-best-seed.json --games 400

    seedfolio worth studies/gnugo-nash.json --parameter mc-games-per-level --record games
    """
    from seedfolio.matches.worth import worth as find_worth

    found = find_worth(
        portfolio,
        games=games,
        most=most,
        steps=steps,
        key=key,
        parameter=parameter,
        record=record,
        arena=arena.value,
        threads=threads,
        progress=make_progress(quiet),
    )
    if as_json:
        print_json(found.as_data())
        return
    plain_console().print(found.table())
    put(found.text)
