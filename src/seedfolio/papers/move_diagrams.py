"""Small boards side by side, the last move marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.report.figures import drawn_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {1: "#222222", 2: "#ffffff"}


@dataclass(frozen=True)
class Diagram:
    """A position: the moves that led to it, and its caption."""

    moves: tuple[str, ...]
    caption: str


def draw_moves(
    path: Path, size: int, names: Sequence[str], columns: Mapping[str, Sequence[Diagram]]
) -> None:
    """Draw columns of positions, by title, with a line for each of `names`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot make the folder {path.parent}: {error.strerror}"
        raise SpecificationError(message) from error
    drawn_figure(lambda: _figure(size, names, columns), path)


def stones(size: int, moves: Sequence[str]) -> tuple[int, ...]:
    """Return what stands on each point of the board after the moves, row by row from below."""
    game = load_game(f"go:{size}x{size}")
    history: list[int] = []
    for move in moves:
        named = {game.move_name(each).lower(): each for each in game.position(history).moves}
        history.append(named[move])
    return tuple(game.position(history).cells)


def _figure(size: int, names: Sequence[str], columns: Mapping[str, Sequence[Diagram]]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.6 * len(columns), 2.0 * len(names)), layout="constrained")
    grid = figure.subplots(len(names), len(columns), squeeze=False)
    for place, (title, column) in enumerate(columns.items()):
        for line, diagram in enumerate(column):
            _board(grid[line][place], size, diagram)
        grid[0][place].set_title(title)
    for line, name in enumerate(names):
        grid[line][0].set_ylabel(name)
    return figure


def _board(axes: Axes, size: int, diagram: Diagram) -> None:
    axes.set_xlim(-0.7, size - 0.3)
    axes.set_ylim(-0.7, size - 0.3)
    axes.set_aspect("equal")
    axes.grid(False)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_facecolor("#f4e3c1")
    axes.set_xlabel(diagram.caption, fontsize=7)
    for line in range(size):
        axes.plot([0, size - 1], [line, line], color="#888888", linewidth=0.6, zorder=1)
        axes.plot([line, line], [0, size - 1], color="#888888", linewidth=0.6, zorder=1)
    for cell, content in enumerate(stones(size, diagram.moves)):
        if content in _COLOURS:
            row, column = divmod(cell, size)
            _stone(axes, column, row, _COLOURS[content])
    last = diagram.moves[-1]
    if last != "pass":
        axes.plot(
            "abcdefghj".index(last[0]), int(last[1:]) - 1, "o", color="#d62728", ms=4, zorder=3
        )


def _stone(axes: Axes, column: int, row: int, colour: str) -> None:
    axes.plot(column, row, "o", markersize=11, color=colour, markeredgecolor="#222222", zorder=2)
