"""Learners that choose their games: one interface for all of them.

An *exploration* is one run of such a learner. It asks for cells, receives their results, and can
say at any moment what it would play and how sure it is. It is a deterministic function of its key
and of the results. So an interrupted exploration starts again from its beginning: the study has the
results of all cells that it asked for before.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.learner import Budget, Certificate, Learner, Learnt
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import CellResults, Cells, Session

MOST_ARMS = 2**20
"""The largest number of arms of a colour, for learners that keep no table of arms against arms."""


@dataclass(frozen=True)
class Choice:
    """What an exploration would play now, and how sure it is."""

    portfolio: Portfolio
    first: Certificate
    """With 95% confidence: the success of the portfolio as first player against the original."""
    second: Certificate
    note: str = ""
    """What the learner chose, and why, for people."""
    value: tuple[Certificate, Certificate] | None = None
    """For each colour, proven bounds of the value of the matrix game among the arms that played,
    from learners that solve one."""


class Exploration(Protocol):
    """One run of a learner that chooses its games."""

    def ask(self) -> Cells | None:
        """Return the next cells to play, which may repeat; None when there are no more."""
        ...

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Take the half points (0 to `full`) of the first player in the cells asked for last."""
        ...

    def choice(self) -> Choice:
        """Return what it would play if it stopped now. Works before the first cell, too."""
        ...


class ExploringLearner(Learner):
    """A learner that chooses its games."""

    @abstractmethod
    def begin(self, cells: int, full: int, key: int) -> Exploration:
        """Begin an exploration of at most `cells` different cells of `full` half points each.

        `key`, 64 bits, is the only source of randomness.
        """

    def learn(self, session: Session, budget: Budget) -> Learnt:
        """Play what the exploration asks for, until it is done or the budget is spent."""
        repeats = session.program.repeats
        cells = max(1, budget.games // repeats)
        exploration = self.begin(cells, session.program.full, budget.key)
        used = explore(exploration, cells, session, self.name)
        choice = exploration.choice()
        return Learnt(
            choice.portfolio,
            used * repeats,
            value=choice.value,
            confidence=(choice.first, choice.second),
            note=choice.note,
        )


def nothing_known() -> Choice:
    """Return the choice before the first result."""
    anything = Distribution((0,), (1.0,))
    return Choice(Portfolio(anything, anything), Certificate(0.0, 1.0), Certificate(0.0, 1.0))


def explore(
    exploration: Exploration,
    cells: int,
    session: Session,
    task: str,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Play what an exploration asks for until it is done, or would pass `cells`, or `stop` is true.

    A cell that was asked for before, in this exploration or in an earlier run of it, is not played
    again. Return how many different cells the exploration has used.
    """
    played = CellResults(session)
    with session.task(task, cells * session.program.repeats):
        try:
            return follow(exploration, cells, played.results, stop)
        finally:
            played.keep()


def follow(
    exploration: Exploration,
    cells: int,
    results: Callable[[Cells], NDArray[np.uint8]],
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Give an exploration what it asks for until it is done, or would pass `cells`, or `stop`.

    Calls `results` once for every cell, with different cells in increasing order. Return how many
    cells that were.
    """
    known: dict[int, int] = {}
    while not stop() and (asked := exploration.ask()) is not None:
        keys = asked.keys.tolist()
        new = np.array(sorted(set(keys) - known.keys()), np.uint64)
        if len(known) + len(new) > cells:
            break
        if len(new):
            found = results(Cells.of(new))
            known.update(zip(new.tolist(), found.tolist(), strict=True))
        exploration.tell(np.array([known[key] for key in keys], np.uint8))
    return len(known)
