"""The built-in players. `load_player` returns one from its short form."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal, InvalidOperation
from typing import Any

from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.players.flat import Flat
from seedfolio.players.interface import Player
from seedfolio.players.table import Table
from seedfolio.players.uct import Uct

PLAYERS: dict[str, type[Uct] | type[Flat] | type[Table]] = {
    "uct": Uct,
    "flat": Flat,
    "table": Table,
}


def load_player(text: str) -> Player:
    """Return the player that `text` describes: `uct`, `uct:simulations=400,exploration=0.8`.

    >>> from seedfolio import load_player
    >>> player = load_player("uct:simulations=5")
    >>> player.parameters["simulations"]
    5
    """
    name, _, options = text.partition(":")
    if name not in PLAYERS:
        hint = did_you_mean(name, PLAYERS)
        raise SpecificationError(f"unknown player {name!r}; {hint}there are {', '.join(PLAYERS)}")
    kind = PLAYERS[name]
    parsers = {"int": int, "Decimal": Decimal}
    types = {field.name: parsers[str(field.type)] for field in fields(kind)}
    values: dict[str, Any] = {}
    for option in filter(None, (part.strip() for part in options.split(","))):
        key, _, value = option.partition("=")
        if key not in types:
            raise SpecificationError(f"{name} has no parameter {key!r}; it has {', '.join(types)}")
        try:
            values[key] = types[key](value)
        except (ValueError, InvalidOperation):
            raise SpecificationError(f"{name}: {key} must be a number, not {value!r}") from None
    return kind(**values)
