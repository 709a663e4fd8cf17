"""What is wrong with a game, in one sentence: the broken rule and the moves that show it.

numba's message about a function that does not compile is pages long, and names a caller. Compiling
the game's functions one by one finds the faulty one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import int64, types, uint64
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, UnsupportedBytecodeError, UnsupportedError
from numpy.typing import NDArray

from seedfolio.errors import SeedfolioError
from seedfolio.games.game import Game
from seedfolio.games.rules import Rules

_RAISED_BY_RULES = (ArithmeticError, AssertionError, LookupError, RuntimeError, ValueError)


class ConformanceError(SeedfolioError, AssertionError):
    """A game breaks a rule that every game must keep.

    >>> from dataclasses import replace
    >>> from seedfolio import ConformanceError, check_game, load_game
    >>> game = load_game("domineering:4x4")
    >>> wrong = replace(game, rules=replace(game.rules, max_plies=3))
    >>> try:
    ...     check_game(wrong)
    ... except ConformanceError as error:
    ...     print(error)
    domineering 4x4: the game goes on beyond max_plies=3, after c3c4 a2b2 c1c2
    """


def broken(game: Game, rule: str, history: NDArray[np.int64] | None = None) -> ConformanceError:
    """Return the error for `game`; `history` has the moves after which the rule is broken."""
    if history is None:
        return ConformanceError(f"{game.title}: {rule}")
    played = moves_text(game, history)
    return ConformanceError(f"{game.title}: {rule}, {f'after {played}' if played else 'at start'}")


def allowed_points(rules: Rules) -> str:
    """Return which points a seat can have at the end of a game."""
    return "0, 1 or 2 half points" if rules.scale == 2 else f"0 to scale={rules.scale} points"


def moves_text(game: Game, history: NDArray[np.int64]) -> str:
    """Return the names of the moves, separated by spaces."""
    return " ".join(game.move_name(int(move)) for move in history)


@contextmanager
def rules_may_raise(
    game: Game, history: NDArray[np.int64], plies: NDArray[np.int64]
) -> Iterator[None]:
    """Turn an error that the rules raise, after `plies[0]` moves, into a ConformanceError."""
    try:
        yield
    except _RAISED_BY_RULES as error:
        rule = f"the rules raise {type(error).__name__}: {error}"
        raise broken(game, rule, history[: int(plies[0])]) from error


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
    for name, function, given in _more_functions(rules, state):
        _compile(game, name, function, given)
    return broken(game, f"the functions do not compile together: {first_helpful_line(error)}")


def _more_functions(rules: Rules, state: Any) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Yield the functions that only few games have, with their names and types of arguments."""
    if rules.odds is not None:
        yield "odds", rules.odds, (state, int64)
    if (evaluation := rules.evaluation) is not None:
        yield "terms of evaluation", evaluation.terms, (state, _MOVES, int64)
        for name, function, given in (
            ("loud", evaluation.loud, (state, _MOVES, int64)),
            ("gain", evaluation.gain, (state, int64)),
            ("key", evaluation.key, (state,)),
        ):
            if function is not None:
                yield f"{name} of evaluation", function, given
    if (repetition := rules.repetition) is not None:
        yield "key of repetition", repetition.key, (state,)
        yield "age of repetition", repetition.age, (state,)
        yield "marked of repetition", repetition.marked, (state, int64)


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


_STREAMS = (np.random.RandomState, np.random.Generator)


def random_numbers(function: Any) -> str | None:
    """Return what `function`, or a function that it calls, draws random numbers with, or None.

    Random numbers of Python and numpy come from a running stream, so the same seed would play
    another game each time. numba compiles them nevertheless.
    """
    return _search(function, set())


def _search(function: Any, seen: set[int]) -> str | None:
    if isinstance(function, Dispatcher):
        function = function.py_func
    if not isinstance(function, FunctionType) or id(function) in seen:
        return None
    seen.add(id(function))
    names = set(_names(function.__code__))
    for value in _reached(function, names):
        owner = getattr(value, "__self__", value)  # of `from random import randint`
        if owner is random or isinstance(owner, random.Random):
            return "Python's random"
        if owner is np.random or isinstance(owner, _STREAMS) or (value is np and "random" in names):
            return "numpy.random"
        if not isinstance(value, ModuleType) and (found := _search(value, seen)):
            return found
    return None


def _reached(function: FunctionType, names: set[str]) -> Iterator[Any]:
    """Yield what a function refers to outside of itself."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not yet filled in
            continue
    yield from (function.__globals__[name] for name in names if name in function.__globals__)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
