"""The games of a UCBT player against one opponent: many repetitions, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.analysis.ucbt import NARROW, SPREAD, WIDE, Widening, growth
from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import GOLDEN, fold, mix
from seedfolio.errors import SpecificationError

_Floats = NDArray[np.float64]
_FADED = 230.0  # counts are rescaled before they have faded by a factor of exp(230)


@dataclass(frozen=True)
class Variant:
    """A variant of UCBT: as in the paper, with a discount, or opening more arms with time."""

    discount: float = 1.0
    widening: Widening | None = None

    def __post_init__(self) -> None:
        if not 0 < self.discount <= 1:
            raise SpecificationError(
                f"`discount` must be above 0 and at most 1, not {self.discount}"
            )

    @property
    def name(self) -> str:
        """Its name for people."""
        name = "UCBT"
        if self.discount < 1:
            name += f", discount {self.discount:g}"
        if self.widening is not None:
            name += f", widening {self.widening.factor:g} N^{self.widening.exponent:g}"
        return name


PLAIN = Variant()


@dataclass(frozen=True)
class OnlineRuns:
    """Losing rates of all repetitions (rows) at all of `marks_of` the games (columns)."""

    played: _Floats
    """In the games since the mark before."""
    settled: _Floats
    """Of the arm of the best mean so far, against the present opponent."""
    least: float
    """Of the arm that is best against this opponent; the mean over the arms that it changes to."""


def marks_of(games: int) -> NDArray[np.int64]:
    """Return 1, 2, 4, ... and last the number of games."""
    powers = [2**power for power in range(games.bit_length())]
    return np.array([*powers, *([games] if games > powers[-1] else [])])


def learn_online(
    successes: _Floats,
    weights: _Floats,
    games: int,
    keys: NDArray[np.uint64],
    *,
    luck: bool,
    variant: Variant = PLAIN,
    change: int = 0,
) -> OnlineRuns:
    """Play UCBT against an opponent that draws columns of `successes` by `weights`.

    `successes` are those of our arms, in rows. There is a repetition for each key. With `luck`, a
    success is the chance to win a game; otherwise every such game scores exactly that. With a
    `change` the opponent draws only after every `change` games, and keeps its arm in between.
    """
    marks = marks_of(games)
    lost = np.zeros((len(keys), len(marks)))
    settled, met = np.zeros((2, *lost.shape), np.int64)
    successes = np.ascontiguousarray(successes)
    opponent = np.cumsum(weights), change
    player = _course_of(variant, len(successes), games)
    _learner()(successes, *opponent, keys, *player, marks, luck, lost, settled, met)
    if change:
        rates, least = 1 - successes[settled, met], float((1 - successes.max(axis=0)) @ weights)
    else:
        losses = 1 - (successes * weights).sum(axis=1)
        rates, least = losses[settled], float(losses.min())
    return OnlineRuns(lost / np.diff(marks, prepend=0), rates, least)


def _course_of(
    variant: Variant, arms: int, games: int
) -> tuple[NDArray[np.int64], _Floats, _Floats, int, float]:
    """Return the part of a variant that does not depend on results.

    The number of open arms and the growth of scores before each game, the weight of each game,
    after how many games counts are rescaled, and the factor for that. Instead of reducing all
    counts, each game weighs more than the one before; scores depend on growth divided by counts, so
    the growth increases as well.
    """
    discount, widening = variant.discount, variant.widening
    opened = np.full(games, arms)
    if widening is not None:
        opened = np.array([min(arms, widening.opened(game)) for game in range(games)])
    every = games if discount == 1 else max(1, int(min(games, _FADED / -log(discount))))
    since = (np.arange(games) % every).astype(np.float64)
    time = 1.0
    grown = np.empty(games)
    for game in range(games):
        grown[game] = growth(time)
        time = 1 + discount * (time - 1) + 1
    return opened, grown * discount**-since, discount ** -(since + 1), every, discount**every


@cache
def _learner() -> Any:
    return compiled_entry(_learn_template, {})


@compiled
def _number(key: Any, part: Any) -> Any:
    """Return a random number in [0, 1), as `Distribution.draw` makes it, for a part of a game."""
    return (mix(fold(key, part)) >> uint64(11)) / 2.0**53


@compiled
def _choose(
    arms: Any, means: Any, wide: Any, narrow: Any, full: Any, grown: Any, scores: Any, key: Any
) -> Any:
    """Return the arm that `Ucbt.choose` takes of the first `arms`.

    `full` is the growth from which on an arm's score is 1. While there is such an arm, which is
    most of the time against an opponent that UCBT can beat, no score has to be computed.
    """
    tied = 0
    for arm in range(arms):
        tied += full[arm] <= grown
    some_full = tied > 0
    highest = 0.0
    if not some_full:
        root = np.sqrt(grown)
        for arm in range(arms):
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


@compiled
def _note(
    arm: Any, counts: Any, rewards: Any, means: Any, wide: Any, narrow: Any, full: Any
) -> None:
    """Compute the parts of an arm's score."""
    if counts[arm] == 0:  # not played yet, or so long ago that its count has faded to 0
        means[arm], wide[arm], narrow[arm], full[arm] = 1.0, 0.0, 0.0, 0.0
        return
    means[arm] = rewards[arm] / counts[arm]
    wide[arm] = WIDE * np.sqrt(SPREAD / counts[arm])
    narrow[arm] = NARROW / counts[arm]
    gap = 4 * narrow[arm] * (1 - means[arm])
    full[arm] = ((np.sqrt(wide[arm] ** 2 + gap) - wide[arm]) / (2 * narrow[arm])) ** 2


@compiled
def _draw(sums: Any, number: Any) -> Any:
    """Return the column that a number in [0, 1) draws, as `Distribution.draw` does."""
    return min(np.searchsorted(sums, number * sums[-1], side="right"), len(sums) - 1)


def _learn_template(
    successes: Any,
    sums: Any,
    change: Any,
    keys: Any,
    opened: Any,
    grown: Any,
    weights: Any,
    every: Any,
    fading: Any,
    marks: Any,
    luck: Any,
    lost: Any,
    settled: Any,
    met: Any,
) -> None:
    """Play every repetition as `Ucbt` does; note losses, the best arm and the column at each mark.

    While an arm does not play, only the growth in its score changes. So the parts of the score are
    kept: the mean, and the factors of the growth and of its root.
    """
    arms = len(successes)
    for k in range(len(keys)):
        counts, rewards = np.zeros(arms), np.zeros(arms)
        means, wide, narrow = np.ones(arms), np.zeros(arms), np.zeros(arms)
        full, scores = np.zeros(arms), np.zeros(arms)
        mark, column = 0, 0
        for game in range(len(grown)):
            if game > 0 and game % every == 0:
                for arm in range(arms):
                    counts[arm] *= fading
                    rewards[arm] *= fading
                    _note(arm, counts, rewards, means, wide, narrow, full)
            key = mix(keys[k] + GOLDEN * uint64(game + 1))
            arm = _choose(
                opened[game], means, wide, narrow, full, grown[game], scores, fold(key, 0)
            )
            if change == 0 or game % change == 0:
                column = _draw(sums, _number(key, 1))
            reward = successes[arm, column]
            if luck:
                reward = 1.0 if _number(key, 2) < reward else 0.0
            counts[arm] += weights[game]
            rewards[arm] += reward * weights[game]
            _note(arm, counts, rewards, means, wide, narrow, full)
            lost[k, mark] += 1 - reward
            if game + 1 == marks[mark]:
                settled[k, mark], met[k, mark] = _best(means, counts), column
                mark += 1
