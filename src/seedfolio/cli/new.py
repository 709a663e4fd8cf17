"""`new game` and `new player`: a first file of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.core.plain_text import put

new = typer.Typer(
    help="Write a first file for a game or a player of yours.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(new, name="new")


@new.command()
def game(path: Annotated[Path, typer.Argument(help="The file to write: my_game.py.")]) -> None:
    """Write a small complete game, for you to change."""
    from seedfolio.boosting.look import new_game

    put(f"wrote {new_game(path)}; try: seedfolio check {path}, then seedfolio play {path}")


@new.command()
def player(path: Annotated[Path, typer.Argument(help="The file to write: my_player.py.")]) -> None:
    """Write a small complete player, for you to change."""
    from seedfolio.boosting.look import new_player

    put(f"wrote {new_player(path)}; try: seedfolio boost domineering:5x5 -p {path}")
