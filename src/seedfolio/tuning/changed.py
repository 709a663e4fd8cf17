"""A program with other values of its parameters: of its player, or what an engine is started with.

Of an engine a parameter is one of its options (UCI, OpenSpiel), a word of its `go` (`nodes 1000`),
or a flag of its command (`--level 3`, `--level=3`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from typing import Any

from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.tables import PlayerTable
from seedfolio.errors import SpecificationError
from seedfolio.players.program import Program
from seedfolio.players.user_file import OwnPlayer
from seedfolio.tuning.parameter import Value

AnyProgram = Program | EngineProgram


def known_value(program: AnyProgram, name: str) -> Value | None:
    """Return the value of a parameter; None: the file of an engine does not set it.

    SpecificationError if a player has no such parameter.
    """
    if isinstance(program, Program):
        known = _values(program)
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise SpecificationError(f"{program.player.text} has no parameter {name!r}; {has}")
        return known[name]
    table = program.specification.player
    if name in table.options:
        return _as_value(table.options[name])
    if (word := _in_go(table, name)) is not None:
        return int(word[0])
    if (flag := _in_command(table, name)) is not None:
        return flag[2]
    return None


def changed(program: AnyProgram, values: Mapping[str, Value]) -> AnyProgram:
    """Return the program with other values; SpecificationError if it does not take one."""
    if isinstance(program, EngineProgram):
        table = program.specification.player
        for name, value in values.items():
            table = _changed_table(program.file, table, name, value)
        found = program.specification.model_copy(update={"player": table})
        return replace(program, specification=found)
    known = _values(program)
    typed = {name: _typed(program, name, known[name], value) for name, value in values.items()}
    player: Any = program.player
    if isinstance(player, OwnPlayer):
        return replace(program, player=player.with_parameters(typed))
    return replace(program, player=replace(player, **typed))


def _values(program: Program) -> dict[str, Value]:
    """Return the parameters of a player."""
    player: Any = program.player
    if isinstance(player, OwnPlayer):
        return dict(player.settings)
    names = [each.name for each in fields(player)] if is_dataclass(player) else []
    return {name: getattr(player, name) for name in names}


def _typed(program: Program, name: str, known: Value, value: Value) -> Value:
    """Return a value as the type that the player has."""
    if isinstance(known, int) and not isinstance(value, int):
        try:
            return int(str(value))
        except ValueError:
            raise SpecificationError(
                f"{program.player.text}: {name} takes whole numbers, not {value}"
            ) from None
    if isinstance(known, Decimal):
        try:
            return Decimal(str(value))
        except ArithmeticError:
            raise SpecificationError(
                f"{program.player.text}: {name} takes numbers, not {value!r}"
            ) from None
    return value if isinstance(known, int) else str(value)


def _as_value(option: Any) -> Value:
    """Return an option of an engine's file as a value."""
    if isinstance(option, bool):
        return str(option).lower()
    return Decimal(str(option)) if isinstance(option, float) else option


def _changed_table(file: str, table: PlayerTable, name: str, value: Value) -> PlayerTable:
    if name not in table.options:
        if (word := _in_go(table, name)) is not None and table.go is not None:
            begin, end = word.span()
            return table.model_copy(update={"go": f"{table.go[:begin]}{value}{table.go[end:]}"})
        if (flag := _in_command(table, name)) is not None:
            at, prefix, _ = flag
            command = list(table.command or [])
            command[at] = f"{prefix}{value}"
            return table.model_copy(update={"command": command})
    if table.protocol == "gtp":
        flag_text = f"--{name.lstrip('-')}"
        raise SpecificationError(
            f"the command of {file} has no {flag_text}; write it there with a value, such as "
            f"{flag_text} 1"
        )
    plain: Any = float(value) if isinstance(value, Decimal) else value
    if isinstance(table.options.get(name), bool) or value in ("true", "false"):
        plain = value == "true"
    return table.model_copy(update={"options": {**table.options, name: plain}})


def _in_go(table: PlayerTable, name: str) -> re.Match[str] | None:
    """Return where the number of a word of `go` is: the 1000 of `nodes 1000`."""
    return re.search(rf"(?<=\b{re.escape(name)} )\d+\b", table.go or "")


def _in_command(table: PlayerTable, name: str) -> tuple[int, str, Value] | None:
    """Return the place of a flag's value among the words, what is before it, and the value."""
    command = table.command or []
    for at, word in enumerate(command):
        flag, equals, value = word.partition("=")
        if flag.lstrip("-") != name.lstrip("-") or not flag.startswith("-"):
            continue
        if equals:
            return at, f"{flag}=", _read(value)
        if at + 1 < len(command) and not command[at + 1].startswith("-"):
            return at + 1, "", _read(command[at + 1])
    return None


def _read(word: str) -> Value:
    if word.isdecimal():
        return int(word)
    try:
        return Decimal(word)
    except ArithmeticError:
        return word
