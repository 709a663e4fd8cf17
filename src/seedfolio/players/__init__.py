"""The built-in players. `load_player` returns one from its short form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from seedfolio.core.trust import Permit
from seedfolio.core.user_file import found_source, split_source
from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.players.alphabeta import AlphaBeta
from seedfolio.players.flat import Flat
from seedfolio.players.interface import Player
from seedfolio.players.rave import Rave
from seedfolio.players.several import JOINT, Several
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
    has named it. Several players with a + between them, `uct+rave`, are one program: seed s plays
    as the player with number s % n.

    >>> from seedfolio import load_player
    >>> player = load_player("uct:simulations=5")
    >>> player.parameters["simulations"]
    5
    """
    if len(texts := split_players(text)) > 1:
        return Several(tuple(load_player(each, permit) for each in texts))
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


def split_players(text: str) -> list[str]:
    """Return the texts of the players that a text joins with a +.

    A + may also be in the name of a file or in a number.

    >>> split_players("uct:simulations=5,exploration=1e+0+my_player.py+./a+b.py:games=4")
    ['uct:simulations=5,exploration=1e+0', 'my_player.py', './a+b.py:games=4']
    """
    found: list[str] = []
    whole = True
    for part in text.split(JOINT):
        begins = whole and (part[:1].isalpha() or part[:1] in ("/", "."))
        found = [*found, part] if begins else [*found[:-1], JOINT.join([*found[-1:], part])]
        name, _ = split_source(found[-1])
        whole = name in PLAYERS or name.endswith(".py")
    return found


def joined_players(players: Sequence[str]) -> str:
    """Return the text of several players as one program."""
    return JOINT.join(players)


def found_player(text: str, folder: Path) -> str:
    """Return the text of a player with its files where they are now: see `found_source`."""
    return joined_players([found_source(each, folder) for each in split_players(text)])


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
