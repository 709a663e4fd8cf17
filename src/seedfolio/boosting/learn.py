"""Portfolios of a matrix from elsewhere: names of players in place of seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.cross_validation import judge_by_halves
from seedfolio.analysis.matrix_game import Exploitability
from seedfolio.boosting.request import check_numbers, learner_names
from seedfolio.core.display import Displayed, Part, lines_table
from seedfolio.core.table import Table, percent
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.learning.learner import Certificate
from seedfolio.learning.matrix import MatrixLearner, weigh_both
from seedfolio.learning.registry import LEARNERS, matrix_learner
from seedfolio.learning.solvers.equilibrium import solve
from seedfolio.matrices.files import read_payoffs
from seedfolio.matrices.given import given_payoffs
from seedfolio.matrices.payoffs import Payoffs
from seedfolio.portfolios.portfolio import CRITERIA, criteria_for
from seedfolio.report.plots.payoffs import plot_learnt

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_Floats = NDArray[np.float64]
_EXACT = 1e-12  # below that a gap is rounding, which differs by machine
_NAMED = 6
"""How many players of a portfolio a line names."""


@dataclass(frozen=True)
class LearntPortfolio:
    """What one learner made of a matrix."""

    name: str
    first: Mapping[str, float]
    """The weights of the row players that it draws, the largest first."""
    second: Mapping[str, float]
    """Of the column players."""
    success: float
    """On the matrix, against each opponent equally often; mean of both colours."""
    exploitability: Exploitability
    left_out: tuple[Estimate, ...]
    """Against opponents that learning has not met, for the first of CRITERIA."""


@dataclass(frozen=True, repr=False)
class LearntMatrix(Displayed):
    """Portfolios of a matrix by each learner, its value, and how far each can be exploited.

    >>> from seedfolio import learn
    >>> learnt = learn([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]], learners="nash")
    >>> learnt
    <LearntMatrix matrix: 3 by 3 players, value 0.5>
    >>> {name: round(weight, 3) for name, weight in learnt.portfolios["nash"].first.items()}
    {'row 1': 0.333, 'row 2': 0.333, 'row 3': 0.333}
    """

    payoffs: Payoffs
    value: Certificate
    """Proven bounds of the value of the matrix game, in the payoffs of the row player."""
    portfolios: Mapping[str, LearntPortfolio]
    """By learner."""
    together: bool
    """Whether both colours are one, with one portfolio."""

    @property
    def caption(self) -> str:
        """What the numbers mean, in one paragraph."""
        given = self.payoffs
        size = f"{len(given.rows):,} x {len(given.columns):,} players"
        if given.games is not None:
            size += f", {int(given.games.sum()) // (1 + self.together):,} games"
        said = [f"{size}."]
        if given.note:
            said.append(f"{given.note[0].upper()}{given.note[1:]}.")
        if given.missing:
            said.append(
                f"{given.missing:,} of {given.values.size:,} pairs have not met: each counts as "
                "the strengths of both lead one to expect."
            )
        if (given.low, given.high) != (0, 1):
            said.append(f"0% is a payoff of {given.low:g}, 100% one of {given.high:g}.")
        said.append(
            ("One portfolio for both colours. " if self.together else "Mean of both colours. ")
            + "Matrix: against all opponents equally often. Below value: how far below the "
            "value of the game an opponent who knows the portfolio can push it."
        )
        if any(each.left_out for each in self.portfolios.values()):
            said.append(
                "K': against opponents that learning has not met, who play the best of K' of them; "
                "learnt from one half of the opponents, judged by the other, both ways. ± is one "
                "standard error over the opponents."
            )
        return " ".join(said)

    def table(self) -> Table:
        """Return the table: a row for each learner."""
        columns = max(len(each.left_out) for each in self.portfolios.values())
        headings = ["success in %", "arms", "matrix", "below\nvalue"]
        lines = []
        for each in self.portfolios.values():
            arms = (
                f"{len(each.first)}" if self.together else f"{len(each.first)}+{len(each.second)}"
            )
            numbers = percent(each.success), percent(each.exploitability.mean)
            lines.append([each.name, arms, *numbers, *(one.text for one in each.left_out)])
        return Table(
            [*headings, *(f"K'={k}" for k in CRITERIA[:columns])],
            lines,
            title=self.payoffs.title,
            caption=self.caption,
            words=(0, 1),
            firm=True,
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return a figure of the matrix and of success; with a path, write a .png or .svg file."""
        successes = {each.name: each.left_out for each in self.portfolios.values()}
        return plot_learnt(None if path is None else Path(path), self.payoffs, successes)

    def _lines(self) -> Table:
        lines = []
        for each in self.portfolios.values():
            sides = [("", each.first)] if self.together else self._sides(each)
            lines += [(f"{each.name}{side}", _drawn(weights)) for side, weights in sides]
        return lines_table("", lines)

    def _sides(self, each: LearntPortfolio) -> list[tuple[str, Mapping[str, float]]]:
        return [(", first", each.first), (", second", each.second)]

    @property
    def _value(self) -> str:
        value = (self.value.lower + self.value.upper) / 2
        return f"{round(value, 12) + 0.0:.6g}"  # neither -0 nor what rounding leaves of 0

    def _summary(self) -> str:
        return f"{self.payoffs._summary()}, value {self._value}"

    def _parts(self) -> list[Part]:
        gap = max(self.value.upper - self.value.lower, _EXACT)
        value = f"Value of the game: {self._value} for the first player, certified to {gap:.0e}."
        return [self.table(), value, self._lines()]

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "learner": each.name,
                "success": each.success,
                "exploitability": each.exploitability.mean,
            }
            | {f"K'={k}": one.mean for k, one in zip(CRITERIA, each.left_out, strict=False)}
            for each in self.portfolios.values()
        ]

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data, success in fractions of 1."""
        return {
            "title": self.payoffs.title,
            "rows": len(self.payoffs.rows),
            "columns": len(self.payoffs.columns),
            "missing": self.payoffs.missing,
            "value": vars(self.value),
            "learners": [
                {
                    "learner": each.name,
                    "first": dict(each.first),
                    "second": dict(each.second),
                    "success": each.success,
                    "exploitability": vars(each.exploitability),
                    "left_out": [
                        {"exploiter": k, "mean": one.mean, "error": one.error}
                        for k, one in zip(CRITERIA, each.left_out, strict=False)
                    ],
                }
                for each in self.portfolios.values()
            ],
        }


def learn(
    matrix: Any,
    *,
    learners: str | Callable[..., Any] | Sequence[str] | None = None,
    together: bool = False,
    low: float | None = None,
    high: float | None = None,
    key: int = 0,
) -> LearntMatrix:
    """Learn from a matrix of results from anywhere, by every learner that takes one.

    Rows are the first player's programs, columns the second's. A cell is what the row player has
    won on average: a win rate from 0 to 1, or any payoff. Cells may be missing. No game is played.

    Args:
        matrix: A file: .csv, .npz or .npy, a tournament as .pgn, or what fastchess or cutechess-cli
            printed as .txt or .log.
        learners: Learner to use, or several (default: all that take a matrix).
        together: Count both colours as one: the same players are rows and columns.
        low: The least that a game pays (default: 0; -1 with a negative payoff; else the smallest).
        high: The most that a game pays (default: 1; else the largest).
        key: Draws what learners leave to chance.

    >>> from seedfolio import learn
    >>> learnt = learn([[1, 0.2, 0.4], [0.3, 0.7, 0.6]], learners=["nash", "best-seed"])
    >>> [(name, dict(each.second)) for name, each in learnt.portfolios.items()][1]
    ('best-seed', {'column 2': 1.0})
    """
    check_numbers(key=key)
    names = (
        tuple(name for name, entry in LEARNERS.items() if entry.takes_matrix)
        if learners is None
        else learner_names(learners)
    )
    named = {name: matrix_learner(name) for name in names}
    given = payoffs_of(matrix, (low, high))
    given = given.together() if together else given
    success = given.success
    found = solve(success, tolerance=1e-8)
    one = given.rows == given.columns and np.allclose(success + success.T, 1, rtol=0, atol=1e-12)
    portfolios = {
        name: _learnt(given, success, (name, learner), found.value, key)
        for name, learner in named.items()
    }
    value = Certificate(given.payoff(found.lower), given.payoff(found.upper))
    return LearntMatrix(given, value, portfolios, bool(one))


def payoffs_of(matrix: Any, limits: tuple[float | None, float | None] = (None, None)) -> Payoffs:
    """Return the payoffs of a file, or of an array, a frame or OpenSpiel's."""
    if isinstance(matrix, str | Path):
        return read_payoffs(Path(matrix), limits)
    return given_payoffs(matrix, limits)


def _learnt(
    given: Payoffs, success: _Floats, named: tuple[str, MatrixLearner], value: float, key: int
) -> LearntPortfolio:
    """Learn from the matrix, and from halves of it."""
    name, learner = named
    scores = success, np.ascontiguousarray(1 - success.T)
    first, second = (each.weights for each in weigh_both(learner, scores, 1, key))
    against = first @ success, success @ second
    criteria = criteria_for(min(success.shape) // 2)
    left_out = None
    if criteria:
        left_out = judge_by_halves(
            learner,
            scores,
            1,
            alike=[np.arange(len(given.columns)), np.arange(len(given.rows))],
            criteria=criteria,
            same=given.rows == given.columns,
        )
    return LearntPortfolio(
        name,
        _by_weight(given.rows, first),
        _by_weight(given.columns, second),
        float(against[0].mean() + 1 - against[1].mean()) / 2,
        Exploitability(value - float(against[0].min()), float(against[1].max()) - value),
        left_out or (),
    )


def _by_weight(names: Sequence[str], weights: _Floats) -> dict[str, float]:
    order = np.argsort(-weights, kind="stable")
    return {names[k]: float(weights[k]) for k in order if weights[k] > 0}


def _drawn(weights: Mapping[str, float]) -> str:
    """Return the players with the largest weights, in percent."""
    shown = [f"{name} {percent(weight)}" for name, weight in [*weights.items()][:_NAMED]]
    more = [f"{len(weights) - _NAMED:,} more"] if len(weights) > _NAMED else []
    return ", ".join([*shown, *more])
