"""A program with other values of its parameters: of its player, or what an engine is started with.

Or with several values of one, as arms.

Of an engine a parameter is one of its options (UCI, OpenSpiel), a word of its `go` (`nodes 1000`),
or a flag of its command (`--level 3`, `--level=3`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Any

from seedfolio.core.user_file import split_source
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.specification import parse_specification
from seedfolio.engines.specification.tables import PlayerTable
from seedfolio.errors import SpecificationError
from seedfolio.players import PLAYERS, load_player
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.players.several import MOST_PLAYERS, Several
from seedfolio.players.user_file import OwnPlayer
from seedfolio.tuning.parameter import Parameter, Value

AnyProgram = Program | EngineProgram


def known_value(program: AnyProgram, name: str) -> Value | None:
    """Return the value of a parameter; None: the file of an engine does not set it.

    SpecificationError if a player has no such parameter.
    """
    if isinstance(program, Program):
        if isinstance(program.player, Several):
            raise SpecificationError(f"{program.player.text} is several players; name one of them")
        known = _values(program)
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise SpecificationError(f"{program.player.text} has no parameter {name!r}; {has}")
        return known[name]
    _check_single(program)
    table = program.specification.player
    if name in table.options:
        return _as_value(table.options[name])
    if (word := _in_go(table, name)) is not None:
        return int(word[0])
    if (flag := _in_command(table, name)) is not None:
        return flag[2]
    return None


def declared(program: AnyProgram) -> tuple[str, ...]:
    """Return the ranges of its game or its player; none for an engine or several players."""
    if isinstance(program, EngineProgram) or isinstance(program.player, Several):
        return ()
    of_player = tuple(getattr(program.player, "ranges", ()))
    usual, _ = split_source(program.game.rules.player)
    is_usual = split_source(program.player.text)[0] == usual
    return tuple(program.game.rules.ranges) if is_usual and program.game.rules.ranges else of_player


def advice(program: AnyProgram) -> str:
    """Return what to know of a program's parameters before a boost; empty: nothing."""
    if isinstance(program, EngineProgram) or not (names := declared(program)):
        return ""
    names = tuple(each.partition("=")[0] for each in names)
    usual, mine = program.game.rules.player, program.player.text
    kind = split_source(usual)[0]
    if split_source(program.game.source)[0].endswith(".py") and not program.game.rules.ranges:
        return (
            f"{mine}: {' and '.join(names)} suits the built-in games; `tune` finds what suits "
            f"{program.game.title}, before the boost"
        )
    if kind != split_source(mine)[0] or kind not in PLAYERS:
        return ""
    best, known = _values_of(load_player(usual)), _values(program)
    other = [each for each in names if each in known and known[each] != best[each]]
    if not other:
        return ""
    said = ", ".join(f"{each}={best[each]}, and this one {known[each]}" for each in other)
    return (
        f"the {kind} that {program.game.title} names has {said}; take that, or find a better value "
        "with `tune`"
    )


def changed(program: AnyProgram, values: Mapping[str, Value]) -> AnyProgram:
    """Return the program with other values; SpecificationError if it does not take one."""
    if isinstance(program, EngineProgram):
        _check_single(program)
        table = program.specification.player
        for name, value in values.items():
            table = _changed_table(program.file, table, name, value)
        return replace(program, specification=program.specification.changed(player=table))
    return replace(program, player=_with_values(program, values))


def varied(program: AnyProgram, parameters: Sequence[Parameter]) -> AnyProgram:
    """Return the program whose arms also draw the values of these parameters, each equally often.

    SpecificationError if it does not take a value, or a parameter is a range without end.
    """
    values = {each.name: _listed(each) for each in parameters}
    if isinstance(program, Program):
        if isinstance(program.player, Several):
            raise SpecificationError(
                f"{program.player.text} has several players; vary one player, or name each with "
                "the values that it is to have"
            )
        for name in values:
            known_value(program, name)
        settings = (dict(zip(values, each, strict=True)) for each in product(*values.values()))
        players = tuple(_with_values(program, each) for each in settings)
        return replace(program, player=Several(players)) if len(players) > 1 else program
    _check_single(program)
    table, grid = program.specification.player, dict(program.specification.arms.grid)
    for name, choices in values.items():
        place = re.sub(r"\W+", "_", name).strip("_").lower()
        if place in grid or name in grid:
            raise SpecificationError(f"{program.file} varies {name} already, in arms.grid")
        known_value(program, name)
        options = {each: value for each, value in table.options.items() if each != name}
        apart = table.model_copy(update={"options": options}) if name in table.options else table
        table = _changed_table(program.file, apart, name, f"{{{place}}}")
        grid[place] = [*map(str, choices)]
    content = program.specification.content()
    content["player"] = table.model_dump(mode="json", exclude_unset=True)
    content["arms"] = {**content.get("arms", {}), "grid": grid}
    specification = parse_specification(content, program.file)
    said = " ".join(f"{name}={','.join(map(str, each))}" for name, each in values.items())
    return replace(program, specification=specification, varied=said)


def _check_single(program: EngineProgram) -> None:
    if program.specification.joint is not None:
        raise SpecificationError(f"{program.words} are several engines; name one of them")


def _with_values(program: Program, values: Mapping[str, Value]) -> Player:
    """Return the player of a program with other values."""
    known = _values(program)
    typed = {name: _typed(program, name, known[name], value) for name, value in values.items()}
    player: Any = program.player
    if isinstance(player, OwnPlayer):
        return player.with_parameters(typed)
    other: Player = replace(player, **typed)
    return other


def _listed(parameter: Parameter) -> list[Value]:
    """Return the values of a parameter one by one; SpecificationError if they are endless."""
    if parameter.choices:
        return list(parameter.choices)
    if not parameter.whole:
        raise SpecificationError(
            f"arms have values of {parameter.name} that you name, such as "
            f"{parameter.name}={parameter.low},{parameter.high}"
        )
    if parameter.high - parameter.low >= MOST_PLAYERS:
        raise SpecificationError(
            f"{parameter.name}={parameter.low}..{parameter.high} are more than {MOST_PLAYERS} "
            "values; name fewer"
        )
    return list(range(int(parameter.low), int(parameter.high) + 1))


def _values(program: Program) -> dict[str, Value]:
    """Return the parameters of a program's player."""
    return _values_of(program.player)


def _values_of(player: Any) -> dict[str, Value]:
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
