"""Counter-based random numbers: every number is a hash of where it is needed.

Nothing here keeps state. A number depends only on (seed, colour, ply, simulation, step), so a game
is the same on every thread, batch, machine and backend. The hash is the finaliser of splitmix64,
applied once for each of these levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
_SHIFT_3 = np.uint64(31)
_HALF = np.uint64(32)
_ONE = np.uint64(1)

Words = NDArray[np.uint64]


@compiled
def mix(z: Any) -> Any:
    """Scramble 64 bits (the splitmix64 finaliser, a bijection).

    >>> import numpy as np
    >>> from seedfolio import mix
    >>> mix(np.uint64(1))
    6238072747940578789
    """
    z = (z ^ (z >> _SHIFT_1)) * _MULTIPLY_1
    z = (z ^ (z >> _SHIFT_2)) * _MULTIPLY_2
    return z ^ (z >> _SHIFT_3)


@compiled
def move_key(seed: Any, colour: Any, ply: Any) -> Any:
    """Return the key of all randomness that `seed` uses as `colour` at `ply`.

    Seat 2 at a ply has the key of seat 0 at the next one: so a cell gives other seats other seeds.

    >>> from seedfolio import move_key
    >>> move_key(195, 0, 3)
    17250906211967048925
    """
    return mix(mix(uint64(seed) + GOLDEN) + GOLDEN * uint64(1 + 2 * ply + colour))


@compiled
def simulation_key(key: Any, simulation: Any) -> Any:
    """Return the key of one simulation under a move's key.

    It is also `word(key, simulation)`: use a key for simulations or for numbers, not for both.

    >>> import numpy as np
    >>> from seedfolio import move_key, simulation_key
    >>> simulation_key(np.uint64(move_key(195, 0, 3)), 7)
    11619356923237587998
    """
    return mix(key + GOLDEN * uint64(simulation + 1))


@compiled
def word(key: Any, step: Any) -> Any:
    """Return the `step`-th number under `key`, 64 random bits."""
    return mix(key + GOLDEN * uint64(step + 1))


@compiled
def below(key: Any, step: Any, bound: Any) -> Any:
    """Return the `step`-th number under `key`, uniform in 0..bound-1.

    The upper 32 bits are scaled, so the bias is below bound / 2**32.

    >>> import numpy as np
    >>> from seedfolio import below
    >>> [below(np.uint64(7), step, 6) for step in range(5)]
    [2, 0, 5, 3, 2]
    """
    return int64(((word(key, step) >> _HALF) * uint64(bound)) >> _HALF)


@compiled
def fold(history: Any, event: Any) -> Any:
    """Return the hash of a history extended by one event."""
    return mix(history + GOLDEN * uint64(event + 1))


@compiled
def noticed(history: Any, event: Any) -> Any:
    """Return the hash of what a colour has noticed, after one more event; -1 means no event."""
    return fold(history, event) if event >= 0 else history


@compiled
def luck_key(row: Any, column: Any, repeat: Any) -> Any:
    """Return the key of all luck in one game of a cell: chance in the rules and in the players.

    It mixes the seeds differently from `move_key`, so luck is independent of the players' moves.
    """
    return mix(mix(mix(~uint64(row)) + uint64(column)) + GOLDEN * uint64(repeat + 1))


@compiled
def luck_of(luck: Any, colour: Any) -> Any:
    """Return the key of a colour's luck, separate from the rules' so no player foresees chance."""
    return mix(luck ^ (GOLDEN * uint64(colour + 1)))


_MASK = (1 << 64) - 1


def mix_int(z: int) -> int:
    """`mix` for Python integers, for code that is not compiled."""
    z &= _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def fold_words(histories: Words, events: Words) -> Words:
    """`fold` for arrays, in NumPy."""
    z = histories + GOLDEN * (events + _ONE)
    z = (z ^ (z >> _SHIFT_1)) * _MULTIPLY_1
    z = (z ^ (z >> _SHIFT_2)) * _MULTIPLY_2
    return np.asarray(z ^ (z >> _SHIFT_3), np.uint64)


def events_between(histories: Words, later: Words) -> Words:
    """Return the one event that extends each history to the later one, among all 64-bit words.

    It is a true event only if it is small: between any two hashes there is some word.
    """
    z = later ^ (later >> _SHIFT_3) ^ (later >> (_SHIFT_3 + _SHIFT_3))
    z = z * _inverse(_MULTIPLY_2)
    z = z ^ (z >> _SHIFT_2) ^ (z >> (_SHIFT_2 + _SHIFT_2))
    z = z * _inverse(_MULTIPLY_1)
    z = z ^ (z >> _SHIFT_1) ^ (z >> (_SHIFT_1 + _SHIFT_1))
    return np.asarray((z - histories) * _inverse(GOLDEN) - _ONE, np.uint64)


def _inverse(odd: np.uint64) -> np.uint64:
    return np.uint64(pow(int(odd), -1, 2**64))
