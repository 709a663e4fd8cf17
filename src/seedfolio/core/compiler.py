"""Compiling games and players: one decorator, and a disk cache that never goes stale.

Functions marked `compiled` call each other freely and are compiled on first use. CPU and CUDA use
the same source. Only *entries* (the few functions that Python calls) are cached on disk. numba
keys its cache by file and name, and ignores what a function refers to. So the name of an entry
contains a hash of everything it reaches: the code and constants of every function below it.
Another game, size or edit gives another name; the next process finds an unchanged entry again. If
an entry reaches something that we cannot hash, it is not cached.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.registry import CPUDispatcher
from numba.extending import overload

from seedfolio.core.code_cache import keep_code

F = TypeVar("F", bound=Callable[..., Any])

# The version of these libraries fixes their functions, so hashing a function's name is enough.
_LIBRARIES = {"builtins", "math", "operator", "_operator", "numpy", "numba", "llvmlite"}

# Types whose repr gives the whole value: exactly these types, and these with their subclasses.
_PLAIN = {bool, int, float, complex, str, bytes, NoneType}
_DESCRIBED = (types.Number, types.Boolean, np.dtype)

# The numpy error model omits the checks for division by zero, as CUDA does.
# Omitting the wrapper for C, which nothing here calls, makes compiling 5% faster.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
INLINED: dict[str, Any] = {"forceinline": True, **_OPTIONS}
"""Options of numba.njit for functions that are inlined into their callers."""


class _Part(CPUDispatcher):
    """A function for calls from compiled code only, which takes 20% less time to compile.

    A call from Python goes to a second version, compiled on first use.
    """

    def __call__(self, *arguments: Any) -> Any:
        return _for_python(self.py_func)(*arguments)


@cache
def _for_python(function: Callable[..., Any]) -> Callable[..., Any]:
    return cast(Callable[..., Any], numba.njit(function, **INLINED))


def compiled(function: F) -> F:
    """Mark a function as part of a game or player: it is inlined into its compiled callers.

    >>> from seedfolio import compiled
    >>> @compiled
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """
    without_wrapper: dict[str, Any] = {**INLINED, "no_cpython_wrapper": True}
    part = numba.njit(function, **without_wrapper)
    part.__class__ = _Part
    return cast(F, part)


def compiled_once(function: F) -> F:
    """Mark a large function as part of a game or player: its compiled callers call it.

    So it is compiled once, however many callers it has. Use it where a copy for each caller would
    take long to compile, and where a call costs little beside the work of the function.

    >>> from seedfolio.core.compiler import compiled_once
    >>> @compiled_once
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """
    without_wrapper: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True}
    part = numba.njit(function, **without_wrapper)
    part.__class__ = _Part
    return cast(F, part)


def merged(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled function that becomes part of its caller before that is compiled.

    What `compiled` inlines is first compiled on its own, with all that it calls, and then again
    with its caller. For a large function that is called in one place this saves the first time. A
    user's function stays apart, so that an error message names its line.
    """
    source = function.py_func if isinstance(function, Dispatcher) else function
    if not source.__module__.startswith(f"{__package__.partition('.')[0]}."):
        return function
    return cast(Callable[..., Any], numba.njit(source, inline="always", **_OPTIONS))


_OVERLOADS: dict[Callable[..., Any], Callable[..., Any]] = {}


def overloaded(function: Callable[..., Any], **options: Any) -> Callable[[F], F]:
    """Register a generator of the code that compiled callers on the CPU get for `function`.

    As numba's `overload`. What is registered here is part of the key of the disk cache.
    """

    def register(generator: F) -> F:
        _OVERLOADS[function] = generator
        return overload(function, **options)(generator)

    return register


def compiled_entry(template: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Compile `template` with its global `names` filled in, cached on disk by content.

    `template` is a plain function without closure. `names` gives the globals that it leaves open
    (the functions of a game or player).
    """
    bound, cached = named_by_content(template, names)
    entry = numba.njit(bound, **_OPTIONS)
    if cached:
        keep_code(entry)
    return cast(Callable[..., Any], entry)


def compiled_apart(template: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Compile `template` with its global `names` filled in, without inlining it into its callers.

    So the code around a call does not change how the function is compiled.
    """
    bound, _ = named_by_content(template, names)
    return cast(Callable[..., Any], numba.njit(bound, **_OPTIONS))


def named_by_content(
    template: Callable[..., Any], names: Mapping[str, Any], *also: Callable[..., Any]
) -> tuple[FunctionType, bool]:
    """Return `template` with `names` filled in and a hash of its content in its name.

    `also` lists functions that it reaches in ways we do not see, such as overloads for CUDA. The
    second value says whether all content could be hashed, so that caching on disk is safe. If not,
    the name has no hash.
    """
    bound = filled_in(template, names)
    content = fingerprint(bound, *also)
    if content is not None:
        bound.__qualname__ = f"{template.__name__}_{content}"
    return bound, content is not None


def filled_in(template: Callable[..., Any], names: Mapping[str, Any]) -> FunctionType:
    """Return `template` with `names` as the globals that it leaves open."""
    assert isinstance(template, FunctionType)
    assert template.__closure__ is None
    namespace = {**template.__globals__, **names}
    bound = FunctionType(template.__code__, namespace, template.__name__, template.__defaults__)
    bound.__module__ = template.__module__
    return bound


def fingerprint(*functions: Callable[..., Any]) -> str | None:
    """Return a hash of all code and constants that `functions` can reach.

    Return None if they reach a value that we cannot hash.
    """
    content = _Content()
    for function in functions:
        content.feed(function)
    return content.digest.hexdigest()[:20] if content.known else None


def _is_intrinsic_of_cuda(value: Any) -> bool:
    return type(value).__name__ == "_Intrinsic" and type(value).__module__.startswith("numba.cuda")


class _Content:
    """Hashes values, following functions into whatever they refer to."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.known = True
        self._seen: dict[int, int] = {}
        self._put(numba.__version__, np.__version__)

    def feed(self, value: Any) -> None:
        """Hash `value`; set `known` to false if that is not possible."""
        if isinstance(value, Dispatcher):
            self._put(sorted(value.targetoptions.items()))
            value = value.py_func
        elif isinstance(value, _Intrinsic) or _is_intrinsic_of_cuda(value):
            value = value._defn
        if (name := _name_in_library(value)) is not None:
            self._put("library", name)
        elif isinstance(value, FunctionType):
            self._feed_function(value)
        elif isinstance(value, type):
            self._feed_class(value)
        elif isinstance(value, Enum):
            self.feed(type(value))
            self._put(value.name)
            self.feed(value.value)
        elif isinstance(value, tuple):
            self.feed(type(value))
            self._put(len(value))
            for item in value:
                self.feed(item)
        elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            self._put("array", value.dtype, value.shape, value.tobytes())
        elif type(value) in _PLAIN or isinstance(value, _DESCRIBED):
            self._put(type(value).__name__, value)
        else:
            self.known = False

    def _put(self, *parts: Any) -> None:
        """Hash the repr of each part, with its length so that parts do not run together."""
        for part in parts:
            data = repr(part).encode()
            self.digest.update(b"%d:" % len(data) + data)

    def _feed_class(self, value: type) -> None:
        """Hash one of the few kinds of class that compiled code can use."""
        # Compiled code on disk finds a class, as it does a function, by module and name.
        self._put("class", value.__module__, value.__qualname__)
        self._put([base.__qualname__ for base in value.__mro__])
        if issubclass(value, Enum):
            for name, member in value.__members__.items():
                self._put(name)
                self.feed(member.value)
        elif issubclass(value, tuple) and hasattr(value, "_fields"):
            self._put(value._fields)
            for name, default in getattr(value, "_field_defaults", {}).items():
                self._put(name)
                self.feed(default)
        elif not issubclass(value, BaseException):
            self.known = False

    def _feed_function(self, function: FunctionType) -> None:
        if id(function) in self._seen:
            self._put("seen", self._seen[id(function)])
            return
        self._seen[id(function)] = len(self._seen)
        # Compiled code on disk imports the module by name: it must be the one loaded now.
        self._put("function", function.__module__, function.__qualname__)
        if function.__module__ not in sys.modules:
            self.known = False
        names = self._feed_code(function.__code__)
        self.feed(function.__defaults__ or ())
        self.feed(tuple(sorted((function.__kwdefaults__ or {}).items())))
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        reached = [(name, cell.cell_contents) for name, cell in cells]
        reached += [
            (name, function.__globals__[name]) for name in sorted(names & {*function.__globals__})
        ]
        for name, value in reached:
            self._put(name)
            if isinstance(value, ModuleType):
                self._feed_module(value, names, set())
            else:
                self.feed(value)
        if function in _OVERLOADS:
            self.feed(_OVERLOADS[function])

    def _feed_code(self, code: CodeType) -> set[str]:
        """Hash one code object with those nested in it; return the names that they use."""
        self._put(code.co_code, code.co_exceptiontable, code.co_flags)
        self._put(code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self._put(code.co_argcount, code.co_kwonlyargcount, len(code.co_consts))
        names = set(code.co_names)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                names |= self._feed_code(constant)
            elif isinstance(constant, frozenset):
                self._put(sorted(map(repr, constant)))  # the order of a set varies
            else:
                self._put(constant)
        return names

    def _feed_module(self, module: ModuleType, names: set[str], visited: set[int]) -> None:
        """Hash what `names` may refer to in a module, unless it belongs to a library."""
        self._put("module", module.__name__)
        if _is_library(module.__name__):
            return
        visited.add(id(module))
        for name in sorted(names & vars(module).keys()):
            value = vars(module)[name]
            self._put(name)
            if not isinstance(value, ModuleType):
                self.feed(value)
            elif id(value) not in visited:
                self._feed_module(value, names, visited)


def _is_library(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in _LIBRARIES


def _name_in_library(value: Any) -> str | None:
    """Return the full name of a library's function or class, None for anything else."""
    name = getattr(value, "__name__", None)
    if isinstance(name, str) and vars(np).get(name) is value:  # ufuncs do not know their module
        return f"numpy.{name}"
    module = None
    if isinstance(value, FunctionType):
        # Not __module__: a user's wrapper may have copied it from the function it wraps.
        module = value.__globals__.get("__name__")
    elif isinstance(value, type | BuiltinFunctionType):
        module = value.__module__
    return f"{module}.{value.__qualname__}" if _is_library(module) else None
