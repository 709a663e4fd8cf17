"""Seeds sorted by success, and how much of the difference is luck.

Sorted successes form a rising curve even if all seeds are equal, and the best of many measured
seeds is partly the luckiest. So we compare the sorted successes with two other curves: the curve
that equal seeds would give, and the success of the same seeds, in the same order, against opponents
that were not used to sort them.

Every function takes the successes of both colours: seeds (rows) against opponents (columns).
Rank n means the n-th worst first-player seed and the n-th worst second-player seed; its success is
the mean of the two.
"""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
import numpy.typing as npt

from seedfolio.evaluation.exploiters import Estimate, both_colours, exploiter_success

Floats = npt.NDArray[np.float64]
Colours = tuple[Floats, Floats]

_REPETITIONS = 400
_GENERATOR_SEED = 20160629
_ROUNDING = 1e-9


@dataclass(frozen=True)
class LuckBand:
    """Success at each rank if all seeds were equal: its mean and its central 95% range."""

    mean: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class RankGroup:
    """Seeds of neighbouring ranks: their mean rank, counted from 1, and their mean success."""

    rank: float
    success: Estimate


def sorted_success(training: Colours) -> Floats:
    """Return the success at each rank, from the worst to the best."""
    first, second = training
    curve: Floats = (np.sort(first.mean(axis=1)) + np.sort(second.mean(axis=1))) / 2
    return curve


def measurement_error(training: Colours) -> float:
    """Return the standard error of the success at one rank if all seeds were equal."""
    first, second = (sqrt(colour.var(axis=0).sum()) / colour.shape[1] for colour in training)
    return hypot(first, second) / 2


def equal_seeds(training: Colours, full: int = 2) -> LuckBand:
    """Return what sorting would show if all seeds were equally strong against each opponent.

    The results against an opponent then have the distribution of its column. (All seeds meet the
    same opponents, and opponents differ; one common distribution would overrate luck.) The
    distribution of a seed's total is exact. The sorted curves are drawn from it by a generator of
    fixed seed. A success of 1 is `full` half points.
    """
    first, second = training
    generator = np.random.default_rng(_GENERATOR_SEED)
    drawn = (_sorted_draws(first, full, generator) + _sorted_draws(second, full, generator)) / 2
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return LuckBand(drawn.mean(axis=0), low, high)


def unseen_success(training: Colours, unseen: Colours, groups: int = 20) -> list[RankGroup]:
    """Return the success against unseen opponents, for groups of seeds in the order of training.

    The seeds are fixed and the unseen opponents are a sample, so the error is over the opponents.
    """
    seeds = len(training[0])
    by_colour = [
        np.array_split(played[np.argsort(sorting.mean(axis=1), kind="stable")], min(groups, seeds))
        for sorting, played in zip(training, unseen, strict=True)
    ]
    ranks = np.array_split(np.arange(1, seeds + 1), min(groups, seeds))
    return [
        RankGroup(
            float(rank.mean()),
            both_colours(
                exploiter_success(first.mean(axis=0), 1), exploiter_success(second.mean(axis=0), 1)
            ),
        )
        for rank, first, second in zip(ranks, *by_colour, strict=True)
    ]


def _sorted_draws(successes: Floats, full: int, generator: np.random.Generator) -> Floats:
    """Return sorted successes of as many equal seeds as there are rows, one repetition a row."""
    seeds, opponents = successes.shape
    below = np.cumsum(_law_of_total(successes, full))
    totals = np.searchsorted(below, generator.random((_REPETITIONS, seeds)), side="right")
    # The last sum may fall short of 1 by rounding.
    most = full * opponents
    draws: Floats = np.sort(np.minimum(totals, most), axis=1) / most
    return draws


def _law_of_total(successes: Floats, full: int) -> Floats:
    """Return the probabilities of 0, 1, ... half points in total, if all seeds are equal."""
    half_points = np.rint(full * successes).astype(np.int64)
    if np.abs(half_points - full * successes).max() > _ROUNDING:
        raise ValueError(f"successes of cells must be whole half points of {full}")
    law: Floats = np.ones(1)
    for column in half_points.T:
        law = np.convolve(law, np.bincount(column, minlength=full + 1) / len(column))
    return law
