"""What the budget study has found: a plot, tables, and whether it shows what it should."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from experiments.budget_learning import (
    FIFTH_BUDGET,
    LEARNERS,
    PAPERS_BUDGET,
    Result,
)
from seedfolio.core.table import percent
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = (1, 16)
"""The K' that are shown."""
_AUTO = {1: "auto:exploiters=1", 16: "auto:exploiters=16"}
"""The learner that is made for each."""
_COLOURS = {
    "auto:exploiters=1": "#d55e00",
    "auto:exploiters=16": "#d55e00",
    "halving": "#0072b2",
    "best-seed": "#009e73",
    "nash": "#cc79a7",
    "exp3:power=0.7": "#e69f00",
    "double-oracle": "#56b4e9",
    "best-half": "#222222",
}
SELECTED = tuple(name for name in LEARNERS if name in _COLOURS)
"""Learners that are shown by name."""
_OTHERS = tuple(name for name in LEARNERS if not name.startswith("auto"))
_CLOSE = 0.02
"""How far below the best learner of a budget auto may be."""


@dataclass(frozen=True)
class Found:
    """The success of every learner with every budget on one game, by K'."""

    game: str
    values: dict[tuple[str, int, int], NDArray[np.float64]]
    """By learner, budget and K': that of each repetition."""

    @cached_property
    def means(self) -> dict[tuple[str, int, int], float]:
        """The means over the repetitions."""
        return {place: float(values.mean()) for place, values in self.values.items()}

    @cached_property
    def errors(self) -> dict[tuple[str, int, int], float]:
        """One standard error of each mean."""
        return {place: _error(values) for place, values in self.values.items()}

    def best(self, budget: int, opponents: int) -> str:
        """Return the learner that is best, other than auto."""
        others = self._others(budget)
        return max(others, key=lambda each: self.means[each, budget, opponents])

    @property
    def budgets(self) -> list[int]:
        """The budgets that have been given to auto and to others, but for those of one verdict."""
        given = {budget for name, budget, _ in self.means if name == _AUTO[1]}
        given -= {FIFTH_BUDGET, PAPERS_BUDGET}
        return [each for each in sorted(given) if self._others(each)]

    def _others(self, budget: int) -> list[str]:
        return [name for name in _OTHERS if (name, budget, 1) in self.means]

    def lead(self, name: str, other: str, budget: int, opponents: int) -> tuple[float, float]:
        """Return how much better a learner is than another, and the error of that.

        Both met the same seeds in each repetition, so it is taken for each of these.
        """
        leads = self.values[name, budget, opponents] - self.values[other, budget, opponents]
        return float(leads.mean()), _error(leads)

    def overall(self, name: str, opponents: int) -> dict[str, tuple[float, float]]:
        """Return how much better a learner is than others on average over the budgets."""
        leads = {}
        for other in _OTHERS:
            places = [each for each in self.budgets if (other, each, opponents) in self.values]
            if len(places) == len(self.budgets):
                found = np.array([self.lead(name, other, each, opponents) for each in places])
                # The error as if all budgets had the same luck: no less than it is.
                leads[other] = float(found[:, 0].mean()), float(found[:, 1].mean())
        return leads


def _error(values: NDArray[np.float64]) -> float:
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else nan


def summarise(game: str, results: Sequence[Result]) -> Found:
    """Return the successes, of what was learnt in all repetitions that auto learnt in."""
    groups: dict[tuple[str, int], dict[int, Result]] = {}
    for result in results:
        groups.setdefault((result.learner, result.budget), {})[result.repetition] = result
    values = {}
    for (name, budget), group in groups.items():
        repetitions = sorted(groups.get((_AUTO[1], budget), {}))
        if repetitions and all(each in group for each in repetitions):
            for place, opponents in enumerate(CRITERIA):
                found = [group[each].success[place] for each in repetitions]
                values[name, budget, opponents] = np.array(found)
    return Found(game, values)


def table(found: Found, opponents: int, names: Sequence[str] = LEARNERS) -> str:
    """Return success by learner and budget in Markdown, the best of all for a budget in bold."""
    budgets = found.budgets
    head = [f"{found.game.replace(':', ' ')}, K'={opponents}", *(f"{each:,}" for each in budgets)]
    lines = [head, ["---", *["---:"] * len(budgets)]]
    most = {
        budget: max(found.means.get((name, budget, opponents), 0.0) for name in LEARNERS)
        for budget in budgets
    }
    for name in names:
        cells = []
        for budget in budgets:
            mean = found.means.get((name, budget, opponents))
            text = "" if mean is None else f"{100 * mean:.1f}"
            cells.append(f"**{text}**" if mean == most[budget] else text)
        if any(cells):
            lines.append([f"`{name}`", *cells])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def verdicts(found: Found) -> list[tuple[bool, str]]:
    """Return what the study should show of one game, and whether it does, of what was learnt."""
    said = []
    if ("halving", FIFTH_BUDGET, 1) in found.means and ("nash", PAPERS_BUDGET, 1) in found.means:
        said += [_halving_verdict(found), _nash_verdict(found)]
    for opponents, name in _AUTO.items():
        if all((name, budget, opponents) in found.means for budget in found.budgets):
            said.append(_auto_verdict(found, name, opponents))
    return said


def _halving_verdict(found: Found) -> tuple[bool, str]:
    means = found.means
    fifth, papers = ("halving", FIFTH_BUDGET, 1), ("best-seed", PAPERS_BUDGET, 1)
    doubt = _error(found.values[fifth] - found.values[papers])
    return (
        means[fifth] >= means[papers] - doubt,
        f"{found.game}: halving with {FIFTH_BUDGET:,} games reaches {100 * means[fifth]:.1f} at "
        f"K'=1, best-seed with {PAPERS_BUDGET:,} (380 x 380) {100 * means[papers]:.1f}, their "
        f"difference ±{100 * doubt:.1f}; auto {100 * means[_AUTO[1], FIFTH_BUDGET, 1]:.1f}",
    )


def _nash_verdict(found: Found) -> tuple[bool, str]:
    ours, nash = (
        [found.means[name, PAPERS_BUDGET, opponents] for opponents in SHOWN]
        for name in ("auto:exploiters=16", "nash")
    )
    return (
        all(a > b for a, b in zip(ours, nash, strict=True)),
        f"{found.game}: auto:exploiters=16 has {100 * ours[0]:.1f} at K'=1 and "
        f"{100 * ours[1]:.1f} at K'=16, nash of 380 x 380 {100 * nash[0]:.1f} and "
        f"{100 * nash[1]:.1f}",
    )


def _auto_verdict(found: Found, name: str, opponents: int) -> tuple[bool, str]:
    best = {budget: found.best(budget, opponents) for budget in found.budgets}
    leads = {each: found.lead(name, best[each], each, opponents) for each in found.budgets}
    budget = min(leads, key=lambda each: leads[each][0])
    lead, error = leads[budget]
    overall = found.overall(name, opponents)
    second = min(overall, key=lambda other: overall[other][0])
    return (
        lead >= -_CLOSE,
        f"{found.game}: {name} at K'={opponents} against the best other learner of a budget: at "
        f"worst {_points(lead, error)}, {best[budget]} with {budget:,} games; over all budgets "
        f"{_points(*overall[second])} against {second}, the best of the others",
    )


def _points(lead: float, error: float) -> str:
    return f"{'+' if lead >= 0 else ''}{percent(lead, error)}"


def draw(path: Path, games: Sequence[Found]) -> None:
    """Draw success against games: a column a game, a line K'=1 and K'=16."""
    drawn_figure(lambda: _figure(games), path)


def _figure(games: Sequence[Found]) -> Figure:
    figure, axes = panels(len(SHOWN) * len(games))
    figure.suptitle(
        "Success on unseen seeds by the games spent on learning", x=0.01, horizontalalignment="left"
    )
    drawn = [(opponents, found) for opponents in SHOWN for found in games]
    for axis, (opponents, found) in zip(axes, drawn, strict=True):
        _panel(axis, found, opponents)
    labels: dict[str, Artist] = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            labels.setdefault(label, handle)
    figure.legend(
        list(labels.values()),
        list(labels),
        title="mean of all repetitions (band: ±1 standard error)",
        loc="outside lower center",
        ncols=4,
    )
    return figure


def _panel(axis: Axes, found: Found, opponents: int) -> None:
    axis.set_title(f"{found.game}, K'={opponents}")
    grey = False
    for name in LEARNERS:
        if name.startswith("auto") and name != _AUTO[opponents]:
            continue
        budgets = [each for each in found.budgets if (name, each, opponents) in found.means]
        mean = np.array([100 * found.means[name, each, opponents] for each in budgets])
        error = np.array([100 * found.errors[name, each, opponents] for each in budgets])
        if name not in _COLOURS:
            label = None if grey else "other learners"
            axis.plot(budgets, mean, color="#bbbbbb", linewidth=0.7, label=label)
            grey = True
            continue
        colour, auto = _COLOURS[name], name.startswith("auto")
        axis.fill_between(budgets, mean - error, mean + error, color=colour, alpha=0.15, lw=0)
        axis.plot(
            budgets,
            mean,
            color=colour,
            linewidth=2.2 if auto else 1.1,
            marker="o",
            markersize=4 if auto else 2.5,
            label="auto, for this K'" if auto else name,
            zorder=3 if auto else 2,
        )
    axis.set_xscale("log")
    axis.set_xlabel("games")
