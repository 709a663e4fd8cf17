"""The plot of arms of several kinds: which beats which, and which of them learners draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DARK = 0.25
"""Numbers are white on success this far from one half."""


def plot_kinds_of(
    path: Path | None,
    title: str,
    against: Mapping[str, Sequence[Estimate]],
    shares: Mapping[str, Sequence[float]],
) -> Figure:
    """Plot the success of each row against each kind, and the `shares` of each that learners draw.

    `against` has the kinds first, in the order of its columns. SpecificationError if drawing or
    writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _figure(title, against, shares), path)


def _figure(
    title: str, against: Mapping[str, Sequence[Estimate]], shares: Mapping[str, Sequence[float]]
) -> Figure:
    figure, (left, right) = panels(2)
    kinds = list(against)[: len(next(iter(against.values())))]
    success = np.array([[each.mean for each in row] for row in against.values()])
    left.imshow(success, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    for (row, column), mean in np.ndenumerate(success):
        colour = "white" if abs(mean - 0.5) > _DARK else "black"
        left.text(column, row, f"{100 * mean:.0f}", ha="center", va="center", color=colour)
    left.set_xticks(range(len(kinds)), kinds, rotation=30, ha="right")
    left.set_yticks(range(len(against)), list(against))
    left.grid(visible=False)
    left.set_title("Success against each, in %")
    before = np.zeros(len(shares))
    for column, kind in enumerate(kinds):
        width = 100 * np.array([share[column] for share in shares.values()])
        right.barh(range(len(shares)), width, left=before, label=kind)
        before = before + width
    right.set_yticks(range(len(shares)), list(shares))
    right.invert_yaxis()
    right.set_ylabel("")
    left.set_ylabel("")
    right.set_title("How often each is drawn, in %")
    figure.legend(loc="outside lower center", ncols=3)
    figure.suptitle(title)
    return figure
