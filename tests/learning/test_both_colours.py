"""Both colours of a large matrix are learnt at the same time, as if one after the other."""

import subprocess
import sys

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from seedfolio.errors import EquilibriumError
from seedfolio.learning import nash
from seedfolio.learning.matrix import MatrixLearner, Weights, weigh_both
from seedfolio.learning.nash import Nash
from seedfolio.learning.regret_matching import RegretMatching
from seedfolio.study.store import UNPLAYED


def random_scores(rows, columns, seed):
    return np.random.default_rng(seed).integers(0, 3, (rows, columns), dtype=np.uint8)


def blas_threads():
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


@pytest.mark.parametrize("learner", [Nash(), RegretMatching(20)])
@pytest.mark.parametrize("shape", [(30, 10), (500, 230)])
def test_each_colour_is_learnt_as_alone(learner, shape, monkeypatch):
    monkeypatch.setattr(nash, "_SOLVED", dict[bytes, Weights]())
    scores = random_scores(*shape, 1), random_scores(*shape, 2)
    alone = [learner.weigh(each, 2, key) for key, each in enumerate(scores, 7)]
    threads = blas_threads()
    nash._SOLVED.clear()
    both = weigh_both(learner, scores, 2, 7)
    assert blas_threads() == threads
    for one, other in zip(alone, both, strict=True):
        assert one.weights.tobytes() == other.weights.tobytes()
        assert one.certificate == other.certificate


def test_no_library_keeps_the_limit_in_a_fresh_process():
    # scipy has a BLAS of its own, which is loaded when it is needed first.
    code = """
import numpy as np
from threadpoolctl import threadpool_info
from seedfolio.learning.matrix import weigh_both
from seedfolio.learning.nash import Nash
scores = [np.random.default_rng(k).integers(0, 3, (500, 230), dtype=np.uint8) for k in (1, 2)]
weigh_both(Nash(), tuple(scores), 2, 7)
print(*(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    threads = ran.stdout.split()
    assert len(threads) >= 2
    assert len(set(threads)) == 1


class Keys(MatrixLearner):
    """A learner that returns what it was given."""

    name = "keys"

    def weigh(self, scores, full, key):
        if scores.max() == UNPLAYED:
            raise EquilibriumError(f"colour {key} is not played")
        return Weights(np.array([scores.sum(), full, key], np.float64))


@pytest.mark.parametrize("shape", [(30, 10), (500, 230), (11000, 1000)])
def test_each_colour_has_its_matrix_and_key(shape):
    scores = np.ones(shape, np.uint8), np.zeros(shape, np.uint8)
    first, second = weigh_both(Keys(), scores, 6, 40)
    assert first.weights.tolist() == [shape[0] * shape[1], 6, 40]
    assert second.weights.tolist() == [0, 6, 41]
