"""The plot of the table "Against opponents who learn" in docs/results.md.

    python -m experiments.frontier

A panel for each board: success against the original (K'=1) and what a learning opponent leaves.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEADING = "## Against opponents who learn"
_NUMBER = re.compile(r"\d+\.\d")
_BLUE, _GREY = "#0072b2", "#888888"

Point = tuple[str, float, float, float, float]
"""A program, its success at K'=1, what is left of it, and the ends of that interval."""


def main(
    page: Annotated[Path, typer.Argument(help="The page.")] = Path("docs/results.md"),
    picture: Annotated[Path, typer.Argument(help="The plot.")] = Path("docs/images/frontier.svg"),
) -> None:
    """Draw what is measured so far."""
    boards = frontiers(page.read_text(encoding="utf-8"))
    drawn_figure(lambda: _figure(boards), picture)


def frontiers(page: str) -> dict[str, list[Point]]:
    """Return the measured points of each board."""
    boards: dict[str, list[Point]] = {}
    board = ""
    for line in page.partition(_HEADING)[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) < 5:
            continue
        board = cells[0] or board
        first, left = _NUMBER.findall(cells[2]), _NUMBER.findall(cells[4])
        if first and len(left) == 3:
            middle, low, high = map(float, left)
            point = cells[1], float(first[0]), middle, low, high
            boards.setdefault(board, []).append(point)
    return boards


def _figure(boards: dict[str, list[Point]]) -> Figure:
    figure, axes = panels(len(boards))
    for axis, (board, points) in zip(axes, boards.items(), strict=True):
        points = sorted(points, key=lambda point: point[1])
        for style, color in (("-", _BLUE), ("", _GREY)):
            own = [each for each in points if (each[0] == "original") == (color == _GREY)]
            across, left = [each[1] for each in own], [each[2] for each in own]
            errors = [[each[2] - each[3] for each in own], [each[4] - each[2] for each in own]]
            axis.errorbar(across, left, errors, fmt="o" + style, color=color, capsize=2)
            for name, x, y, _, _ in own:
                text = name.removeprefix("book:")
                axis.annotate(text, (x, y), (4, 4), textcoords="offset points", fontsize=8)
        axis.set_title(board)
        axis.set_xlabel("success against the original, %")
        axis.set_ylabel("left by a learning opponent, %")
        axis.set_ylim(0, 50)
        axis.margins(x=0.2)
    return figure


if __name__ == "__main__":
    typer.run(main)
