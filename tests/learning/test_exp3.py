"""Exp3 and Exp3 with widening: one step by hand, known best arms, equilibria, honest bounds."""

from math import ceil, exp, log, sqrt

import numpy as np
import pytest
from synthetic_arena import differing, from_matrix, run

from seedfolio.learning.exp3 import Exp3, Exp3Widening, FairMeans
from seedfolio.learning.exponential_weights import ExponentialWeights
from seedfolio.portfolios.portfolio import Distribution

BOTH = [Exp3(), Exp3(power=0.7, batch=7), Exp3Widening(), Exp3Widening(most=8, batch=3)]


def weigher(arms, gamma=0.2, key=1):
    return ExponentialWeights(arms, gamma, key)


def test_one_step_by_hand():
    player = weigher(4)
    assert player.probabilities() == pytest.approx([0.25] * 4)
    player.reward(np.array([2, 0]), np.array([1.0, 0.0]), rate=0.1)
    # A win of an arm drawn with probability 1/4: 0.1 * (1 - 1/2) / (1/4) more.
    weights = np.array([exp(-0.2), 1, exp(0.2), 1])
    assert player.probabilities() == pytest.approx(0.8 * weights / weights.sum() + 0.05)
    assert player.counts.tolist() == [1, 0, 1, 0]

    together, apart = weigher(3), weigher(3)
    together.reward(np.array([1, 1, 1]), np.array([1.0, 1.0, 0.0]), rate=0.1)
    apart.reward(np.array([1]), np.array([1.0]), rate=0.1)
    assert together.probabilities() == pytest.approx(apart.probabilities())
    assert together.counts.tolist() == [0, 3, 0]


def test_arms_are_drawn_as_often_as_they_should_be():
    player = weigher(4)
    player.reward(np.array([2, 0]), np.array([1.0, 0.0]), rate=0.5)
    expected = 20000 * player.probabilities()
    drawn = np.bincount(player.draw(20000), minlength=4)
    assert ((drawn - expected) ** 2 / expected).sum() < 16.3  # 0.999 of chi-squared, 3 degrees


def test_new_arms_are_neutral_and_the_worst_are_dropped():
    player = weigher(4)
    player.reward(np.array([2, 0]), np.array([1.0, 0.0]), rate=0.5)
    before = player.probabilities()
    player.open(2)
    after = player.probabilities()
    assert after[4:] == pytest.approx([1 / 6] * 2)
    assert after[:4] - 0.2 / 6 == pytest.approx((before - 0.2 / 4) * 4 / 6)
    player.keep(3)
    assert player.seeds.tolist() == [2, 4, 5]
    player.open(1)
    assert player.seeds.tolist() == [2, 4, 5, 6]


@pytest.mark.parametrize(
    ("counts", "power", "kept"),
    [
        ([0, 0, 0, 0], 0, [0, 1, 2, 3]),
        ([0, 0, 0, 0], 0.7, [0, 1, 2, 3]),
        ([7, 6, 7, 0], 0, [0, 2]),
        ([1000, 991, 990, 989], 0, [0, 1]),
        ([100, 26, 25, 0], 0.7, [0, 1]),  # 100 ** 0.7 = 25.1
        ([100, 26, 25, 0], 1, [0]),
        ([1, 0, 1, 0], 0.7, [0, 2]),
    ],
)
def test_rules_of_frequency(counts, power, kept):
    player = weigher(4)
    player.counts = np.array(counts)
    choice = player.most_frequent(power)
    drawn = np.array([counts[seed] or 1 for seed in kept])
    assert choice.arms == tuple(kept)
    assert choice.weights == pytest.approx(drawn / drawn.sum())


def test_the_papers_size_and_cells_of_several_games():
    exploration = Exp3().begin(800, 2, 1)
    portfolio = exploration.choice().portfolio
    assert len(portfolio.first) == len(portfolio.second) == 400
    sizes = []
    while (asked := exploration.ask()) is not None:
        sizes.append(len(asked))
        exploration.tell(np.ones(len(asked), np.uint8))
    assert sizes == [1] * 800
    cells = run(Exp3().begin(20_050, 2, 1), from_matrix(differing(2, 2, 1)))
    assert len(cells) == 20_050
    assert max(max(cell) for cell in cells) == 399
    one, four = Exp3(k=20).begin(200, 2, 1), Exp3(k=20).begin(200, 8, 1)
    matrix = differing(20, 20, 1)
    assert run(one, from_matrix(matrix)) == run(four, from_matrix(4 * matrix))
    assert one.choice() == four.choice()


def test_widening_lets_seeds_in_by_its_formula_and_keeps_few():
    learner = Exp3Widening(c=4, g=0.6, most=30)
    exploration = learner.begin(3000, 2, 2)
    matrix = differing(500, 500, 3)
    told = 0
    while (asked := exploration.ask()) is not None:
        limit = ceil(4 * max(told, 1) ** 0.6)
        for player in exploration._players:
            assert player.opened == limit
            assert len(player) <= 30
            assert len(set(player.seeds.tolist())) == len(player)
        rows, columns = asked.rows.astype(int), asked.columns.astype(int)
        assert max(rows.max(), columns.max()) < limit
        exploration.tell(matrix[rows, columns])
        told += len(rows)


def test_fair_means_undo_the_preference_for_opponents():
    draw = np.random.default_rng(1)
    success = draw.random((3, 50))
    preferred = 0.2 / 50 + 0.8 * np.arange(50) / np.arange(50).sum()
    opponents = draw.choice(50, 200_000, p=preferred)
    arms = draw.integers(0, 3, 200_000)
    fair = FairMeans(3, 50, 0.2)
    fair.add(arms, opponents, success[arms, opponents], preferred)
    for arm in range(3):
        bounds = fair.bounds(Distribution((arm,), (1.0,)))
        assert (bounds.lower + bounds.upper) / 2 == pytest.approx(success[arm].mean(), abs=0.02)
        sample = sqrt(log(4 * 3 / 0.05) / (2 * 50))
        assert sample < (bounds.upper - bounds.lower) / 2 < sample + 0.03

    fair = FairMeans(2, 10_000, 1.0)
    plays = np.zeros(10_000, np.intp)
    fair.add(plays, np.arange(10_000), np.ones(10_000), np.full(10_000, 1e-4))
    known = fair.bounds(Distribution((0,), (1.0,)))
    assert 0.9 < known.lower < known.upper == 1
    unknown = fair.bounds(Distribution((1,), (1.0,)))
    assert (unknown.lower, unknown.upper) == (0, 1)
    mixed = fair.bounds(Distribution((0, 1), (0.5, 0.5)))
    assert (mixed.lower, mixed.upper) == pytest.approx((known.lower / 2, 1))


@pytest.mark.parametrize("learner", BOTH)
def test_both_players_draw_for_themselves(learner):
    """With one stream for both, every game would be of an arm against itself."""
    exploration = learner.begin(800, 2, key=3)
    rows, columns = [], []
    while (cells := exploration.ask()) is not None:
        rows += cells.rows.tolist()
        columns += cells.columns.tolist()
        exploration.tell(np.ones(len(cells), np.uint8))
    assert rows != columns
    assert abs(np.corrcoef(rows, columns)[0, 1]) < 0.3
