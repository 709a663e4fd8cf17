"""Find the function of a game that does not compile, and say why in one line.

numba's message is pages long and names the function that calls the game's. Compiling the game's
functions one by one finds the faulty one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from numba import int64, types, uint64
from numba.core.errors import NumbaError, UnsupportedBytecodeError, UnsupportedError

from seedfolio.conformance.failure import ConformanceError, broken
from seedfolio.games.game import Game

COMPILE_ERRORS = (NumbaError, UnsupportedBytecodeError, UnsupportedError)

_MOVES = types.Array(types.int32, 1, "C")
_CELLS = types.Array(types.int64, 1, "C")
_NOISE = ("Failed in", "During:", "- Resolution", "There are", "Return of", "raised from")

_PLAIN_FUNCTION = r"Untyped \w+ name '(\w+)':.*<class 'function'>"
"""What numba says where compiled code calls a function of plain Python."""


def diagnosis(game: Game, error: Exception) -> ConformanceError:
    """Return an error that names the faulty function; `error` came from compiling all together."""
    rules = game.rules
    start = _compile(game, "start", rules.start, ())
    state = _plain(start)
    _compile(game, "mover", rules.mover, (state,))
    _compile(game, "moves", rules.moves, (state, _MOVES, int64))
    after = _plain(_compile(game, "play", rules.play, (state, int64)))
    if after != state:
        rule = f"play returns a state of {after}, start one of {state}; use the same types in both"
        return broken(game, rule)
    _compile(game, "score", rules.score, (state,))
    _compile(game, "cells", rules.cells, (state, _CELLS))
    seen = _plain(_compile(game, "view", game.functions["view"], (state, int64)))
    for name, arguments in (
        ("refused", (state,)),
        ("plausible", (state, _MOVES, int64)),
        ("random_move", (state, uint64, int64, _MOVES, int64)),
        ("rollout", (state, uint64, int64, _MOVES, int64)),
        ("event", (state, int64, state, int64)),
        ("cells_seen", (state, int64, _CELLS)),
    ):
        _compile(game, name, game.functions[name], arguments)
    numba_types: Any = types
    drawn = numba_types.Tuple([state, int64])
    for name, given, what, wanted in (
        ("assume", (seen, int64), "a view", seen),
        ("complete", (seen, uint64, int64), "a state of start and a step", drawn),
    ):
        returned = _plain(_compile(game, name, game.functions[name], given))
        if returned != wanted:
            return broken(game, f"{name} returns {returned}, not {what}: {wanted}")
    return broken(game, f"the functions do not compile together: {first_helpful_line(error)}")


def _compile(game: Game, name: str, function: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the type of what `function` returns; ConformanceError if it does not compile."""
    try:
        function.compile(arguments)
    except (*COMPILE_ERRORS, TypeError) as error:  # TypeError: wrong number of arguments
        raise broken(game, f"{name} does not compile: {first_helpful_line(error)}") from error
    return function.overloads[arguments].signature.return_type


def _plain(kind: Any) -> Any:
    """Return a type without the literal value that numba may have attached."""
    numba_types: Any = types
    if isinstance(kind, numba_types.BaseTuple):
        return numba_types.Tuple([_plain(part) for part in kind.types])
    return numba_types.unliteral(kind)


def first_helpful_line(error: Exception) -> str:
    """Return the cause from numba's message, with the line of the file if there is one."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    helpful = [line for line in lines if line and not line.startswith(_NOISE)]
    cause = helpful[0] if helpful else type(error).__name__
    if plain := re.search(_PLAIN_FUNCTION, cause):
        cause = f"{plain[1]} is not marked @compiled"
    if cause.endswith(":") and len(helpful) > 1:
        cause = f"{cause} {helpful[1].removeprefix('>>> ')}"
    for path, line in re.findall(r'File "([^"]*)", line (\d+)', text):
        if "site-packages" not in path:
            return f"{cause} (line {line} of {Path(path).name})"
    return cause
