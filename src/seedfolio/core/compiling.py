"""Compiling games and players: one decorator, and a disk cache that cannot go stale.

Functions marked `compiled` call each other freely and are compiled when first needed, for the
CPU here and for CUDA by the same source. Only *entries* (the few functions that Python calls)
are cached on disk. numba keys its cache by file and name and ignores what a function refers to,
so an entry's name carries a hash of everything it reaches: the code and constants of every
function below it. Another game, size or edit is another name; an unchanged one is found again
by the next process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_FROM_MODULES = (FunctionType, Dispatcher, np.ndarray, np.generic, int, float, str, tuple)

# The numpy error model leaves out the checks for division by zero that CUDA lacks as well.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def compiled(function: F) -> F:
    """Mark a function as part of a game or player: compiled into whatever calls it."""
    return cast(F, numba.njit(function, forceinline=True, **_OPTIONS))


def compiled_entry(template: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Compile `template` with its global `names` filled in, cached on disk by content.

    `template` is a plain function without closure; the globals that it leaves open (the game's
    or the player's functions) are taken from `names`.
    """
    assert isinstance(template, FunctionType)
    assert template.__closure__ is None
    namespace = {**template.__globals__, **names}
    bound = FunctionType(template.__code__, namespace, template.__name__, template.__defaults__)
    bound.__module__ = template.__module__
    bound.__qualname__ = f"{template.__name__}_{fingerprint(bound)}"
    return cast(Callable[..., Any], numba.njit(bound, cache=True, **_OPTIONS))


def fingerprint(function: Callable[..., Any]) -> str:
    """Return a hash of all code and constants that `function` can reach."""
    digest = hashlib.sha256(f"numba {numba.__version__}".encode())
    _feed(function, digest.update, {})
    return digest.hexdigest()[:20]


def _feed(value: Any, update: Callable[[bytes], None], seen: dict[int, int]) -> None:
    """Hash `value`, following functions into whatever they refer to."""
    if isinstance(value, Dispatcher):
        update(repr(sorted(value.targetoptions.items())).encode())
        value = value.py_func
    elif isinstance(value, _Intrinsic):
        value = value._defn
    if isinstance(value, FunctionType):
        if id(value) in seen:
            update(b"seen %d" % seen[id(value)])
            return
        seen[id(value)] = len(seen)
        _feed_function(value, update, seen)
    elif isinstance(value, np.ndarray):
        update(f"array {value.dtype.str} {value.shape}".encode())
        update(value.tobytes())
    elif isinstance(value, tuple):
        update(b"tuple %d" % len(value))
        for item in value:
            _feed(item, update, seen)
    else:
        update(f"{type(value).__name__} {value!r}".encode())


def _feed_function(
    function: FunctionType, update: Callable[[bytes], None], seen: dict[int, int]
) -> None:
    names = _feed_code(function.__code__, update)
    _feed(function.__defaults__ or (), update, seen)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    reached = [(name, cell.cell_contents) for name, cell in cells]
    reached += [
        (name, function.__globals__[name]) for name in sorted(names & {*function.__globals__})
    ]
    for name, value in reached:
        update(name.encode())
        if isinstance(value, ModuleType):
            for found in _named_in(value, names, set()):
                _feed(found, update, seen)
        else:
            _feed(value, update, seen)


def _named_in(module: ModuleType, names: set[str], visited: set[int]) -> Iterator[tuple[str, Any]]:
    """Yield what `names` may mean in a module: functions and constants, a user's perhaps."""
    visited.add(id(module))
    for name in sorted(names & vars(module).keys()):
        value = vars(module)[name]
        if isinstance(value, ModuleType) and id(value) not in visited:
            yield from _named_in(value, names, visited)
        elif isinstance(value, _FROM_MODULES):
            yield name, value


def _feed_code(code: CodeType, update: Callable[[bytes], None]) -> set[str]:
    """Hash one code object with those nested in it; return the names that they use."""
    update(code.co_code)
    update(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode())
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _feed_code(constant, update)
        else:
            update(repr(constant).encode())
    return names
