"""The games of a UCBT player against one opponent: many repetitions, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiling import compiled, compiled_entry
from seedfolio.core.randomness import GOLDEN, fold, mix
from seedfolio.learning.ucbt import NARROW, SPREAD, WIDE, growth

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OnlineRuns:
    """Losing rates of all repetitions (rows) at all of `marks_of` the games (columns)."""

    played: _Floats
    """In the games since the mark before."""
    settled: _Floats
    """Of the arm of the best mean so far."""
    least: float
    """Of the arm that is best against this opponent."""


def marks_of(games: int) -> NDArray[np.int64]:
    """Return 1, 2, 4, ... and last the number of games."""
    powers = [2**power for power in range(games.bit_length())]
    return np.array([*powers, *([games] if games > powers[-1] else [])])


def learn_online(
    successes: _Floats, weights: _Floats, games: int, keys: NDArray[np.uint64], luck: bool
) -> OnlineRuns:
    """Play UCBT against an opponent who draws columns of `successes` by `weights`.

    `successes` are those of our arms, in rows. There is a repetition for each key. With `luck`, a
    success is the chance to win a game; otherwise it is what every such game brings.
    """
    marks = marks_of(games)
    grown = np.array([growth(time) for time in range(1, games + 1)])
    lost = np.zeros((len(keys), len(marks)))
    settled = np.zeros(lost.shape, np.int64)
    successes = np.ascontiguousarray(successes)
    _learner()(successes, np.cumsum(weights), keys, grown, marks, luck, lost, settled)
    rates = 1 - (successes * weights).sum(axis=1)
    return OnlineRuns(lost / np.diff(marks, prepend=0), rates[settled], float(rates.min()))


@cache
def _learner() -> Any:
    return compiled_entry(_learn_template, {})


@compiled
def _number(key: Any, part: Any) -> Any:
    """Return a number in [0, 1), as `Distribution.draw` makes it, of one part of a game's luck."""
    return (mix(fold(key, part)) >> uint64(11)) / 2.0**53


@compiled
def _choose(
    means: Any, wide: Any, narrow: Any, full: Any, grown: Any, scores: Any, key: Any
) -> Any:
    """Return the arm that `Ucbt.choose` takes.

    `full` is the growth from which on an arm's score is 1. As long as there is such an arm, which
    is most of the time against an opponent that can be beaten, no score need be computed.
    """
    tied = 0
    for arm in range(len(full)):
        tied += full[arm] <= grown
    some_full = tied > 0
    highest = 0.0
    if not some_full:
        root = np.sqrt(grown)
        for arm in range(len(means)):
            scores[arm] = means[arm] + wide[arm] * root + narrow[arm] * grown
            tied = 1 if scores[arm] > highest else tied + (scores[arm] == highest)
            highest = max(highest, scores[arm])
    skip = int64(((mix(key) >> uint64(32)) * uint64(tied)) >> uint64(32))
    arm = -1
    while skip >= 0:
        arm += 1
        skip -= full[arm] <= grown if some_full else scores[arm] == highest
    return arm


@compiled
def _best(means: Any, counts: Any) -> Any:
    """Return the arm that `Ucbt.best` settles on."""
    best = 0
    for arm in range(len(means)):
        if counts[arm] > 0:
            better = means[arm] > means[best] or counts[best] == 0
            if better or (means[arm] == means[best] and counts[arm] > counts[best]):
                best = arm
    return best


def _learn_template(
    successes: Any,
    sums: Any,
    keys: Any,
    grown: Any,
    marks: Any,
    luck: Any,
    lost: Any,
    settled: Any,
) -> None:
    """Play every repetition as `Ucbt` does; note losses and the best arm at each mark.

    Of an arm's score only the growth changes while it does not play, so that its parts are kept:
    the mean, and what is to be multiplied with the growth and with its root.
    """
    arms = len(successes)
    for k in range(len(keys)):
        counts, rewards = np.zeros(arms), np.zeros(arms)
        means, wide, narrow = np.ones(arms), np.zeros(arms), np.zeros(arms)
        full, scores = np.zeros(arms), np.zeros(arms)
        mark = 0
        for game in range(len(grown)):
            key = mix(keys[k] + GOLDEN * uint64(game + 1))
            arm = _choose(means, wide, narrow, full, grown[game], scores, fold(key, 0))
            point = _number(key, 1) * sums[-1]
            column = min(np.searchsorted(sums, point, side="right"), len(sums) - 1)
            reward = successes[arm, column]
            if luck:
                reward = 1.0 if _number(key, 2) < reward else 0.0
            counts[arm] += 1
            rewards[arm] += reward
            means[arm] = rewards[arm] / counts[arm]
            wide[arm] = WIDE * np.sqrt(SPREAD / counts[arm])
            narrow[arm] = NARROW / counts[arm]
            gap = 4 * narrow[arm] * (1 - means[arm])
            full[arm] = ((np.sqrt(wide[arm] ** 2 + gap) - wide[arm]) / (2 * narrow[arm])) ** 2
            lost[k, mark] += 1 - reward
            if game + 1 == marks[mark]:
                settled[k, mark] = _best(means, counts)
                mark += 1
