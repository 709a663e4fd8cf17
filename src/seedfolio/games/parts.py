"""Random games to the end that are played in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Parts:
    """A random game to the end in parts, for programs that play many at once on a GPU.

    Neighbours there wait for each other; whoever is done with a short game can begin the next one
    after each part, instead of waiting for the end of the longest. Functions are compiled.
    """

    begin: Callable[[Any, Any, Any], Any]
    """begin(state, key, step): what is passed on from part to part, a tuple; `step` is the number
    of the next random number."""
    advance: Callable[[Any, Any, Any, Any], Any]
    """advance(run, key, out, at): the same after some more moves."""
    is_over: Callable[[Any], Any]
    score: Callable[[Any], Any]
    """score(run): half points of the first player once it is over."""
