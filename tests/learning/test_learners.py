"""The learners on cases worked out by hand, and their names."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from synthetic_arena import differing, exploring_learner, from_matrix, run

from seedfolio.errors import SpecificationError
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.by_mean import BestHalf, BestSeed, Top, Uniform
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.learning.halving import Halving
from seedfolio.learning.matrix import GrowingMatrix, MatrixLearner
from seedfolio.learning.nash import Nash, SparseNash
from seedfolio.learning.registry import LEARNERS, find_learner, matrix_learner
from seedfolio.learning.regret_matching import RegretMatching

ALL: list[MatrixLearner] = [
    Uniform(),
    BestSeed(),
    BestHalf(),
    Top(3),
    Nash(),
    SparseNash(0.5),
    SparseNash(1),
    RegretMatching(50),
    ExploiterObjective(2),
]

OF_ARMS = [name for name in LEARNERS if name != "book"]


def scores(*rows: list[int]) -> NDArray[np.uint8]:
    return np.array(rows, dtype=np.uint8)


@pytest.mark.parametrize("learner", ALL, ids=lambda learner: learner.name)
@given(
    results=arrays(
        np.uint8, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.integers(0, 2)
    ),
    key=st.integers(0, 2**64 - 1),
)
@settings(max_examples=25, deadline=None)
def test_weights_are_a_distribution_and_repeat(
    learner: MatrixLearner, results: NDArray[np.uint8], key: int
) -> None:
    learnt = learner.weigh(results, 2, key)
    assert learnt.weights.shape == (len(results),)
    assert learnt.weights.dtype == np.float64
    assert learnt.weights.min() >= 0
    assert learnt.weights.sum() == pytest.approx(1, abs=1e-12)
    assert learnt.weights.tobytes() == learner.weigh(results, 2, key).weights.tobytes()


@pytest.mark.parametrize("learner", ALL, ids=lambda learner: learner.name)
def test_one_arm_gets_all(learner: MatrixLearner) -> None:
    assert learner.weigh(scores([0, 2, 1]), 2, 5).weights.tolist() == [1]


@pytest.mark.parametrize("learner", [Uniform(), BestHalf(), Nash(), SparseNash(1.0)])
@pytest.mark.parametrize("result", [0, 1, 2])
def test_arms_with_equal_results_are_drawn_equally(learner: MatrixLearner, result: int) -> None:
    weights = learner.weigh(np.full((4, 6), result, dtype=np.uint8), 2, 0).weights
    assert weights.tolist() == [0.25] * 4


def test_uniform() -> None:
    assert Uniform().weigh(scores([0], [2], [1], [0]), 2, 0).weights.tolist() == [0.25] * 4


def test_best_seed_takes_the_best_mean() -> None:
    matrix = scores([2, 0, 1], [2, 2, 0], [0, 1, 2])
    assert BestSeed().weigh(matrix, 2, 0).weights.tolist() == [0, 1, 0]


def test_best_seed_does_not_overflow() -> None:
    matrix = np.full((2, 300), 2, dtype=np.uint8)  # 600 half points do not fit 8 bits
    matrix[0, 250:] = 0
    assert BestSeed().weigh(matrix, 2, 0).weights.tolist() == [0, 1]


def test_best_seed_breaks_ties_at_random_by_key_alone() -> None:
    matrix = scores([2, 0], [0, 0], [0, 2], [1, 1])
    chosen = [int(BestSeed().weigh(matrix, 2, key).weights.argmax()) for key in range(3000)]
    counts = np.bincount(chosen, minlength=4)
    assert counts[1] == 0
    # 3000 draws at 1/3: the standard deviation is 26.
    assert np.abs(counts[[0, 2, 3]] - 1000).max() < 130
    # Pinned: a portfolio learnt today must be learnt again tomorrow.
    assert chosen[:12] == [2, 2, 0, 2, 0, 3, 0, 2, 0, 2, 0, 2]


def test_best_half() -> None:
    matrix = scores([2, 2], [2, 1], [1, 0], [0, 0])
    assert BestHalf().weigh(matrix, 2, 0).weights.tolist() == [0.5, 0.5, 0, 0]


def test_best_half_leaves_out_the_median_itself() -> None:
    matrix = scores([2, 2], [1, 1], [0, 0])
    assert BestHalf().weigh(matrix, 2, 0).weights.tolist() == [1, 0, 0]


def test_best_half_keeps_all_if_none_is_above_the_median() -> None:
    matrix = scores([2], [2], [2], [0])
    assert BestHalf().weigh(matrix, 2, 0).weights.tolist() == [0.25] * 4


def test_nash_and_its_certificate_as_success() -> None:
    learnt = Nash().weigh(scores([2, 0], [0, 2], [0, 0]), 2, 0)
    assert learnt.weights.tolist() == [0.5, 0.5, 0]
    assert learnt.certificate is not None
    assert (learnt.certificate.lower, learnt.certificate.upper) == (0.5, 0.5)


def test_nash_promises_its_lower_bound_against_every_opponent() -> None:
    matrix = np.random.default_rng(1).integers(0, 3, (50, 30), dtype=np.uint8)
    learnt = Nash().weigh(matrix, 2, 0)
    assert learnt.certificate is not None
    success = learnt.weights @ matrix / 2
    assert success.min() == pytest.approx(learnt.certificate.lower, abs=1e-12)
    assert learnt.certificate.upper - learnt.certificate.lower < 1e-9


@pytest.mark.parametrize("full", [2, 32, 254])
def test_the_certificate_is_a_success_whatever_a_cell_holds(full: int) -> None:
    # Rows at 1/3 and 2/3 win 2/3 of each game.
    matrix = np.array([[full, 0], [full // 2, full]], dtype=np.uint8)
    learnt = Nash().weigh(matrix, full, 0)
    assert learnt.weights == pytest.approx([1 / 3, 2 / 3])
    assert learnt.certificate is not None
    assert learnt.certificate.lower == pytest.approx(2 / 3, abs=1e-12)
    assert learnt.certificate.upper == pytest.approx(2 / 3, abs=1e-12)
    # The same bytes as the part of another whole are another success.
    less = Nash().weigh(matrix, 4 * full, 0).certificate
    assert less is not None
    assert less.lower == pytest.approx(1 / 6, abs=1e-12)


@pytest.mark.parametrize("learner", ALL, ids=lambda learner: learner.name)
def test_sums_over_more_games_with_the_same_means_weigh_alike(learner: MatrixLearner) -> None:
    matrix = np.random.default_rng(3).integers(0, 3, (30, 20), dtype=np.uint8)
    once, often = learner.weigh(matrix, 2, 7), learner.weigh(127 * matrix, 254, 7)
    assert often.weights == pytest.approx(once.weights, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.75, 1.0])
def test_sparse_nash_drops_the_small_weights(alpha: float) -> None:
    matrix = np.random.default_rng(2).integers(0, 2, (60, 40), dtype=np.uint8) * 2
    nash, sparse = Nash().weigh(matrix, 2, 0), SparseNash(alpha).weigh(matrix, 2, 0)
    kept = nash.weights >= alpha * nash.weights.max()
    assert 0 < np.count_nonzero(kept) < np.count_nonzero(nash.weights)
    assert sparse.weights[~kept].max() == 0
    assert sparse.weights[kept] == pytest.approx(nash.weights[kept] / nash.weights[kept].sum())
    assert sparse.certificate == nash.certificate


def test_sparse_nash_on_weights_known_by_hand() -> None:
    # Against [[2, 0], [1, 2]]: rows at 1/3 and 2/3.
    matrix = scores([2, 0], [1, 2])
    assert SparseNash(0.5).weigh(matrix, 2, 0).weights == pytest.approx([1 / 3, 2 / 3])
    assert SparseNash(0.51).weigh(matrix, 2, 0).weights.tolist() == [0, 1]


def test_sparse_nash_takes_weights_that_differ_by_rounding_as_equal() -> None:
    rock_paper_scissors = scores([1, 0, 2], [2, 1, 0], [0, 2, 1])
    assert SparseNash(1).weigh(rock_paper_scissors, 2, 0).weights == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("alpha", [0, -1, 1.01, float("nan")])
def test_sparse_nash_refuses_an_alpha_without_sense(alpha: float) -> None:
    with pytest.raises(SpecificationError, match="sparse-nash needs alpha above 0 and at most 1"):
        SparseNash(alpha)


@pytest.mark.parametrize(
    ("text", "learner"),
    [
        ("nash", Nash()),
        ("best-seed", BestSeed()),
        ("best-half", BestHalf()),
        ("uniform", Uniform()),
        ("sparse-nash", SparseNash(0.75)),
        ("sparse-nash:alpha=.5", SparseNash(0.5)),
        ("sparse-nash:alpha=1", SparseNash(1.0)),
        ("top:n=3", Top(3)),
        ("exploiter:opponents=8", ExploiterObjective(8)),
        ("regret-matching:iterations=99", RegretMatching(99)),
    ],
)
def test_names(text: str, learner: MatrixLearner) -> None:
    assert matrix_learner(text) == find_learner(text) == learner
    assert matrix_learner(learner.name) == learner


@pytest.mark.parametrize("name", LEARNERS)
def test_every_registered_learner_has_a_one_line_summary_that_stands_alone(name: str) -> None:
    summary = LEARNERS[name].summary
    assert 0 < len(summary) < 70
    assert "\n" not in summary
    assert not summary.startswith(("its ", "the same "))  # as the one above


@pytest.mark.parametrize("name", OF_ARMS)
def test_every_learner_of_arms_parses(name: str) -> None:
    assert find_learner(name).name == exploring_learner(name).name == name
    if LEARNERS[name].takes_matrix:
        assert matrix_learner(name).name == name


def test_the_learner_of_books_takes_no_matrix() -> None:
    assert find_learner("book:books=3,exploiters=4") == BookLearner(3, 4)
    assert find_learner("book") == BookLearner()
    assert find_learner("book:books=3").name == "book:books=3"
    assert not LEARNERS["book"].takes_matrix
    with pytest.raises(SpecificationError, match="learner book does not learn from a whole matrix"):
        matrix_learner("book")


@pytest.mark.parametrize("name", OF_ARMS)
def test_every_parameter_is_a_number_that_can_be_given(name: str) -> None:
    parameters = LEARNERS[name].parameters
    for key, default in parameters.items():
        learner = find_learner(f"{name}:{key}={default!r}")
        assert learner == find_learner(name)
        assert learner == find_learner(learner.name)
        assert type(getattr(learner, key)) is type(default)
        other = "0.4" if isinstance(default, float) else "3"
        assert find_learner(find_learner(f"{name}:{key}={other}").name) != learner


@pytest.mark.parametrize("name", OF_ARMS)
def test_every_learner_can_ask_and_stays_within_its_cells(name: str) -> None:
    points = from_matrix(differing(64, 64, 1))
    for cells in (0, 1, 2, 300):
        exploration = exploring_learner(name).begin(cells, 2, 3)
        for _ in range(5):  # stopped early, and resumed
            assert len(exploration.choice().portfolio.first) >= 1
            assert 0 <= exploration.choice().first.lower <= exploration.choice().first.upper <= 1
            run(exploration, points, asks=2)
        run(exploration, points)
        again = exploring_learner(name).begin(cells, 2, 3)
        assert len(set(run(again, points))) <= cells
        assert again.choice() == exploration.choice()


@pytest.mark.parametrize("name", OF_ARMS)
@pytest.mark.parametrize("points", [0, 1, 2])
def test_all_losses_all_draws_and_all_wins(name: str, points: int) -> None:
    """There is nothing to learn, and what is said of it is true; also of one arm alone."""
    for matrix in (np.full((64, 64), points, np.uint8), np.full((1, 1), points, np.uint8)):
        exploration = exploring_learner(name).begin(700, 2, 5)
        run(exploration, from_matrix(matrix))
        choice = exploration.choice()
        for side in (choice.portfolio.first, choice.portfolio.second):
            assert sum(side.weights) == pytest.approx(1)
        for bounds, truth in ((choice.first, points / 2), (choice.second, 1 - points / 2)):
            assert bounds.lower - 1e-12 <= truth <= bounds.upper + 1e-12
        if choice.value is not None and not name.startswith("exploiter"):
            for bounds, truth in zip(choice.value, (points / 2, 1 - points / 2), strict=True):
                assert (bounds.lower, bounds.upper) == pytest.approx((truth, truth), abs=0.002)


@pytest.mark.parametrize("name", sorted(set(OF_ARMS) - {"uniform", "best-half", "top"}))
def test_an_arm_that_always_wins_is_all_that_is_drawn(name: str) -> None:
    """Arm 3 of 8 as first player, and arm 5 as second where the other does not play 3."""
    matrix = np.full((8, 8), 1, np.uint8)
    matrix[:, 5] = 0
    matrix[3] = 2
    exploration = exploring_learner(name).begin(1500, 2, 9)
    run(exploration, from_matrix(matrix))
    first = exploration.choice().portfolio.first
    weights = np.bincount([seed % 8 for seed in first.arms], first.weights, 8)
    assert weights[3] > (0.9 if name in ("gk", "regret-matching") else 0.999)


def test_learners_of_both_kinds_by_their_names() -> None:
    assert find_learner("halving:keep=4,arms=64") == Halving(keep=4, arms=64)
    assert find_learner("nash") == find_learner("nash:ratio=1") == Nash()
    rectangle = find_learner("sparse-nash:alpha=0.5,ratio=0.1")
    assert rectangle == GrowingMatrix(SparseNash(0.5), 0.1)
    assert rectangle.name == "sparse-nash:alpha=0.5,ratio=0.1"
    assert find_learner("nash:ratio=.25").name == "nash:ratio=0.25"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nahs", "unknown learner 'nahs'; did you mean nash? the learners are auto, nash, "),
        ("quux", "unknown learner 'quux'; the learners are auto, nash, "),
        ("", "unknown learner ''; the learners are auto, nash, "),
        ("nash:alpha=1", "learner nash has no parameter 'alpha'; its parameters are: ratio"),
        ("sparse-nash:beta=1", "no parameter 'beta'; its parameters are: alpha, ratio"),
        ("sparse-nash:alpha=half", "must be a number, not 'half'"),
        ("sparse-nash:alpha", "must be a number, not ''"),
        ("top:n=2.5", "parameter n of learner top must be a whole number, not '2.5'"),
        ("top:n=", "parameter n of learner top must be a whole number, not ''"),
        ("nash:ratio=0.5", "learner nash:ratio=0.5 does not learn from a whole matrix; these do"),
        ("nash:ratio=2", "a matrix needs a ratio Kt / K above 0 and at most 1, not 2.0"),
        ("halving", "learner halving does not learn from a whole matrix; these do: nash, "),
        ("halving:ratio=0.5", "no parameter 'ratio'; its parameters are: keep, arms"),
        ("sparse-nash:alpha=2", "needs alpha above 0 and at most 1, not 2.0"),
    ],
)
def test_what_cannot_be_parsed_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(SpecificationError) as refusal:
        matrix_learner(text)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_importing_the_learners_loads_no_solver() -> None:
    code = """
import sys
from seedfolio.learning.registry import LEARNERS
assert all(entry.make for entry in LEARNERS.values())
# numba loads scipy itself, but no part of it.
sys.exit(any(f"scipy.{part}" in sys.modules for part in ("linalg", "optimize", "sparse")))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
