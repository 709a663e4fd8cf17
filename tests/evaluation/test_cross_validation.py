"""Cross-validation beside plain numpy computations of the same draws."""

import numpy as np
import pytest
from linear_program import row_strategy

from seedfolio.analysis.cross_validation import (
    EXPLOITER,
    Matrix,
    judge_by_left_out,
    play_each_other,
)
from seedfolio.core.randomness import mix_int
from seedfolio.learning.registry import matrix_learner

FULL = 200
"""Many half points a cell, so that random matrices have one equilibrium."""
LEARNERS = {name: matrix_learner(name) for name in ("best-seed", "nash", "best-half", "uniform")}
KEYS = [5, 11, 23]


def random_matrix(arms, seed):
    random = np.random.default_rng(seed)
    return Matrix(random.integers(0, FULL + 1, (arms, arms), dtype=np.uint8), FULL)


def orders(arms, key):
    bits = np.random.Philox(key=mix_int(key))
    rows, columns = bits.random_raw(arms).tolist(), bits.random_raw(arms).tolist()
    return sorted(range(arms), key=rows.__getitem__), sorted(range(arms), key=columns.__getitem__)


def weights(name, own):
    means = own.mean(axis=1)
    if name == "nash":
        return row_strategy(own)[0]
    if name == "uniform":
        return np.full(len(own), 1 / len(own))
    chosen = means == means.max() if name == "best-seed" else means > np.median(means)
    return chosen / chosen.sum()


@pytest.mark.parametrize("name", LEARNERS)
def test_arms_left_out_judge_as_by_hand(name):
    arms, size = 9, 5
    matrix = random_matrix(arms, 3)
    success = matrix.points / FULL
    found = judge_by_left_out(matrix, {name: LEARNERS[name]}, size, KEYS)[name]
    for draw, key in enumerate(KEYS):
        rows, columns = orders(arms, key)
        learnt = success[np.ix_(rows[:size], columns[:size])]
        black = weights(name, learnt) @ success[np.ix_(rows[:size], columns[size:])]
        white = 1 - success[np.ix_(rows[size:], columns[:size])] @ weights(name, 1 - learnt.T)
        assert len(black) == len(white) == arms - size
        mean, least = (black.mean() + white.mean()) / 2, (black.min() + white.min()) / 2
        assert found.against_original[draw] == pytest.approx(mean, abs=1e-6)
        assert found.against_exploiter[draw] == pytest.approx(least, abs=1e-6)


def test_learners_meet_each_other_as_by_hand():
    arms, size = 10, 4
    matrix = random_matrix(arms, 8)
    success = matrix.points / FULL
    found = play_each_other(matrix, LEARNERS, size, KEYS)
    assert set(found) == {(a, b) for a in LEARNERS for b in (*LEARNERS, EXPLOITER)}
    for draw, key in enumerate(KEYS):
        rows, columns = orders(arms, key)
        learnt = success[np.ix_(rows[:size], columns[:size])]
        other = success[np.ix_(rows[size : 2 * size], columns[size : 2 * size])]
        met = success[np.ix_(rows[:size], columns[size : 2 * size])]
        for ours in LEARNERS:
            p, q = weights(ours, learnt), weights(ours, 1 - other.T)
            worst = (min(p @ met) + 1 - max(met @ q)) / 2
            assert found[ours, EXPLOITER][draw] == pytest.approx(worst, abs=1e-6)
            for theirs in LEARNERS:
                their_p, their_q = weights(theirs, learnt), weights(theirs, 1 - other.T)
                mean = (p @ met @ their_q + 1 - their_p @ met @ q) / 2
                assert found[ours, theirs][draw] == pytest.approx(mean, abs=1e-6)
