"""`games`, `players` and `learners`: what there is to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, print_json


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games, with the player that `boost` and `play` take where none is named."""
    from seedfolio.games import game_kinds

    _print_catalogue(
        [
            {
                "name": game.name,
                "written": game.text,
                "version": game.version,
                "parameters": dict(game.parameters),
                "player": game.rules.player,
                "summary": kind.summary,
            }
            for kind in game_kinds()
            for game in [kind()]
        ],
        ("written", "player", "parameters", "summary"),
        as_json,
    )


@app.command()
def players(as_json: JsonOption = False) -> None:
    """List the players."""
    from seedfolio.players import PLAYERS

    _print_catalogue(
        [
            {
                "name": name,
                "written": kind().text,
                "version": kind.version,
                "parameters": dict(kind().parameters),
                "summary": kind.summary,
            }
            for name, kind in PLAYERS.items()
        ],
        ("written", "parameters", "summary"),
        as_json,
    )


@app.command()
def learners(as_json: JsonOption = False) -> None:
    """List the learners."""
    from seedfolio.learning import LEARNERS

    _print_catalogue(
        [
            {
                "name": name,
                "games": "a matrix" if entry.kind == "matrix" else "of its choice",
                "parameters": entry.parameters,
                "summary": entry.summary,
            }
            for name, entry in LEARNERS.items()
        ],
        ("name", "games", "parameters", "summary"),
        as_json,
    )


def _print_catalogue(items: Sequence[dict[str, Any]], shown: Sequence[str], as_json: bool) -> None:
    """Print what there is to choose from: some of it as a list for people, or all as JSON."""
    if as_json:
        print_json(items)
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in shown:
        # What is to be typed must be seen whole.
        table.add_column(title, no_wrap=title in ("name", "written", "player"))
    for item in items:
        table.add_row(*(_cell(item[title]) for title in shown))
    Console().print(table, highlight=False)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={setting}" for name, setting in value.items())
    return str(value)
