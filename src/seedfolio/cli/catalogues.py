"""`games`, `players` and `learners`: what there is to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, print_json
from seedfolio.core.plain_text import plain_console


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games, each with its usual player."""
    from seedfolio.boosting.look import list_games

    _print_catalogue(list_games(), ("written", "player", "parameters", "summary"), as_json)


@app.command()
def players(as_json: JsonOption = False) -> None:
    """List the players."""
    from seedfolio.boosting.look import list_players

    _print_catalogue(list_players(), ("written", "parameters", "summary"), as_json)


@app.command()
def learners(as_json: JsonOption = False) -> None:
    """List the learners."""
    from seedfolio.boosting.look import list_learners

    _print_catalogue(list_learners(), ("name", "games", "parameters", "summary"), as_json)


def _print_catalogue(items: Sequence[dict[str, Any]], shown: Sequence[str], as_json: bool) -> None:
    """Print what there is to choose from: some of it as a list for people, or all as JSON."""
    if as_json:
        print_json(items)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in shown:
        # What is to be typed must be seen whole.
        table.add_column(title, no_wrap=title in ("name", "written", "player"), overflow="fold")
    for item in items:
        table.add_row(*(_cell(item[title]) for title in shown))
    plain_console().print(table, highlight=False)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={setting}" for name, setting in value.items())
    return str(value)
