"""The papers' figures, drawn from what a study has already played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from seedfolio.core.trust import Permit
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import (
    CRITERIA,
    Estimate,
    both_colours,
    criteria_for,
    exploiter_success,
)
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import arm_success, weighted_success
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.registry import matrix_learner
from seedfolio.report.plots.figures import drawn_figure, panels, show_values
from seedfolio.study.arms import TrainingArms, UnseenArms, training_scores
from seedfolio.study.store import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
                exploiter_success(first.mean(axis=0), 1),
                exploiter_success(second.mean(axis=0), 1),
                same=True,
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


_MEASURED = "#0072b2"
_UNSEEN = "#d55e00"
_LUCK = "#222222"

_K_LABELS = 7  # more labels would overlap


@dataclass(frozen=True)
class SeedCurve:
    """How much the seeds of one game differ: successes of both colours, seeds x opponents.

    `training` are the results that sort the seeds, each a multiple of 1 / full. `unseen` are
    results of the same seeds against opponents that were not used for sorting, if there are any.
    """

    title: str
    training: Colours
    unseen: Colours | None = None
    full: int = 2

    def __post_init__(self) -> None:
        if len({len(colour) for colour in (*self.training, *(self.unseen or ()))}) != 1:
            raise ValueError(f"{self.title}: the same number of seeds is needed in all arrays")


@dataclass(frozen=True)
class KCurve:
    """A learner's success by the number of seeds: for each K in `ks`, one value per criterion."""

    learner: str
    ks: Sequence[int]
    estimates: Sequence[Sequence[Estimate]]

    def __post_init__(self) -> None:
        columns = {len(row) for row in self.estimates}
        if len(self.ks) != len(self.estimates) or len(columns) != 1 or max(columns) > len(CRITERIA):
            raise ValueError(f"{self.learner}: expected as many estimates for each K")


def plot_seed_success(path: Path | None, curves: Sequence[SeedCurve]) -> Figure:
    """Plot the success of sorted seeds, beside luck and unseen opponents, one panel a game.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _seed_figure(curves), path)


def plot_success_against_k(path: Path | None, title: str, curves: Sequence[KCurve]) -> Figure:
    """Plot success against the number of seeds K, one panel a learner, one line a criterion.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _k_figure(title, curves), path)


def _seed_figure(curves: Sequence[SeedCurve]) -> Figure:
    figure, axes = panels(len(curves))
    for axis, curve in zip(axes, curves, strict=True):
        _draw_seeds(axis, curve)
    # One legend for all panels; some may have no unseen results.
    entries = {
        label: handle
        for axis in axes
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(list(entries.values()), list(entries), loc="outside lower center")
    return figure


def _draw_seeds(axis: Axes, curve: SeedCurve) -> None:
    measured = sorted_success(curve.training)
    ranks = np.arange(1, len(measured) + 1)
    axis.plot(
        ranks, 100 * measured, color=_MEASURED, linewidth=2.5, label="as measured in learning"
    )
    luck = equal_seeds(curve.training, curve.full)
    axis.fill_between(ranks, 100 * luck.low, 100 * luck.high, color=_LUCK, alpha=0.3, linewidth=0)
    axis.plot(
        ranks,
        100 * luck.mean,
        color=_LUCK,
        linewidth=1.2,
        linestyle=(0, (4, 2)),
        label="luck: what equal seeds would show (band: 95%)",
    )
    if curve.unseen is not None:
        groups = unseen_success(curve.training, curve.unseen)
        drawn = axis.errorbar(
            [group.rank for group in groups],
            [100 * group.success.mean for group in groups],
            yerr=[100 * group.success.error for group in groups],
            fmt="o",
            markersize=3.5,
            linewidth=1,
            color=_UNSEEN,
            label="same seeds and order, unseen opponents (±1 standard error)",
        )
        texts = [f"seeds about rank {each.rank:.0f}: {each.success.text}%" for each in groups]
        show_values(drawn[0], texts)
    axis.set_title(curve.title, pad=18)
    error = 100 * measurement_error(curve.training)
    note = f"{len(ranks)} seeds, {curve.training[0].shape[1]} opponents, standard error {error:.1f}"
    axis.text(0, 1.03, note, transform=axis.transAxes, fontsize=8, color="#666666")
    axis.set_xlabel("rank of the seed, worst first")
    axis.margins(x=0.02)


def _k_figure(title: str, curves: Sequence[KCurve]) -> Figure:
    figure, axes = panels(len(curves), share_y=True)
    figure.suptitle(title, x=0.01, horizontalalignment="left")
    for axis, curve in zip(axes, curves, strict=True):
        _draw_learner(axis, curve)
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        title="against the worst for us of K' unseen seeds (band: ±1 standard error)",
        loc="outside lower center",
        ncols=len(CRITERIA),
    )
    return figure


def _draw_learner(axis: Axes, curve: KCurve) -> None:
    from matplotlib import colormaps
    from matplotlib.ticker import NullLocator

    axis.axhline(50, color="#888888", linewidth=0.8, linestyle=(0, (4, 3)))
    criteria = CRITERIA[: len(curve.estimates[0])]
    colours = colormaps["viridis"](np.linspace(0, 0.88, len(criteria)))
    for column, (opponents, colour) in enumerate(zip(criteria, colours, strict=True)):
        mean = np.array([100 * row[column].mean for row in curve.estimates])
        error = np.array([100 * row[column].error for row in curve.estimates])
        axis.fill_between(curve.ks, mean - error, mean + error, color=colour, alpha=0.2, lw=0)
        (line,) = axis.plot(
            curve.ks,
            mean,
            color=colour,
            marker="os^Dv"[column],
            markersize=3.5,
            label=f"K'={opponents}",
        )
        texts = [row[column].text for row in curve.estimates]
        named = zip(curve.ks, texts, strict=True)
        show_values(line, [f"K={k}, K'={opponents}: {text}%" for k, text in named])
    axis.set_title(curve.learner)
    axis.set_xscale("log", base=2)
    shown = curve.ks[:: -(-len(curve.ks) // _K_LABELS)]
    axis.set_xticks(shown, [str(k) for k in shown])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xlabel("K, number of seeds")


_SMALLEST_K = 8


@dataclass(frozen=True)
class PlayedMatrices:
    """The whole matrices that a study has played, and the unseen seeds that they met."""

    title: str
    k: int
    kt: int
    opponents: int
    luck: Luck


def draw_seeds(study: Study, played: PlayedMatrices, path: Path | None) -> Figure:
    """Draw the sorted success of seeds against luck.

    Fig. 1 of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).
    """
    first, second = training_scores(study, TrainingArms(0, played.k), played.kt)
    unseen = _unseen_success(study, played)
    training = (first / study.full, second / study.full)
    return plot_seed_success(path, [SeedCurve(played.title, training, unseen, study.full)])


def draw_k_curves(
    study: Study,
    played: PlayedMatrices,
    learners: Sequence[str],
    path: Path | None,
    *,
    square: bool = False,
) -> Figure:
    """Draw success on unseen seeds against K for each learner and K'.

    Fig. 2 of "Fast seed-learning algorithms for games"; with `square`, Fig. 1 and 2 of "Learning
    opening books in partially observable games" (Cazenave, Liu, Teytaud, Teytaud 2016).

    Every seed has met the same unseen opponents, so this plays no games. With `square`, K seeds
    learn from K opponents, otherwise always from Kt.
    """
    k, kt = played.k, played.kt
    if k < 2 * _SMALLEST_K:
        raise SpecificationError(f"a curve over K needs K of {2 * _SMALLEST_K} or more, not {k}")
    scores = training_scores(study, TrainingArms(0, k), kt)
    unseen = _unseen_success(study, played)
    ks = [*(n for n in _powers_of_two() if n < k), k]
    names = dict.fromkeys(["uniform", *learners])
    curves = [
        KCurve(
            name,
            ks,
            [
                _estimates(
                    matrix_learner(name, Permit.LISTED),
                    [colour[:n, : min(n, kt) if square else kt] for colour in scores],
                    [colour[:n] for colour in unseen],
                    study.full,
                    played.luck,
                )
                for n in ks
            ],
        )
        for name in names
    ]
    return plot_success_against_k(path, played.title, curves)


def _powers_of_two() -> list[int]:
    return [_SMALLEST_K << shift for shift in range(28)]


def _unseen_success(
    study: Study, played: PlayedMatrices
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seeds, unseen = TrainingArms(0, played.k).seeds(), UnseenArms(0, played.opponents)
    return arm_success(study, seeds, unseen, 0), arm_success(study, seeds, unseen, 1)


def _estimates(
    learner: MatrixLearner,
    scores: Sequence[NDArray[np.uint8]],
    unseen: Sequence[NDArray[np.float64]],
    full: int,
    luck: Luck,
) -> list[Estimate]:
    first, second = (
        weighted_success(
            learner.weigh(scores[colour], full, key=colour).weights,
            unseen[colour],
            luck,
            criteria=criteria_for(unseen[colour].shape[1]),
        )
        for colour in (0, 1)
    )
    return [both_colours(*each, same=True) for each in zip(first, second, strict=True)]
