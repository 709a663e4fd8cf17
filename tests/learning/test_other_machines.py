"""The same weights whatever kernels BLAS computes with, where many strategies are optimal."""

import json
import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from seedfolio.learning.solvers.centre import centre
from seedfolio.learning.solvers.equilibrium import solve

# Kernels for processors so old that every one of today runs them, beside those made for it.
OLD, NEW = {
    "aarch64": ("ARMV8", "NEOVERSEN1"),
    "arm64": ("ARMV8", "NEOVERSEN1"),
    "x86_64": ("Nehalem", ""),
    "AMD64": ("Nehalem", ""),
}.get(platform.machine(), ("", ""))

PROGRAM = """
import json, numpy as np
import scipy.linalg
from threadpoolctl import threadpool_info
from seedfolio.learning.nash import Nash
from seedfolio.learning.nash import SparseNash

def matrices():
    for seed in range(12):
        random = np.random.default_rng(seed)
        rows, columns = [(60, 12), (100, 10), (12, 9), (200, 20)][seed % 4]
        yield 2 * random.integers(0, 2, (rows, columns), dtype=np.uint8)
        ours, theirs = random.normal(size=(rows, 1)), random.normal(size=(1, columns))
        yield 2 * ((ours > theirs) ^ (random.random((rows, columns)) < 0.1)).astype(np.uint8)
        # Sums over the games of a cell, up to the most there may be.
        chance = 1 / (1 + np.exp(theirs - ours))
        yield 2 * random.binomial(127, chance).astype(np.uint8)

learners = Nash(), SparseNash(0.75), SparseNash(0.25)
kernels = sorted({library["architecture"] for library in threadpool_info()})
found = [
    learner.weigh(scores, 254, 0)
    for matrix in matrices()
    for scores in (matrix, np.ascontiguousarray(254 - matrix.T))
    for learner in learners
]
bits = [f"{each.weights.tobytes().hex()} {each.certificate}" for each in found]
print(json.dumps([kernels, bits]))
"""


def learn_with(kernels):
    environment = os.environ | ({"OPENBLAS_CORETYPE": kernels} if kernels else {})
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True, text=True
    )
    return json.loads(done.stdout)


@pytest.mark.slow
def test_degenerate_games_have_the_same_bits_with_other_kernels():
    (old, by_old), (new, by_new) = learn_with(OLD), learn_with(NEW)
    if old == new:
        pytest.skip(f"this BLAS has only one kind of kernels here: {', '.join(old)}")
    assert len(by_old) == 216
    assert [k for k in range(216) if by_old[k] != by_new[k]] == []


def degenerate(seed):
    return 2 * np.random.default_rng(seed).integers(0, 2, (60, 12), dtype=np.uint8)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_arms_does_not_choose_among_optimal_strategies(seed):
    random = np.random.default_rng(seed)
    matrix, rows, columns = degenerate(seed), random.permutation(60), random.permutation(12)
    plain, shuffled = solve(matrix), solve(matrix[rows][:, columns])
    # Not the last bits: units that cannot be shared go to the first of equal arms.
    assert np.abs(plain.row[rows] - shuffled.row).max() < 1e-13
    assert np.abs(plain.column[columns] - shuffled.column).max() < 1e-13


# The centre itself, where calculus finds it.


def test_the_centre_of_a_triangle_with_no_slack_is_its_middle():
    equal, nothing = np.zeros((3, 1)), np.zeros((3, 0))
    found = centre(equal, nothing, np.array([0.9, 0.0999, 0.0001]))
    assert found == pytest.approx([1 / 3] * 3, abs=1e-14)


def test_the_centre_keeps_away_from_where_a_column_would_gain():
    # Weights (x, 1 - x), slack x - 1/2: the largest x (1 - x) (x - 1/2) is at (3 + sqrt 3) / 6.
    equal, above = np.array([[0.5], [0.5]]), np.array([[1.0], [0.0]])
    for start in (0.51, 0.8, 0.999999):
        found = centre(equal, above, np.array([start, 1 - start]))
        assert found is not None
        assert found[0] == pytest.approx((3 + 3**0.5) / 6, abs=1e-13)


def test_the_centre_scores_alike_where_it_must():
    # x0 = x1 scores alike on both columns; the largest product of (a, a, 1 - 2a) has a = 1/3.
    equal = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    found = centre(equal, np.zeros((3, 0)), np.array([0.1, 0.1, 0.8]))
    assert found == pytest.approx([1 / 3] * 3, abs=1e-14)


def test_there_is_no_centre_without_a_start_inside():
    equal, above = np.array([[0.5], [0.5]]), np.array([[1.0], [0.0]])
    assert centre(equal, above, np.array([0.4, 0.6])) is None
