"""Cross-validation on one matrix, as in "Automatically Reinforcing a Game AI" (St-Pierre et al.).

Some of the arms of each colour are drawn, portfolios are learnt from their part of the matrix, and
the arms left out judge them: first `judge_by_left_out` (Fig. 2 to 5), then `play_each_other` (Fig.
10 and 11). All of it is repeated with other draws from the same matrix, so the errors are those of
the draws, and say nothing about another matrix. `judge_by_halves` is for the verdict on a finite
list of arms: each half judges once, and its error is over the arms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.evaluation.exploiters import Estimate, Groups, both_colours, exploiter_success
from seedfolio.learning.matrix import MatrixLearner, Scores
from seedfolio.learning.nash import Nash
from seedfolio.learning.solvers.equilibrium import solve

EXPLOITER = "exploiter"
"""An opponent who knows our portfolio and plays the best of its arms against it."""

_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]


@dataclass(frozen=True)
class Matrix:
    """Results of the first player's arms (rows), up to `full` each."""

    points: Scores
    full: int

    def __len__(self) -> int:
        """Return how many arms of each colour there are, at least."""
        rows, columns = self.points.shape
        return int(min(rows, columns))

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


def judge_by_halves(
    learner: MatrixLearner,
    scores: Sequence[Scores],
    full: int,
    *,
    alike: Sequence[Groups],
    criteria: Sequence[int],
    same: bool = True,
) -> tuple[Estimate, ...] | None:
    """Learn from one half of the opponents and meet the other, both ways; None without two halves.

    `scores` are the half points of our arms (rows) as each colour; `same` says whether both colours
    meet the same opponents. Opponents that are `alike` are
    in the same half, or a half would know the other. Where all arms are equal, the one that a half
    chooses for its luck helps that half to judge. The correlation of the halves is then below
    2 log K / (K - 1), of the largest of K normal numbers, so the error is as much larger.
    """
    sides = []
    for colour in (0, 1):
        halves, cells = alike[colour] % 2, scores[colour]
        met = np.empty(len(halves))
        if not halves.any():
            return None
        for half in (0, 1):
            learnt = learner.weigh(np.ascontiguousarray(cells[:, halves != half]), full, colour)
            met[halves == half] = learnt.weights @ cells[:, halves == half] / full
        sides.append(np.clip(met, 0, 1))
    different = min(len(np.unique(each)) for each in alike)
    larger = sqrt(1 + 2 * log(different) / (different - 1))
    found = []
    for opponents in criteria:
        first, second = (
            exploiter_success(met, opponents, groups=groups)
            for met, groups in zip(sides, alike, strict=True)
        )
        both = both_colours(first, second, same=same)
        found.append(Estimate(both.mean, larger * both.error))
    return tuple(found)


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
            np.argsort(np.asarray(bits.random_raw(arms), np.uint64), kind="stable")
            for arms in matrix.points.shape
        )
        yield key, (rows, columns)
