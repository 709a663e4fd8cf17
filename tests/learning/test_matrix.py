"""Matrices that grow: what is played, what is learnt when it stops, and how sure it is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import Counting, session_for
from synthetic_arena import differing, from_matrix, run, value

from seedfolio.learning.by_mean import BestHalf, BestSeed, Uniform
from seedfolio.learning.learner import Budget
from seedfolio.learning.matrix import GrowingMatrix
from seedfolio.learning.nash import Nash
from seedfolio.portfolios.portfolio import Distribution
from seedfolio.programs.load import load_program
from seedfolio.study.arms import training_cells

RATIOS = st.floats(0.01, 1) | st.just(1.0)


def learnt(learner, matrix, k, kt, key):
    first, second = matrix[:k, :kt], 2 - matrix[:kt, :k].T
    return [
        Distribution.of(
            np.arange(k, dtype=np.uint64),
            learner.weigh(np.ascontiguousarray(scores), 2, key + colour).weights,
        )
        for colour, scores in enumerate((first, second))
    ]


@given(cells=st.integers(0, 3000), ratio=RATIOS)
@settings(max_examples=60, deadline=None)
def test_the_largest_matrix_that_fits_is_played_once(cells, ratio):
    matrix = differing(60, 60, 1)
    played = run(GrowingMatrix(Uniform(), ratio).begin(cells, 2, 0), from_matrix(matrix))
    assert len(set(played)) == len(played) <= cells
    if cells == 0:
        assert not played
        return
    k = max(max(cell) for cell in played) + 1
    kt = max(min(cell) for cell in played) + 1
    assert kt == max(1, round(ratio * k))
    assert set(played) == {(i, j) for i in range(k) for j in range(k) if min(i, j) < kt}
    assert training_cells(k + 1, max(1, round(ratio * (k + 1)))) > cells


@pytest.mark.parametrize("learner", [BestSeed(), BestHalf(), Nash()], ids=lambda each: each.name)
@pytest.mark.parametrize(("ratio", "k", "kt"), [(1.0, 63, 63), (0.25, 95, 24)])
def test_at_its_end_it_has_learnt_from_the_whole_matrix(learner, ratio, k, kt):
    matrix = differing(100, 100, 2)
    exploration = GrowingMatrix(learner, ratio).begin(4000, 2, 77)
    run(exploration, from_matrix(matrix))
    portfolio = exploration.choice().portfolio
    assert [portfolio.first, portfolio.second] == learnt(learner, matrix, k, kt, 77)


def test_what_solves_the_matrix_says_what_it_is_worth():
    matrix = differing(40, 40, 5)
    exploration = GrowingMatrix(Nash()).begin(1600, 2, 0)
    assert exploration.choice().value is None
    run(exploration, from_matrix(matrix))
    true = value(matrix / 2)
    first, second = exploration.choice().value or ()
    assert (first.lower, first.upper) == pytest.approx((true, true), abs=1e-9)
    assert (second.lower, second.upper) == pytest.approx((1 - true, 1 - true), abs=1e-9)
    exploration = GrowingMatrix(BestHalf()).begin(1600, 2, 0)
    run(exploration, from_matrix(matrix))
    assert exploration.choice().value is None


def test_stopped_at_any_moment_it_chooses_from_the_last_complete_square():
    matrix = differing(100, 100, 3)
    sizes = [6, 12, 25, 50, 100]
    for asks, k in enumerate(sizes, start=1):
        exploration = GrowingMatrix(BestSeed()).begin(10_000, 2, 5)
        assert len(run(exploration, from_matrix(matrix), asks)) == k * k
        exploration.ask()  # of what was asked but not played, nothing is used
        portfolio = exploration.choice().portfolio
        assert [portfolio.first, portfolio.second] == learnt(BestSeed(), matrix, k, k, 5)


def test_a_whole_matrix_is_learnt_from_where_the_budget_has_one():
    arena = Counting()
    session = session_for(load_program("nim", "table:noise=50", repeats=2), arena)
    found = Nash().learn(session, Budget(0, matrix=(12, 5), key=3))
    assert (found.matrix, found.confidence) == ((12, 5), None)
    assert found.games == 2 * training_cells(12, 5) == 2 * arena.cells
    first, second = (
        Nash().weigh(scores, 4, key) for key, scores in enumerate(session.matrices(12, 5), 3)
    )
    assert found.value == (first.certificate, second.certificate)
    arms = np.arange(12, dtype=np.uint64)
    assert found.plays.first == Distribution.of(arms, first.weights)
    assert found.plays.second == Distribution.of(arms, second.weights)
    played = arena.cells
    assert BestSeed().learn(session, Budget(0, matrix=(12, 5))).value is None
    assert arena.cells == played
    session = session_for(load_program("nim", "table"))
    found = Nash().learn(session, Budget(150, key=3))
    assert found == GrowingMatrix(Nash()).learn(session, Budget(150, key=3))
    assert (found.matrix, found.games) == (None, 144)
