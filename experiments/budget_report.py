"""What the budget study has found: a plot, tables, and whether it shows what it should."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from experiments.budget_learning import (
    BUDGETS,
    FIFTH_BUDGET,
    LEARNERS,
    PAPERS_BUDGET,
    Lesson,
)
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.report.figures import panels, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = (1, 16)
"""The K' that are shown."""
_AUTO = {1: "auto", 16: "auto:exploiters=16"}
"""The learner that is made for each."""
_COLOURS = {
    "auto": "#d55e00",
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
_CLOSE = 0.02
"""How far below the best learner of a budget auto may be."""


@dataclass(frozen=True)
class Found:
    """The success of every learner with every budget on one game, by K'."""

    game: str
    means: dict[tuple[str, int, int], float]
    """By learner, budget and K': the mean over the repetitions."""
    errors: dict[tuple[str, int, int], float]
    """One standard error of that mean."""

    def best(self, budget: int, opponents: int) -> tuple[str, float]:
        """Return the learner that is best, other than auto, and its success."""
        others = [name for name in LEARNERS if not name.startswith("auto")]
        found = [name for name in others if (name, budget, opponents) in self.means]
        name = max(found, key=lambda each: self.means[each, budget, opponents])
        return name, self.means[name, budget, opponents]

    @property
    def budgets(self) -> list[int]:
        """The budgets that have been given."""
        return [each for each in BUDGETS if ("auto", each, 1) in self.means]


def summarise(game: str, lessons: Sequence[Lesson]) -> Found:
    """Return the means over the repetitions, of what was learnt in all of them."""
    groups: dict[tuple[str, int], list[Lesson]] = {}
    for lesson in lessons:
        groups.setdefault((lesson.learner, lesson.budget), []).append(lesson)
    means, errors = {}, {}
    repetitions = len({lesson.repetition for lesson in lessons})
    for (name, budget), group in groups.items():
        if len(group) < repetitions:
            continue
        for place, opponents in enumerate(CRITERIA):
            values = np.array([lesson.success[place] for lesson in group])
            means[name, budget, opponents] = float(values.mean())
            spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
            errors[name, budget, opponents] = spread / sqrt(len(values))
    return Found(game, means, errors)


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
        lines.append([f"`{name}`", *cells])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def verdicts(found: Found) -> list[tuple[bool, str]]:
    """Return what the study should show of one game, and whether it does."""
    means, game = found.means, found.game
    said = []
    fifth, papers = ("halving", FIFTH_BUDGET, 1), ("best-seed", PAPERS_BUDGET, 1)
    doubt = hypot(found.errors[fifth], found.errors[papers])
    said.append(
        (
            means[fifth] >= means[papers] - doubt,
            f"{game}: halving with {FIFTH_BUDGET:,} games reaches {100 * means[fifth]:.1f} at "
            f"K'=1, best-seed with {PAPERS_BUDGET:,} (380 x 380) {100 * means[papers]:.1f}, their "
            f"difference ±{100 * doubt:.1f}; auto {100 * means['auto', FIFTH_BUDGET, 1]:.1f}",
        )
    )
    ours, nash = (
        [means[name, PAPERS_BUDGET, opponents] for opponents in SHOWN]
        for name in ("auto:exploiters=16", "nash")
    )
    said.append(
        (
            all(a > b for a, b in zip(ours, nash, strict=True)),
            f"{game}: auto:exploiters=16 has {100 * ours[0]:.1f} at K'=1 and {100 * ours[1]:.1f} "
            f"at K'=16, nash of 380 x 380 {100 * nash[0]:.1f} and {100 * nash[1]:.1f}",
        )
    )
    for opponents in SHOWN:
        name = _AUTO[opponents]
        short = {
            budget: found.best(budget, opponents)[1] - means[name, budget, opponents]
            for budget in found.budgets
        }
        budget = max(short, key=lambda each: short[each])
        said.append(
            (
                short[budget] <= _CLOSE,
                f"{game}: {name} at K'={opponents} is at worst {100 * short[budget]:+.1f} below "
                f"the best other learner, {found.best(budget, opponents)[0]} with {budget:,} games",
            )
        )
    return said


def draw(path: Path, games: Sequence[Found]) -> None:
    """Draw success against games: a column a game, a line K'=1 and K'=16."""
    save_figure(path, lambda: _figure(games))


def _figure(games: Sequence[Found]) -> Figure:
    figure, axes = panels(len(SHOWN) * len(games))
    figure.suptitle(
        "Success on unseen seeds by the games spent on learning", x=0.01, horizontalalignment="left"
    )
    drawn = [(opponents, found) for opponents in SHOWN for found in games]
    for axis, (opponents, found) in zip(axes, drawn, strict=True):
        _panel(axis, found, opponents)
    labels: dict[str, object] = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            labels.setdefault(label, handle)
    figure.legend(
        list(labels.values()),
        list(labels),
        title="mean of five repetitions (band: ±1 standard error)",
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
