"""The plot of a table: success of each row against exploiters."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.report.plots.figures import drawn_figure, panels
from seedfolio.report.table import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442")
_BASELINE = "#888888"


def plot_rows(path: Path | None, title: str, rows: Sequence[Row]) -> Figure:
    """Plot success against K', one curve a row; baselines are grey.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _figure(title, rows), path)


def _figure(title: str, rows: Sequence[Row]) -> Figure:
    from matplotlib.ticker import NullLocator

    figure, (axis,) = panels(1)
    colours = iter(_COLOURS * len(rows))
    for number, row in enumerate(rows):
        baseline = row.group == "baseline"
        axis.errorbar(
            CRITERIA[: len(row.estimates)],
            [100 * each.mean for each in row.estimates],
            yerr=[0 if isnan(each.error) else 100 * each.error for each in row.estimates],
            color=_BASELINE if baseline else next(colours),
            linestyle=(0, (4, 2)) if baseline else "-",
            marker="os^Dvp"[number % 6],
            markersize=4,
            capsize=2,
            label=row.name,
        )
    axis.set_title(title)
    axis.set_xscale("log", base=2)
    shown = CRITERIA[: max((len(row.estimates) for row in rows), default=1)]
    axis.set_xticks(shown, [str(each) for each in shown])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xlabel("K', seeds among which the opponent picks (bars: ±1 standard error)")
    figure.legend(loc="outside lower center", ncols=3)
    return figure
