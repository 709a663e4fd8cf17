"""The plot of a matrix from elsewhere: its cells, and the success of what was learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from seedfolio.evaluation.exploiters import CRITERIA, Estimate
from seedfolio.matrices.payoffs import Payoffs
from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888")
_MOST_NAMES = 40


def plot_learnt(
    path: Path | None, payoffs: Payoffs, successes: Mapping[str, Sequence[Estimate]]
) -> Figure:
    """Plot the matrix, best players first, and success against K', a line for each learner.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _figure(payoffs, successes), path)


def _figure(payoffs: Payoffs, successes: Mapping[str, Sequence[Estimate]]) -> Figure:
    judged = {name: each for name, each in successes.items() if each}
    figure, axes = panels(2 if judged else 1)
    figure.suptitle(payoffs.title, x=0.01, horizontalalignment="left")
    success = 100 * payoffs.success
    rows = np.argsort(-success.mean(axis=1), kind="stable")
    columns = np.argsort(success.mean(axis=0), kind="stable")
    shown = np.where(np.isnan(payoffs.values), np.nan, success)[np.ix_(rows, columns)]
    picture = axes[0].imshow(shown, cmap="BrBG", vmin=0, vmax=100, aspect="auto")
    axes[0].grid(visible=False)
    axes[0].set_title("success of the rows in %")
    axes[0].set_ylabel("first player")
    axes[0].set_xlabel("second player, the strongest first")
    axes[0].set_xticks([])
    axes[0].set_yticks([])
    if len(rows) <= _MOST_NAMES:
        names = [payoffs.rows[row] for row in rows]
        axes[0].set_yticks(range(len(rows)), names, fontsize=5 if len(rows) > 12 else 8)
    figure.colorbar(picture, ax=axes[0])
    if judged:
        axis = axes[1]
        for number, (name, each) in enumerate(judged.items()):
            axis.errorbar(
                CRITERIA[: len(each)],
                [100 * one.mean for one in each],
                yerr=[0 if isnan(one.error) else 100 * one.error for one in each],
                color=_COLOURS[number % len(_COLOURS)],
                marker="os^Dvp"[number % 6],
                markersize=4,
                capsize=2,
                label=name,
            )
        axis.set_title("against opponents left out")
        axis.set_xscale("log", base=2)
        ticks = CRITERIA[: max(map(len, judged.values()))]
        axis.set_xticks(ticks, [str(each) for each in ticks], minor=False)
        axis.set_xlabel("K', opponents among which the best is played (bars: ±1 standard error)")
        figure.legend(loc="outside lower center", ncols=4)
    return figure
