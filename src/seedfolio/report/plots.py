"""The two plots of a study: how much seeds differ, and success by the number of seeds K."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from seedfolio.evaluation.exploiters import CRITERIA, Estimate
from seedfolio.report.figures import drawn_figure, panels
from seedfolio.report.ranking import (
    Colours,
    equal_seeds,
    measurement_error,
    sorted_success,
    unseen_success,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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


def plot_seed_success(path: Path | None, curves: Sequence[SeedCurve]) -> "Figure":
    """Plot the success of sorted seeds, beside luck and unseen opponents, one panel a game.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _seed_figure(curves), path)


def plot_success_against_k(path: Path | None, title: str, curves: Sequence[KCurve]) -> "Figure":
    """Plot success against the number of seeds K, one panel a learner, one line a criterion.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _k_figure(title, curves), path)


def _seed_figure(curves: Sequence[SeedCurve]) -> "Figure":
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


def _draw_seeds(axis: "Axes", curve: SeedCurve) -> None:
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
        axis.errorbar(
            [group.rank for group in groups],
            [100 * group.success.mean for group in groups],
            yerr=[100 * group.success.error for group in groups],
            fmt="o",
            markersize=3.5,
            linewidth=1,
            color=_UNSEEN,
            label="same seeds and order, unseen opponents (±1 standard error)",
        )
    axis.set_title(curve.title, pad=18)
    error = 100 * measurement_error(curve.training)
    note = f"{len(ranks)} seeds, {curve.training[0].shape[1]} opponents, standard error {error:.1f}"
    axis.text(0, 1.03, note, transform=axis.transAxes, fontsize=8, color="#666666")
    axis.set_xlabel("rank of the seed, worst first")
    axis.margins(x=0.02)


def _k_figure(title: str, curves: Sequence[KCurve]) -> "Figure":
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


def _draw_learner(axis: "Axes", curve: KCurve) -> None:
    from matplotlib import colormaps
    from matplotlib.ticker import NullLocator

    axis.axhline(50, color="#888888", linewidth=0.8, linestyle=(0, (4, 3)))
    criteria = CRITERIA[: len(curve.estimates[0])]
    colours = colormaps["viridis"](np.linspace(0, 0.88, len(criteria)))
    for column, (opponents, colour) in enumerate(zip(criteria, colours, strict=True)):
        mean = np.array([100 * row[column].mean for row in curve.estimates])
        error = np.array([100 * row[column].error for row in curve.estimates])
        axis.fill_between(curve.ks, mean - error, mean + error, color=colour, alpha=0.2, lw=0)
        axis.plot(
            curve.ks,
            mean,
            color=colour,
            marker="os^Dv"[column],
            markersize=3.5,
            label=f"K'={opponents}",
        )
    axis.set_title(curve.learner)
    axis.set_xscale("log", base=2)
    shown = curve.ks[:: -(-len(curve.ks) // _K_LABELS)]
    axis.set_xticks(shown, [str(k) for k in shown])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xlabel("K, number of seeds")
