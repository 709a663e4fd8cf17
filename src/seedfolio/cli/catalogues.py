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
        as_json,
    )


@app.command()
def learners(as_json: JsonOption = False) -> None:
    """List the learners."""
    from seedfolio.learning import LEARNERS

    _print_catalogue(
        [{"name": name, "summary": entry.summary} for name, entry in LEARNERS.items()], as_json
    )


def _print_catalogue(items: Sequence[dict[str, Any]], as_json: bool) -> None:
    """Print what there is to choose from, as a list for people or as JSON."""
    if as_json:
        print_json(items)
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in items[0]:
        table.add_column(title)
    for item in items:
        table.add_row(*(_cell(value) for value in item.values()))
    Console().print(table, highlight=False)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={setting}" for name, setting in value.items())
    return str(value)
