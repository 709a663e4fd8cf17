"""The built-in players. `load_player` returns one from its short form."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal, InvalidOperation
from typing import Any

from seedfolio.core.trust import Permit
from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.players.alphabeta import AlphaBeta
from seedfolio.players.flat import Flat
from seedfolio.players.interface import Player
from seedfolio.players.rave import Rave
from seedfolio.players.table import Table
from seedfolio.players.uct import Uct
from seedfolio.players.user_file import load_class, make_own

PLAYERS: dict[str, type[Uct] | type[Rave] | type[AlphaBeta] | type[Flat] | type[Table]] = {
    "uct": Uct,
    "flat": Flat,
    "table": Table,
    "rave": Rave,
    "alphabeta": AlphaBeta,
}


def load_player(text: str, permit: Permit = Permit.USER) -> Player:
    """Return the player that `text` describes: `uct`, `uct:simulations=400,exploration=0.8`.

    Or a file of one's own in place of the name: `path/to/my_player.py:games=4`. `permit` says who
    has named it.

    >>> from seedfolio import load_player
    >>> player = load_player("uct:simulations=5")
    >>> player.parameters["simulations"]
    5
    """
    name, options = split_source(text)
    if name.endswith(".py"):
        own = load_class(name, permit)
        values = _parse_options(own, name, options)
        return make_own(own, name, values)
    if name not in PLAYERS:
        hint = did_you_mean(name, PLAYERS)
        known = ", ".join(PLAYERS)
        raise SpecificationError(
            f"unknown player {name!r}; {hint}there are {known}, or a file of yours that ends in .py"
        )
    kind = PLAYERS[name]
    return kind(**_parse_options(kind, name, options))


def _parse_options(kind: type[Any], name: str, options: str) -> dict[str, Any]:
    """Return the parameters of a class of players that a user has given."""
    parsers = {"int": int, "Decimal": Decimal, "str": str}
    types: dict[str, Any] = {}
    for field in fields(kind):
        written = str(getattr(field.type, "__name__", field.type))
        if written.rpartition(".")[2] not in parsers:
            raise SpecificationError(
                f"{name}: {field.name} is a parameter of type {written}; it must be int, "
                "Decimal or str"
            )
        types[field.name] = parsers[written.rpartition(".")[2]]
    values: dict[str, Any] = {}
    for option in filter(None, (part.strip() for part in options.split(","))):
        key, _, value = option.partition("=")
        if key not in types:
            known = f"it has {', '.join(types)}" if types else "it has none"
            raise SpecificationError(f"{name} has no parameter {key!r}; {known}")
        try:
            values[key] = types[key](value)
        except (ValueError, InvalidOperation):
            raise SpecificationError(f"{name}: {key} must be a number, not {value!r}") from None
    return values
