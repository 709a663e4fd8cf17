"""Learners that ask for the games they need: one interface, whatever they do inside.

A *course* is one run of such a learner. It asks for cells, is told their results, and can say at
any moment what it would play and how sure it is. It is a deterministic function of its key and of
the results, so a course that was interrupted is run again from its beginning: the study has the
results of all that it asks for, up to where it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.learner import Certificate
from seedfolio.portfolios.portfolio import Distribution, Portfolio

MOST_ARMS = 2**20
"""A colour may have no more, in learners that keep no table of arms against arms."""
MEASURING_SEEDS = range(2**28, 2**29)
"""Opponents that learning never meets, to measure its outcome by. Programs from outside have no
more seeds than these."""


@dataclass(frozen=True)
class Cells:
    """Cells to be played: rows[k], moving first, against columns[k]. All are training seeds."""

    rows: NDArray[np.uint64]
    columns: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Answer:
    """What a course would play now, and how sure it is of it."""

    portfolio: Portfolio
    first: Certificate
    """With 95% confidence: the success of the portfolio as first player against the original."""
    second: Certificate
    note: str = ""
    """What a learner chose, and why, for people."""
    value: tuple[Certificate, Certificate] | None = None
    """For each colour, proven bounds of the value of the matrix game among the arms that played,
    from learners that solve one."""


class Course(Protocol):
    """One run of a learner that asks."""

    def ask(self) -> Cells | None:
        """Return the next cells to be played, which may repeat; None when there are no more."""
        ...

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Take the half points (0 to `full`) of the first player in the cells asked for last."""
        ...

    def answer(self) -> Answer:
        """Return what it would play if it were stopped now; before the first cell as well."""
        ...


@runtime_checkable
class AskingLearner(Protocol):
    """A way to learn that chooses its own games."""

    @property
    def name(self) -> str:
        """The canonical text that `parse_asking_learner` turns back into this learner."""
        ...

    def begin(self, cells: int, full: int, key: int) -> Course:
        """Begin a course of at most `cells` different cells of `full` half points each.

        `key`, 64 bits, is the only source of randomness.
        """
        ...


def nothing_known() -> Answer:
    """Return the answer before the first result."""
    anything = Distribution((0,), (1.0,))
    return Answer(Portfolio(anything, anything), Certificate(0.0, 1.0), Certificate(0.0, 1.0))
