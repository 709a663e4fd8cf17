"""Cross-validation for people: a table, a plot and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.table import Table, percent
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


@dataclass(frozen=True)
class OverDraws:
    """The success over all draws: its mean with the standard error, and how far draws scatter."""

    estimate: Estimate
    deviation: float
    """The standard deviation of a single draw."""

    @classmethod
    def of(cls, successes: NDArray[np.float64]) -> OverDraws:
        """Summarise a number for each draw."""
        draws = len(successes)
        deviation = float(successes.std(ddof=1)) if draws > 1 else nan
        return cls(Estimate(float(successes.mean()), deviation / sqrt(draws)), deviation)

    @property
    def text(self) -> str:
        """As it is printed: mean, standard error, and the standard deviation in brackets."""
        printed = self.estimate.text
        return printed if isnan(self.deviation) else f"{printed} ({percent(self.deviation)})"


Curves = Mapping[tuple[int, str, str], OverDraws]
"""By the number of arms learnt from, the learner and its opponent."""


def curve_table(title: str, opponents: Sequence[str], curve: Curves, caption: str) -> Table:
    """Return the table: a row for each K and learner."""
    headings = ["K", "success in %", *(f"v {opponent}" for opponent in opponents)]
    rows: list[Sequence[str]] = []
    shown = 0
    for size, learner in dict.fromkeys((size, learner) for size, learner, _ in curve):
        if shown and size != shown:
            rows.append(())
        cells = [curve[size, learner, opponent].text for opponent in opponents]
        rows.append(("" if size == shown else str(size), learner, *cells))
        shown = size
    return Table(headings, rows, title=title, caption=caption, words=(1,))


def curve_records(curve: Curves) -> list[dict[str, Any]]:
    """Return the curve as the rows of a frame, in fractions of 1."""
    return [
        {
            "K": size,
            "learner": learner,
            "opponent": opponent,
            "mean": each.estimate.mean,
            "error": None if isnan(each.deviation) else each.estimate.error,
            "deviation": None if isnan(each.deviation) else each.deviation,
        }
        for (size, learner, opponent), each in curve.items()
    ]


def plot_curve(path: Path | None, title: str, opponents: Sequence[str], curve: Curves) -> Figure:
    """Plot success against K: a panel for each opponent, a line for each learner.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _figure(title, opponents, curve), path)


def _figure(title: str, opponents: Sequence[str], curve: Curves) -> Figure:
    figure, axes = panels(len(opponents), share_y=True)
    figure.suptitle(title, x=0.01, horizontalalignment="left")
    for axis, opponent in zip(axes, opponents, strict=True):
        _draw(axis, opponent, curve)
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        title="by cross-validation (band: ±1 standard deviation of a draw)",
        loc="outside lower center",
        ncols=4,
    )
    return figure


def _draw(axis: Axes, opponent: str, curve: Curves) -> None:
    for number, learner in enumerate(dict.fromkeys(learner for _, learner, _ in curve)):
        points = {size: curve[size, learner, opponent] for size, who, _ in curve if who == learner}
        sizes = list(points)
        mean = np.array([100 * each.estimate.mean for each in points.values()])
        spread = np.array([100 * each.deviation for each in points.values()])
        colour = _COLOURS[number % len(_COLOURS)]
        axis.fill_between(sizes, mean - spread, mean + spread, color=colour, alpha=0.15, lw=0)
        axis.plot(
            sizes,
            mean,
            color=colour,
            marker="os^Dvp"[number % len(_COLOURS)],
            markersize=3.5,
            label=learner,
        )
    axis.axhline(50, color="#888888", linewidth=0.8, linestyle=(0, (4, 3)))
    axis.set_title(f"against {opponent}")
    axis.set_xlabel("K, arms learnt from")
