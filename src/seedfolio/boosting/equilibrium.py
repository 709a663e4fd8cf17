"""The equilibrium of a study's matrix, and how far its portfolios can be exploited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.matrix_game import HEADINGS, Exploitability, Portfolios
from seedfolio.boosting.saved import saved_matrices
from seedfolio.core.display import Displayed, Part
from seedfolio.core.table import Table, percent
from seedfolio.errors import SpecificationError
from seedfolio.learning.solvers.equilibrium import solve
from seedfolio.portfolios.portfolio import CRITERIA, Portfolio
from seedfolio.report.table import FIXED_SEED, MIXTURE, Row
from seedfolio.study.arms import TrainingArms, has_opponents, training_scores
from seedfolio.study.store import Study

_Floats = NDArray[np.float64]
_NAMES = ("value", "nash_1_v_uniform", "nash_2_v_uniform", "nash_2_v_best", "nash_1_v_best")


@dataclass(frozen=True, repr=False)
class StudyEquilibrium(Displayed):
    """The equilibrium of a study's matrix, and how far its portfolios can be exploited.

    >>> from seedfolio import boost
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> boosted = boost(*program, k=8, kt=8, opponents=17, study="a.study")
    >>> found = boosted.equilibrium()
    >>> found.arms, found.supports
    (8, (3, 2))
    >>> abs(found.exploitability["nash"].mean) < 1e-9
    True
    """

    title: str
    arms: int
    """How many arms of each colour have met each other: those of the first table."""
    numbers: tuple[float, ...]
    """V and the four successes, as in the paper."""
    supports: tuple[int, int]
    """How many arms of each colour Nash draws from."""
    exploitability: Mapping[str, Exploitability]
    """By row: the original and the learners whose arms the matrices have."""
    rows: tuple[Row, ...]
    """The success on unseen seeds; none where no boost was completed."""

    @property
    def caption(self) -> str:
        """What the numbers mean, in one paragraph."""
        said = (
            f"On the matrix of {self.arms} arms of each colour that met each other, so in training "
            "and not on unseen seeds. Seen by the first player, but Nash(2) v BestArm(1) is the "
            "success of Nash."
        )
        if not self.rows:
            return f"{said} The study has no result of seedfolio boost yet."
        return (
            f"{said} Exploitability: how far below the value of the matrix game an "
            "opponent who knows the portfolio can push it with the arms of the matrix, mean of "
            "both colours."
        )

    def tables(self) -> list[Table]:
        """Return the row of the paper's table, and the exploitabilities where a boost is done."""
        row = [str(self.arms), *map(percent, self.numbers), "{} and {}".format(*self.supports)]
        game = Table(["arms", *HEADINGS], [row], words=())
        if not self.rows:
            return [game]
        columns = [f"K'={each}" for each in CRITERIA[: len(self.rows[0].estimates)]]
        lines = []
        for each in self.rows:
            known = self.exploitability.get(each.name)
            last = "-" if known is None else percent(known.mean)
            lines.append([each.name, *(estimate.text for estimate in each.estimates), last])
        return [game, Table(["success in %", *columns, "exploitability"], lines)]

    def markdown(self) -> str:
        """Return both tables in Markdown."""
        return "\n".join(table.markdown() for table in self.tables())

    def _summary(self) -> str:
        return f"{self.title}: V = {percent(self.numbers[0])}, {self.arms} arms of each colour"

    def _parts(self) -> list[Part]:
        return [self.title, *self.tables(), self.caption]

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"name": name, "first": each.first, "second": each.second, "both": each.mean}
            for name, each in self.exploitability.items()
        ]

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data, in fractions of 1."""
        return {
            "title": self.title,
            "arms": self.arms,
            **dict(zip(_NAMES, self.numbers, strict=True)),
            "supports": list(self.supports),
            "exploitability": self._records(),
        }


def study_equilibrium(
    study: Study, title: str, rows: Sequence[Row], portfolios: Mapping[str, Portfolio]
) -> StudyEquilibrium:
    """Compute it from the last whole matrices of a study."""
    if has_opponents(study):
        raise SpecificationError(
            f"{study.path} has [[opponents]]: the equilibrium is that of a program against itself"
        )
    asked = saved_matrices(study)
    arms = TrainingArms(0, asked.k)
    first, second = (each / study.full for each in training_scores(study, arms, asked.kt))
    square = Portfolios.of(first[: asked.kt])
    # Each colour has a matrix of its own, in which it is the rows.
    matrices = [(matrix, solve(matrix).value) for matrix in (first, second)]
    uniform = np.full(asked.k, 1 / asked.k)
    known = {
        FIXED_SEED: _below(matrices, [np.eye(asked.k), np.eye(asked.k)]),
        MIXTURE: _below(matrices, [uniform, uniform]),
    }
    for name, portfolio in portfolios.items():
        sides = [_weights(portfolio, colour, asked.k) for colour in (0, 1)]
        if sides[0] is not None and sides[1] is not None:
            known[name] = _below(matrices, [sides[0], sides[1]])
    return StudyEquilibrium(
        title,
        asked.kt,
        tuple(square.numbers()),
        square.supports,
        {row.name: known[row.name] for row in rows if row.name in known},
        tuple(rows),
    )


def _below(matrices: Sequence[tuple[_Floats, float]], weights: Sequence[_Floats]) -> Exploitability:
    """Return the exploitability of weights of both colours; of rows of weights, the mean."""
    found = [
        value - float((each @ matrix).min(axis=-1).mean())
        for (matrix, value), each in zip(matrices, weights, strict=True)
    ]
    return Exploitability(*found)


def _weights(portfolio: Portfolio, colour: int, k: int) -> _Floats | None:
    """Return a portfolio's weights of all K arms; None if it draws others or turns the board."""
    drawn = portfolio[colour]
    if max(drawn.arms) >= k:
        return None
    weights = np.zeros(k)
    weights[list(drawn.arms)] = drawn.weights
    return weights
