"""How long a program thinks, as a number that can be multiplied."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from typing import Any

from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.tables import PlayerTable
from seedfolio.errors import SpecificationError
from seedfolio.opponents.opponent import Opponent, Original
from seedfolio.players.program import Program
from seedfolio.players.user_file import OwnPlayer

_SIMULATIONS = "simulations"
"""Of OpenSpiel's bots."""
_NODES = "nodes"
"""Of a UCI engine, as a word of its `go`."""
_MCTS_SIMULATIONS = 100
"""Of OpenSpiel's `mcts` unless the specification says more."""


@dataclass(frozen=True)
class Thinking:
    """The amount of thinking of a program."""

    parameter: str
    base: int
    """The value in the program as it is."""
    original: Callable[[int], Opponent]
    """Returns the original program with another value."""


def thinking_of(opponent: Opponent, parameter: str | None = None) -> Thinking:
    """Return what says how long a program thinks: `parameter`, or the usual one of its kind.

    SpecificationError if there is no such number.
    """
    if isinstance(opponent.program, Program):
        return _of_built_in(opponent.program, parameter)
    return _of_engine(opponent.program, parameter)


def _of_built_in(program: Program, parameter: str | None) -> Thinking:
    player = program.player
    parameters = player.parameters.items()
    numbers = {key: value for key, value in parameters if isinstance(value, int) and value > 0}
    name = parameter or getattr(player, "thinking", None)  # an object of one's own may lack it
    if name in numbers and is_dataclass(player):
        return Thinking(name, numbers[name], partial(_built_in_with, program, name))
    what = "no amount of thinking" if name is None else f"no whole number {name} of 1 or more"
    known = f"; name a `parameter`: {', '.join(numbers)}" if numbers else ""
    raise SpecificationError(f"{player.text} has {what} to multiply{known}")


def _built_in_with(program: Program, name: str, value: int) -> Opponent:
    player: Any = program.player
    own = isinstance(player, OwnPlayer)
    more = player.with_parameter(name, value) if own else replace(player, **{name: value})
    return Original(replace(program, player=more), own=True)


def _of_engine(program: EngineProgram, parameter: str | None) -> Thinking:
    table = program.specification.player
    if table.protocol == "open_spiel":
        name = parameter or _SIMULATIONS
        usual = _MCTS_SIMULATIONS if (table.bot, name) == ("mcts", _SIMULATIONS) else None
        value = table.options.get(name, usual)
        if isinstance(value, int) and not isinstance(value, bool):
            return _thinking(program, name, value, lambda more: _with_option(table, name, more))
    if table.protocol == "uci" and table.go is not None:
        name, go = parameter or _NODES, table.go
        if (place := re.search(rf"(?<=\b{re.escape(name)} )\d+\b", go)) is not None:
            begin, end = place.span()
            return _thinking(
                program,
                name,
                int(place[0]),
                lambda more: table.model_copy(update={"go": f"{go[:begin]}{more}{go[end:]}"}),
            )
    if parameter is not None and table.command is not None:
        place_in_command = _place(table.command, parameter)
        if place_in_command is not None:
            at, prefix, value = place_in_command
            return _thinking(
                program, parameter, value, lambda more: _with_word(table, at, f"{prefix}{more}")
            )
    raise _no_number(program, parameter)


def _thinking(
    program: EngineProgram, name: str, value: int, changed: Callable[[int], PlayerTable]
) -> Thinking:
    def original(more: int) -> Opponent:
        found = program.specification.model_copy(update={"player": changed(more)})
        return Original(replace(program, specification=found), own=True)

    return Thinking(name, value, original)


def _with_option(table: PlayerTable, name: str, value: int) -> PlayerTable:
    return table.model_copy(update={"options": {**table.options, name: value}})


def _with_word(table: PlayerTable, at: int, word: str) -> PlayerTable:
    command = list(table.command or [])
    command[at] = word
    return table.model_copy(update={"command": command})


def _place(command: list[str], name: str) -> tuple[int, str, int] | None:
    """Return the place of a flag's number among the words, what is before it, and the number."""
    for at, word in enumerate(command):
        flag, equals, value = word.partition("=")
        if flag.lstrip("-") != name.lstrip("-"):
            continue
        if equals and value.isdecimal():
            return at, f"{flag}=", int(value)
        if not equals and at + 1 < len(command) and command[at + 1].isdecimal():
            return at + 1, "", int(command[at + 1])
    return None


def _no_number(program: EngineProgram, parameter: str | None) -> SpecificationError:
    if parameter is None:
        return SpecificationError(
            f"{program.file} does not show how long the engine thinks; name the flag of its "
            "command, the word of its go or the option that has the number, with `parameter`"
        )
    return SpecificationError(
        f"{program.file} has no whole number for {parameter}, in its command, its go or its "
        "options; name another with `parameter`"
    )
