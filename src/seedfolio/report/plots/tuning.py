"""The plot of a tuning: success against each parameter."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BLUE, _ORANGE, _GREY = "#0072b2", "#d55e00", "#888888"
Row = tuple[tuple[Any, ...], int, float, float]
"""A setting, its games, its success and what the model expects."""


def plot_tuning(
    path: Path | None, title: str, parameters: Sequence[str], rows: Sequence[Row]
) -> Figure:
    """Plot success against each parameter; SpecificationError as in `drawn_figure`."""
    return drawn_figure(lambda: _figure(title, parameters, rows), path)


def _figure(title: str, parameters: Sequence[str], rows: Sequence[Row]) -> Figure:
    figure, axes = panels(len(parameters))
    for place, (name, axis) in enumerate(zip(parameters, axes, strict=True)):
        values = [each[0][place] for each in rows]
        words = any(isinstance(value, str) for value in values)
        across: list[Any] = [str(value) if words else float(value) for value in values]
        errors = [100 * sqrt(0.25 / games) for _, games, _, _ in rows]
        axis.axhline(50, color=_GREY, linewidth=1, linestyle=(0, (4, 2)))
        axis.errorbar(
            across,
            [100 * success for _, _, success, _ in rows],
            yerr=errors,
            fmt="o",
            markersize=4,
            capsize=2,
            color=_BLUE,
            label="its own games, ±1 standard error",
        )
        if len(parameters) == 1 and not words:
            axis.plot(across, [100 * each[3] for each in rows], color=_ORANGE, label="the model")
        if not words and min(across) > 0 and max(across) >= 8 * min(across):
            axis.set_xscale("log")
        axis.set_xlabel(name)
    axes[0].set_ylabel("success against the given program, %")
    axes[0].set_title(title)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure
