"""Cross-validation on one matrix, as in "Automatically Reinforcing a Game AI" (St-Pierre et al.).

Some of the arms of each colour are drawn, portfolios are learnt from their part of the matrix, and
the arms left out judge them: first `judge_by_left_out` (Fig. 2 to 5), then `play_each_other` (Fig.
10 and 11). All of it is repeated with other draws from the same matrix, so the errors are those of
the draws, and say nothing about another matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.nash import Nash
from seedfolio.learning.solvers.equilibrium import solve

EXPLOITER = "exploiter"
"""An opponent who knows our portfolio and plays the best of its arms against it."""

_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]


@dataclass(frozen=True)
class Matrix:
    """A square of results: half points of the first player's arms (rows), up to `full` each."""

    points: NDArray[np.uint8]
    full: int

    def __len__(self) -> int:
        return len(self.points)

    def part(self, rows: _Places, columns: _Places) -> _Floats:
        """Return the successes of the first player with these arms."""
        return self.points[np.ix_(rows, columns)] / self.full

    def learn_both(
        self, learner: MatrixLearner, places: tuple[_Places, _Places], key: int
    ) -> tuple[_Floats, _Floats]:
        """Return the weights of both colours, learnt from the same drawn part."""
        if isinstance(learner, Nash):  # one equilibrium has both, and takes most of the time
            found = solve(self.points[np.ix_(*places)])
            return found.row, found.column
        return self.learn(learner, places, 0, key), self.learn(learner, places, 1, key + 1)

    def learn(
        self, learner: MatrixLearner, places: tuple[_Places, _Places], colour: int, key: int
    ) -> _Floats:
        """Return the weights of a colour's drawn arms, learnt from the drawn part."""
        drawn = self.points[np.ix_(*places)]
        scores = drawn if colour == 0 else self.full - drawn.T
        return learner.weigh(np.ascontiguousarray(scores), self.full, key).weights


@dataclass(frozen=True)
class Judged:
    """Successes of one learner, a number for each draw; both colours together."""

    against_original: _Floats
    """Against arms left out, drawn equally often."""
    against_exploiter: _Floats
    """Against the best of all the arms left out, chosen for each colour."""


def judge_by_left_out(
    matrix: Matrix,
    learners: Mapping[str, MatrixLearner],
    size: int,
    keys: Sequence[int],
    done: Callable[[], None] = lambda: None,
) -> dict[str, Judged]:
    """Learn from `size` arms of each colour, and meet all the others; a draw for each key."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in learners}
    for key, orders in _orders(matrix, keys):
        (rows, left_rows), (columns, left_columns) = ((o[:size], o[size:]) for o in orders)
        for name, learner in learners.items():
            first, second = matrix.learn_both(learner, (rows, columns), key)
            met = (
                first @ matrix.part(rows, left_columns),
                1 - matrix.part(left_rows, columns) @ second,
            )
            mean, least = (sum(float(f(side)) for side in met) / 2 for f in (np.mean, np.min))
            found[name].append((mean, least))
        done()
    return {name: Judged(*np.array(each).T) for name, each in found.items()}


def play_each_other(
    matrix: Matrix,
    learners: Mapping[str, MatrixLearner],
    size: int,
    keys: Sequence[int],
    done: Callable[[], None] = lambda: None,
) -> dict[tuple[str, str], _Floats]:
    """Return the success of each learner against each, and against its exploiter.

    Both colours together, a number for each draw. The first player learns from `size` arms of each
    colour and the second from `size` others, so neither has seen an arm of its opponent. The
    exploiter picks among as many arms as the learner that it replaces has.
    """
    found: dict[tuple[str, str], list[float]] = {
        (ours, theirs): [] for ours in learners for theirs in (*learners, EXPLOITER)
    }
    for key, (rows, columns) in _orders(matrix, keys):
        own = rows[:size], columns[:size]
        other = rows[size : 2 * size], columns[size : 2 * size]
        first = {n: matrix.learn(each, own, 0, key) for n, each in learners.items()}
        second = {n: matrix.learn(each, other, 1, key + 1) for n, each in learners.items()}
        played = matrix.part(own[0], other[1])
        for ours in learners:
            for theirs in learners:
                as_first = float(first[ours] @ played @ second[theirs])
                as_second = 1 - float(first[theirs] @ played @ second[ours])
                found[ours, theirs].append((as_first + as_second) / 2)
            worst = (first[ours] @ played).min() + 1 - (played @ second[ours]).max()
            found[ours, EXPLOITER].append(float(worst) / 2)
        done()
    return {pair: np.array(each) for pair, each in found.items()}


def _orders(matrix: Matrix, keys: Sequence[int]) -> Iterator[tuple[int, tuple[_Places, _Places]]]:
    """Yield each key with a random order of the rows and one of the columns."""
    for key in keys:
        # Made from the raw bits, which are the same in every version of numpy.
        bits = np.random.Philox(key=mix_int(key))
        rows, columns = (
            np.argsort(np.asarray(bits.random_raw(len(matrix)), np.uint64), kind="stable")
            for _ in range(2)
        )
        yield key, (rows, columns)
