"""Positions that occur again in a game, and the memory for them.

Some games end when a position occurs for the third time. A state holds one position, so it cannot
know. The match keeps the keys of the positions since the last irreversible move, and tells each new
state how often it has occurred before. So `moves` and `score` need no memory of their own, and all
that plays a game asks `begun` and `played` in place of `start` and `play`. Where rules have no
`Repetition` these are the same functions, and nothing is kept.

The memory is the end of an array that the match has anyway: two 32-bit numbers for each key. The
key of a position stands at its age, the number of plies since the last irreversible move. The
positions that it can repeat are then just those before it, and an irreversible move forgets all.

A search does not write to the memory. It asks `recurs` whether a position has occurred in the game,
and takes that for a draw: going back to it is a step on the way to repetition. It does not look for
repetition within its own lines. So the value of a position does not depend on the way to it, and
tables of positions stay exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled

_HALF = np.uint64(32)


@dataclass(frozen=True)
class Repetition:
    """How the positions of a game repeat. Functions are compiled.

    >>> from seedfolio import load_game
    >>> load_game("chess").rules.repetition.oldest
    100
    """

    key: Callable[[Any], Any]
    """key(state): 64 bits (uint64) that are the same for states that count as the same position."""
    age: Callable[[Any], Any]
    """age(state): the number of plies since the last irreversible move, which makes it 0."""
    marked: Callable[[Any, Any], Any]
    """marked(state, times): the state that knows how often its position occurred before."""
    oldest: int
    """No age is greater than this while the game goes on."""

    @property
    def room(self) -> int:
        """The number of entries that the memory takes."""
        return 2 * (self.oldest + 1)


def memory_functions(
    repetition: Repetition | None, opened: Callable[..., Any], play: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """Return `begun(setup, room)`, `played(state, move, room)` and `recurs(state, depth, room)`.

    The memory is the end of the array `room`. `opened(setup)` is the state before the first move.
    `recurs` says whether a position, `depth` plies after the last one of the game, has occurred in
    the game.
    """
    if repetition is None:
        return _without_memory(opened, play)
    key, age, marked, size = repetition.key, repetition.age, repetition.marked, repetition.room

    @compiled
    def occurrences(found: Any, end: Any, room: Any) -> Any:
        """Return how often a key is in the memory at ages below `end`."""
        base = len(room) - size
        low, high = _halves(found)
        times = int64(0)
        for k in range(end):
            at = uint64(base + 2 * k)
            times += int64(room[at] == low and room[at + uint64(1)] == high)
        return times

    @compiled
    def remember(found: Any, at_age: Any, room: Any) -> None:
        at = uint64(len(room) - size + 2 * at_age)
        room[at], room[at + uint64(1)] = _halves(found)

    @compiled
    def begun(setup: Any, room: Any) -> Any:
        state = opened(setup)
        for k in range(len(room) - size, len(room)):
            room[k] = 0
        remember(key(state), age(state), room)
        return state

    @compiled
    def played(state: Any, move: Any, room: Any) -> Any:
        after = play(state, move)
        found = key(after)
        times = occurrences(found, age(after), room)
        remember(found, age(after), room)
        return marked(after, times)

    @compiled
    def recurs(state: Any, depth: Any, room: Any) -> Any:
        # The last position of the game is as old as this one was `depth` plies ago.
        end = age(state) - depth + 1
        return end > 0 and depth > 0 and occurrences(key(state), end, room) > 0

    return {"begun": begun, "played": played, "recurs": recurs}


@compiled
def _halves(key: Any) -> Any:
    """Return a key as two numbers of 32 bits with sign."""
    low = int64(key << _HALF) >> 32
    return low, int64(key) >> 32


def _without_memory(
    opened: Callable[..., Any], play: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    @compiled
    def begun(setup: Any, room: Any) -> Any:
        return opened(setup)

    @compiled
    def played(state: Any, move: Any, room: Any) -> Any:
        return play(state, move)

    @compiled
    def recurs(state: Any, depth: Any, room: Any) -> Any:
        return False

    return {"begun": begun, "played": played, "recurs": recurs}
