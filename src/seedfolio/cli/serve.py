"""`gtp` and `uci`, the program as an engine for others, and `replay`, a game of two of its arms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, PlayerOption, print_json

_ProgramArgument = Annotated[
    str,
    typer.Argument(
        help="A portfolio file, FILE.json@original, a game such as go:9x9, a game and a player "
        "such as go:9x9@uct, or engine.toml."
    ),
]
_ArmOption = Annotated[
    str,
    typer.Option(
        "--arm",
        "--seed",
        help="Play this arm in every game: a seed, or 195/3 for seed 195 under symmetry 3.",
        show_default="drawn anew each game",
    ),
]
_KeyOption = Annotated[
    int | None, typer.Option(help="Draw the arms of all games from this number.", min=0)
]


@app.command()
def gtp(
    program: _ProgramArgument,
    *,
    player: PlayerOption = None,
    arm: _ArmOption = "",
    key: _KeyOption = None,
) -> None:
    """Be an engine for games with stones: answer GTP.

    GTP is the Go Text Protocol, on standard input and output. For go, atari-go, phantom-go,
    havannah, hex, and external engines that speak it. At the start of each game an arm is drawn
    for each colour.
    """
    from seedfolio.protocols.serve import gtp as serve

    serve(program, player, arm=arm, key=key)


@app.command()
def uci(
    program: _ProgramArgument,
    *,
    player: PlayerOption = None,
    arm: _ArmOption = "",
    key: _KeyOption = None,
) -> None:
    """Be an engine for games without secrets: answer UCI.

    Reads standard input and writes standard output. UCI is the protocol of chess engines; here
    moves have the names that seedfolio play uses. An external engine that speaks it receives all
    that does not concern its arm.
    """
    from seedfolio.protocols.serve import uci as serve

    serve(program, player, arm=arm, key=key)


@app.command()
def replay(
    program: _ProgramArgument,
    first: Annotated[str, typer.Argument(help="The arm of the first player: 195, or 195/3.")],
    second: Annotated[str, typer.Argument(help="The arm of the second player.")],
    *,
    player: PlayerOption = None,
    sgf: Annotated[
        Path | None, typer.Option(help="Write the record to this file, for games of Go stones.")
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="Write the record to this file, for chess.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play the game between two arms again, move by move.

    A portfolio with a book plays it, and the arms play on where it ends. Name the game and the
    player instead to play without it.
    """
    from seedfolio.core.files import atomic_write
    from seedfolio.matches.replay import replay as play_again
    from seedfolio.report.screen import Screen

    record = play_again(program, first, second, player)
    if sgf is not None:
        atomic_write(sgf, record.sgf.encode())
    if pgn is not None:
        atomic_write(pgn, record.pgn.encode())
    if as_json:
        print_json(record.as_data())
    else:
        screen = Screen.of_terminal()
        screen.put(record.text_on(screen))
