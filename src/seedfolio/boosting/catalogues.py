"""What there is to choose from: games, players and learners, as plain data."""

from __future__ import annotations

from typing import Any

from seedfolio.games import game_kinds
from seedfolio.learning.registry import LEARNERS
from seedfolio.players import PLAYERS


def list_games() -> list[dict[str, Any]]:
    """Return the built-in games, each with the player that `boost` takes where none is named.

    >>> from seedfolio import list_games
    >>> [each["name"] for each in list_games()][:3]
    ['domineering', 'atari-go', 'breakthrough']
    >>> list_games()[0]["parameters"]
    {'rows': 7, 'columns': 7}
    """
    return [
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
    ]


def list_players() -> list[dict[str, Any]]:
    """Return the built-in players.

    >>> from seedfolio import list_players
    >>> [each["name"] for each in list_players()][:3]
    ['uct', 'flat', 'table']
    >>> list_players()[0]["parameters"]
    {'simulations': 100, 'exploration': '1.4'}
    """
    return [
        {
            "name": name,
            "written": kind().text,
            "version": kind.version,
            "parameters": dict(kind().parameters),
            "summary": kind.summary,
        }
        for name, kind in PLAYERS.items()
    ]


def list_learners() -> list[dict[str, Any]]:
    """Return the learners, each with its parameters and their defaults.

    >>> from seedfolio import list_learners
    >>> [each["name"] for each in list_learners()][:3]
    ['auto', 'nash', 'sparse-nash']
    >>> list_learners()[0]["parameters"]
    {'exploiters': 0, 'arms': 0, 'book': -1}
    """
    return [
        {
            "name": name,
            "games": "a matrix" if entry.takes_matrix else "of its choice",
            "parameters": entry.parameters,
            "summary": entry.summary,
        }
        for name, entry in LEARNERS.items()
    ]
