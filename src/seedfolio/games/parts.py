"""Random games (rollouts) that are played in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Parts:
    """A random game to the end, in parts, for players that play many at once on a GPU.

    The threads of a warp wait for each other. With parts, a thread that has finished a short game
    starts the next one after the current part, and need not wait for the longest game. Functions
    are compiled.

    >>> from seedfolio import Parts, load_game
    >>> isinstance(load_game("go:5x5").rules.parts, Parts)
    True
    """

    begin: Callable[[Any, Any, Any], Any]
    """begin(state, key, step): the run, a tuple that is passed from part to part. `step` is the
    index of the next random number."""
    advance: Callable[[Any, Any, Any, Any], Any]
    """advance(run, key, out, at): the run after some more moves."""
    is_over: Callable[[Any], Any]
    score: Callable[[Any], Any]
    """score(run): half points of the first player once the run is over."""
