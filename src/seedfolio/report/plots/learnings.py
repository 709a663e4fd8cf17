"""The plot of a comparison over budgets and learnings: curves with bands, and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.report.learnings import (
    Learning,
    budgets_of,
    differences,
    names_of,
    success_at,
)
from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00")
_BASELINE = "#888888"


def plot_learnings(path: Path | None, title: str, learnings: Sequence[Learning]) -> Figure:
    """Plot success over the budget, if there are several; and differences between learners.

    These are over learnings, if there are several. SpecificationError as in `drawn_figure`.
    """
    return drawn_figure(lambda: _figure(title, learnings), path)


def _figure(title: str, learnings: Sequence[Learning]) -> Figure:
    columns = sorted({0, min(len(row.estimates) for row in learnings[0].rows) - 1})
    several = len(budgets_of(learnings)) > 1
    repeated = any(each.repetition for each in learnings)
    figure, axes = panels(len(columns) * (several + repeated))
    figure.suptitle(title, x=0.01, horizontalalignment="left")
    places = iter(axes)
    if several:
        for column in columns:
            _draw_curves(next(places), learnings, column)
        over = "learnings" if repeated else "unseen seeds"
        figure.legend(
            *axes[0].get_legend_handles_labels(),
            title=f"band: ±1 standard error over {over}",
            loc="outside lower center",
            ncols=3,
        )
    if repeated:
        for column in columns:
            _draw_intervals(next(places), learnings, column)
    return figure


def _draw_curves(axis: Axes, learnings: Sequence[Learning], column: int) -> None:
    from matplotlib.ticker import NullLocator

    budgets = budgets_of(learnings)
    baselines = {row.name for row in learnings[0].rows if row.group == "baseline"}
    colours = iter(_COLOURS * len(names_of(learnings)))
    for number, name in enumerate(names_of(learnings)):
        found = [success_at(learnings, budget, name, column) for budget in budgets]
        mean = np.array([100 * each.mean for each in found])
        error = np.nan_to_num([100 * each.error for each in found])
        colour = _BASELINE if name in baselines else next(colours)
        axis.fill_between(budgets, mean - error, mean + error, color=colour, alpha=0.2, lw=0)
        axis.plot(
            budgets,
            mean,
            color=colour,
            linestyle=(0, (4, 2)) if name in baselines else "-",
            marker="os^Dvp"[number % 6],
            markersize=4,
            label=name,
        )
    axis.set_title(f"K'={CRITERIA[column]}")
    axis.set_xscale("log")
    axis.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xlabel("games for each learner")


def _draw_intervals(axis: Axes, learnings: Sequence[Learning], column: int) -> None:
    found = sorted(differences(learnings, budgets_of(learnings)[-1], column), key=lambda d: d.mean)
    axis.axvline(0, color=_BASELINE, linewidth=0.8, linestyle=(0, (4, 3)))
    axis.errorbar(
        [100 * each.mean for each in found],
        range(len(found)),
        xerr=[100 * each.half for each in found],
        fmt="o",
        markersize=4,
        capsize=2,
        color=_COLOURS[0],
    )
    axis.set_yticks(range(len(found)), [each.name for each in found])
    axis.set_ylabel("")
    axis.set_title(f"K'={CRITERIA[column]}")
    axis.set_ylim(-0.5, len(found) - 0.5)
    axis.set_xlabel("points below the best (95% at once)")
