"""Find random numbers of Python or numpy in compiled functions.

They come from a running stream, so the same seed would play another game each time. numba compiles
them nevertheless.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

_STREAMS = (np.random.RandomState, np.random.Generator)


def random_numbers(function: Any) -> str | None:
    """Return what `function`, or a function that it calls, draws random numbers with, or None."""
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
