"""Learners that take whole matrices of results: they weigh arms by the scores of one colour.

Without a whole matrix they choose their games: a matrix that grows until the budget is spent.
"""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SpecificationError
from seedfolio.learning.exploration import Choice, ExploringLearner, nothing_known
from seedfolio.learning.learner import Budget, Certificate, Learner, Learnt, in_range
from seedfolio.learning.one_colour import confidence
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import TrainingArms, training_cells
from seedfolio.study.session import Cells, Session

# Both colours are learnt at the same time if rows x columns x columns, which predicts how long an
# equilibrium takes, is in this range. With less, threads wait for each other more than they work.
# With more, an interrupt would take too long, as it waits for the second colour.
_LEAST_WORK, _MOST_WORK = 10**8, 10**10
_FEW_COLUMNS = 1000  # below this memory matters more, and two colours need twice as much
_SMALLEST = 8
_AT_ONCE = 2**16  # cells; an exploration stops only between two calls for cells


Scores = NDArray[Any]
"""Half points as bytes, or successes from 0 to 1 of games that were not played here."""


@dataclass(frozen=True)
class Weights:
    """One colour's distribution over its arms: non-negative weights that add up to 1."""

    weights: NDArray[np.float64]
    certificate: Certificate | None = None
    """Proven bounds of the value of the matrix game, from learners that solve it."""


def totals(scores: Scores) -> NDArray[Any]:
    """Return what each of our arms has scored, so that equal arms have equal totals."""
    if scores.dtype == np.uint8:
        sums: NDArray[np.int64] = scores.sum(axis=1, dtype=np.int64)
        return sums
    # Sums of the same floats in another order may differ in their last bits.
    rounded: NDArray[np.float64] = np.round(scores.mean(axis=1), 12)
    return rounded


def share_equally(chosen: NDArray[np.bool_]) -> Weights:
    """Return the uniform distribution over the chosen arms."""
    return Weights(chosen / np.count_nonzero(chosen))


class MatrixLearner(Learner):
    """A way to weigh arms by their results."""

    @abstractmethod
    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Weigh the arms.

        `scores[i, j]` are the half points that our arm i scored against the opponent's arm j,
        whatever our colour: from 0 to `full`, which is 2 for each game that a cell is made of. They
        are bytes; or floats from 0 to 1, of a matrix from elsewhere, and `full` is 1.
        `key`, 64 bits, is the only source of randomness.
        """

    def learn(self, session: Session, budget: Budget) -> Learnt:
        """Weigh the arms of the budget's matrix; without one, those of a matrix that grows."""
        if budget.matrix is None:
            return GrowingMatrix(self).learn(session, budget)
        k, kt = budget.matrix
        sides = weigh_both(self, session.matrices(k, kt), session.program.full, budget.key)
        seeds = TrainingArms(0, k).seeds()
        portfolio = Portfolio(*(Distribution.of(seeds, each.weights) for each in sides))
        first, second = (each.certificate for each in sides)
        value = None if first is None or second is None else (first, second)
        itself = not session.program.opponents
        games = training_cells(k, kt, itself=itself) * session.program.repeats
        return Learnt(portfolio, games, matrix=(k, kt), value=value)


def weigh_both(
    learner: MatrixLearner, scores: tuple[Scores, Scores], full: int, key: int
) -> tuple[Weights, Weights]:
    """Weigh the arms of both colours' matrices, at the same time if they are large."""
    from threadpoolctl import threadpool_limits

    rows, columns = scores[0].shape
    if not _LEAST_WORK <= rows * columns * max(columns, _FEW_COLUMNS) <= _MOST_WORK:
        return learner.weigh(scores[0], full, key), learner.weigh(scores[1], full, key + 1)
    # Learners limit the threads of BLAS for the whole process, and lift the limit at their end.
    # Without a limit around both, the first to end would leave the other with many threads. A limit
    # reaches only loaded libraries, and scipy has its own BLAS.
    import scipy.linalg  # noqa: F401

    with threadpool_limits(limits=1, user_api="blas"), ThreadPoolExecutor(1) as pool:
        second = pool.submit(learner.weigh, scores[1], full, key + 1)
        return learner.weigh(scores[0], full, key), second.result()


@dataclass(frozen=True)
class GrowingMatrix(ExploringLearner):
    """Play a matrix that doubles in size, and learn from the last complete one.

    K arms of each colour meet Kt = `ratio` * K of the other, for 2 K Kt - Kt**2 cells in all, K**2
    of a square. The last matrix is the largest that the cells allow; those before it are parts of
    it, about half as large each, so they cost nothing.

    The certificates hold for every matrix on the way at once, and for any mixture of arms. An
    opponent of the matrix is a draw of the original program, so by Hoeffding's inequality and
    Bonferroni's all means of arms are within sqrt(log(2 n / 0.05) / (2 Kt)) of the truth with
    probability 0.95, n being the number of means: K for each matrix, together less than twice the
    last K. The error of a mixture is the weighted mean of its arms' errors: no larger, even if the
    weights were chosen by the same results.
    """

    learner: MatrixLearner
    ratio: float = 1.0

    def __post_init__(self) -> None:
        in_range("a matrix needs a ratio Kt / K {}", self.ratio, 0, 1, ends="(]")

    @property
    def name(self) -> str:
        """The canonical text of this learner: that of the learner it serves, and the ratio."""
        name = self.learner.name
        if self.ratio == 1:
            return name
        return f"{name}{',' if ':' in name else ':'}ratio={self.ratio!r}"

    def check(self, program: Playable, *, whole_matrix: bool = False) -> None:
        """Raise SpecificationError where the whole matrix is given: it has its own ratio."""
        if whole_matrix:
            raise SpecificationError(
                f"{self.name}: ratio is for a `budget`; leave out ratio, or choose `kt`"
            )

    def begin(self, cells: int, full: int, key: int) -> MatrixExploration:
        """Begin an exploration of at most `cells` cells."""
        return MatrixExploration(self.learner, _shapes(cells, self.ratio), full, key)


class MatrixExploration:
    """The growing matrices of both colours."""

    def __init__(
        self, learner: MatrixLearner, shapes: list[tuple[int, int]], full: int, key: int
    ) -> None:
        self._learner, self._full, self._key = learner, full, key
        self._shapes = shapes
        self._stage = 0
        self._asked = Cells(np.zeros(0, np.uint64), np.zeros(0, np.uint64))
        self._waiting = _new_cells((0, 0), shapes[0]) if shapes else self._asked
        k, kt = shapes[-1] if shapes else (0, 0)
        # What the first player scores, in games of the first player's arms and of the second's.
        self._first = np.zeros((k, kt), np.uint8)
        self._second = np.zeros((k, kt), np.uint8)
        self._choice: Choice | None = nothing_known()

    def ask(self) -> Cells | None:
        """Return the next cells of the matrix being played."""
        if self._stage == len(self._shapes):
            return None
        waiting = self._waiting
        self._asked = Cells(waiting.rows[:_AT_ONCE], waiting.columns[:_AT_ONCE])
        return self._asked

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Enter the results; once the matrix is complete, go on to the next."""
        rows, columns = self._asked.rows.astype(np.intp), self._asked.columns.astype(np.intp)
        kt = self._first.shape[1]
        ours, theirs = columns < kt, rows < kt
        self._first[rows[ours], columns[ours]] = points[ours]
        self._second[columns[theirs], rows[theirs]] = points[theirs]
        told = len(points)
        self._waiting = Cells(self._waiting.rows[told:], self._waiting.columns[told:])
        if len(self._waiting) == 0:
            self._stage += 1
            self._choice = None
            if self._stage < len(self._shapes):
                self._waiting = _new_cells(*self._shapes[self._stage - 1 : self._stage + 1])

    def choice(self) -> Choice:
        """Learn from the last complete matrix."""
        if self._choice is None:
            k, kt = self._shapes[self._stage - 1]
            first, sure, value = self._learn(self._first[:k, :kt], 0)
            second, also, other = self._learn(self._full - self._second[:k, :kt], 1)
            solved = None if value is None or other is None else (value, other)
            self._choice = Choice(Portfolio(first, second), sure, also, value=solved)
        return self._choice

    def _learn(
        self, scores: NDArray[np.uint8], colour: int
    ) -> tuple[Distribution, Certificate, Certificate | None]:
        whole = np.ascontiguousarray(scores)
        found = self._learner.weigh(whole, self._full, (self._key + colour) % 2**64)
        mean = float(found.weights @ whole.mean(axis=1)) / self._full
        means = sum(k for k, _ in self._shapes)
        arms = np.arange(len(whole), dtype=np.uint64)
        side = Distribution.of(arms, found.weights)
        return side, confidence(mean, whole.shape[1], means), found.certificate


def _shapes(cells: int, ratio: float) -> list[tuple[int, int]]:
    """Return K and Kt of the matrices to play, smallest first; none if no cell is allowed."""
    k = _largest(cells, ratio)
    shapes: list[tuple[int, int]] = []
    while k > 0:
        shapes.insert(0, (k, _opponents(k, ratio)))
        k = k // 2 if k > _SMALLEST else 0
    return shapes


def _opponents(k: int, ratio: float) -> int:
    return max(1, round(k * ratio))


def _largest(cells: int, ratio: float) -> int:
    """Return the largest K whose matrix has at most `cells` cells."""
    low, high = 0, max(1, cells)
    if ratio == 1:
        return isqrt(cells)
    while low < high:
        middle = (low + high + 1) // 2
        if training_cells(middle, _opponents(middle, ratio)) <= cells:
            low = middle
        else:
            high = middle - 1
    return low


def _new_cells(old: tuple[int, int], new: tuple[int, int]) -> Cells:
    """Return the cells of a matrix that are not in the smaller one played before."""
    (k, kt), (more_k, more_kt) = old, new
    rows, columns = np.indices((more_k, more_kt))
    tall = ~((rows < k) & (columns < kt) | (rows < kt) & (columns < k))
    wide_rows, wide_columns = np.indices((more_kt, more_k - more_kt))
    wide_columns += more_kt
    wide = ~((wide_rows < kt) & (wide_columns < k))
    return Cells(
        np.concatenate([rows[tall], wide_rows[wide]]).astype(np.uint64),
        np.concatenate([columns[tall], wide_columns[wide]]).astype(np.uint64),
    )
