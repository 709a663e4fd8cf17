"""The learner auto on matrices whose best arms are known: what it finds; it never breaks."""

import re
from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from sessions import session_for
from synthetic_arena import differing, from_matrix, run

from seedfolio.learning.auto import Auto
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.duels import Duels, promising_number, spread_out, weigh, worst_of
from seedfolio.learning.halving import Halving
from seedfolio.learning.learner import Budget
from seedfolio.players.interface import BookTraits
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.programs.load import load_program


def explored(learner, matrix, cells, key=1):
    exploration = learner.begin(cells, 2, key)
    asked = run(exploration, from_matrix(matrix))
    assert len(set(asked)) <= cells
    return exploration.choice(), asked


def by_strength(arms, spread, seed):
    """Wins of arms that differ by strength alone; return the matrix and both strengths."""
    draw = np.random.default_rng(seed)
    ours, theirs = draw.normal(0, spread, arms), draw.normal(0, spread, arms)
    chance = np.clip(0.5 + ours[:, None] - theirs, 0, 1)
    return 2 * (draw.random((arms, arms)) < chance).astype(np.uint8), ours, theirs


def test_the_best_arm_against_a_stranger():
    """Among the best 3% by true strength, for both colours, in most of ten runs."""
    found = 0
    for seed in range(10):
        matrix, ours, theirs = by_strength(256, 0.12, seed)
        choice, _ = explored(Auto(1, 256), matrix, 8000, seed)
        (first,), (second,) = choice.portfolio.first.arms, choice.portfolio.second.arms
        found += ours[first] >= np.quantile(ours, 0.97)
        found += theirs[second] >= np.quantile(theirs, 0.97)
    assert found >= 16


def kept(portfolio, matrix, exploiters):
    """What a first player's portfolio keeps of the worst of so many opponents (columns)."""
    weights = np.zeros(len(matrix))
    weights[list(portfolio.first.arms)] = portfolio.first.weights
    successes = np.sort(weights @ matrix / 2)
    ranks = np.arange(len(successes), 0, -1) / len(successes)
    shares = ranks**exploiters - (ranks - 1 / len(successes)) ** exploiters
    return float(successes @ shares)


def test_against_exploiters_it_keeps_more_than_halving():
    """Judged on opponents that learning never met: the last columns."""
    gains = []
    for seed in range(6):
        whole = differing(512, 812, seed)
        matrix, unseen = whole[:, :512], whole[:, 512:]
        ours, theirs = (
            explored(each, matrix, 5000, seed)[0].portfolio
            for each in (Auto(16, 512), Halving(keep=16, arms=0))
        )
        gains.append(kept(ours, unseen, 16) - kept(theirs, unseen, 16))
    assert np.mean(gains) > 0.01


def test_the_less_arms_differ_the_more_are_drawn_and_with_enough_games_they_are_weighed():
    numbers = []
    for spread in (0.02, 0.2):
        matrix, _, _ = by_strength(256, spread, 5)
        choice, _ = explored(Auto(16, 256), matrix, 10000)
        numbers.append(len(choice.portfolio.first))
    assert numbers[0] > 100 > 64 > numbers[1]
    choice, asked = explored(Auto(4, 512), differing(512, 512, 1, strength=1.2), 80000)
    assert "of the best 64 seeds" in choice.note
    assert "new opponents that keeps" in choice.note
    assert max(column for _, column in asked if column < 2**20) > 512


@pytest.mark.parametrize("exploiters", [1, 16])
def test_no_promise_is_beyond_what_there_can_be(exploiters):
    # Arms so strong that the level and the strength of one add up to more than 1.
    chance = np.where(np.arange(128)[:, None] < 32, 1.0, 0.9)
    matrix = 2 * (np.random.default_rng(1).random((128, 128)) < chance).astype(np.uint8)
    choice, _ = explored(Auto(exploiters, 64), matrix, 500)
    promised = [float(text) for text in re.findall(r"(-?[\d.]+)%", choice.note)]
    assert len(promised) >= 4
    assert all(0 <= each <= 100 for each in promised)
    told = "the strongest of" if exploiters == 1 else "against the best of 16 opponents"
    assert told in choice.note
    if exploiters == 16:
        assert choice == explored(Auto(arms=64), matrix, 500)[0]


def test_strengths_are_found_through_different_opponents():
    """Each arm meets eight of 200; without noise the order is that of the true strengths."""
    draw = np.random.default_rng(2)
    ours, theirs = draw.normal(0, 0.1, 200), draw.normal(0, 0.1, 200)
    duels = Duels(200)
    rows, columns = spread_out(draw.permutation(200), draw.permutation(200), 8)
    cells = duels.ask(rows, columns)
    places = cells.rows.astype(int), cells.columns.astype(int)
    duels.tell(0.5 + ours[places[0]] - theirs[places[1]])
    found = duels.strengths()
    assert np.corrcoef(found[0], ours)[0, 1] > 0.95
    assert np.corrcoef(found[1], theirs)[0, 1] > 0.95

    # The spread of the arms is found in the first games.
    matrix, _, _ = by_strength(1000, 0.15, 1)
    duels = Duels(1000)
    order = np.random.default_rng(0).permutation(1000)
    cells = duels.ask(*spread_out(order, order[::-1].copy(), 12))
    duels.tell(matrix[cells.rows.astype(int), cells.columns.astype(int)] / 2)
    for variance in duels.spread.arms:
        assert sqrt(variance) == pytest.approx(0.15, abs=0.015)
    assert duels.spread.rest == pytest.approx(0.25 - 2 * 0.15**2, abs=0.02)


@pytest.mark.parametrize(
    ("ours", "theirs", "each"), [(10, 10, 3), (7, 20, 4), (20, 7, 2), (5, 3, 9)]
)
def test_games_are_spread_out(ours, theirs, each):
    rows, columns = spread_out(np.arange(ours), np.arange(100, 100 + theirs), each)
    each = min(each, theirs)
    assert len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == len(rows) == ours * each
    assert (np.bincount(rows, minlength=ours) == each).all()
    met = np.bincount(columns - 100, minlength=theirs)
    assert met.max() - met.min() <= each


def test_the_worst_of_normal_numbers_and_the_promising_number_by_hand():
    draw = np.random.default_rng(1).normal(size=(100_000, 16))
    for exploiters in (1, 2, 4, 8, 16):
        mean = -draw[:, :exploiters].min(axis=1).mean()
        assert worst_of(exploiters) == pytest.approx(mean, abs=0.03)
    assert promising_number(np.array([0.3, 0.1, 0.0]), 0.01, 0.2, 1)[0] == 1
    assert promising_number(np.zeros(9), 0.01, 0.2, 16)[0] == 9
    number, hopes = promising_number(np.array([0.2, 0.2, -9.0]), 0.01, 0.2, 4)
    assert number == 2
    assert hopes[1] == pytest.approx(0.2 - worst_of(4) * sqrt(0.01 + 0.1))
    # An arm after weaker ones is not believed to be stronger than they are.
    assert promising_number(np.array([0.0, 0.5]), 0.0, 0.0, 4)[1].tolist() == [0.0, 0.0]


def test_ways_to_draw_are_judged_on_opponents_they_were_not_fitted_to():
    noise = (2 * np.random.default_rng(3).integers(0, 2, (40, 60))).astype(np.uint8)
    ways = {way.name: way for way in weigh(noise, 2, 40, 4)}
    assert ways["40 equally often"].kept > ways["as fitted to the games"].kept
    kind = np.arange(40) % 2
    cover = np.where(kind[:, None] == np.arange(60) % 2, 0, 2).astype(np.uint8)
    cover[4:] = 0
    best = weigh(cover, 2, 40, 4)[0]
    assert best.name == "as fitted to the games"
    assert best.kept == pytest.approx(0.5, abs=1e-3)


@pytest.mark.slow
def test_with_enough_games_it_is_the_learner_of_books():
    program = load_program("domineering:4x4", "uct:simulations=5")
    without = SimpleNamespace(book=BookTraits(possible=False, pays_from=5_000, turned=False))
    for learner, games in ((Auto(), 5_000), (Auto(book=500), 500), (Auto(book=10**9), 10**9)):
        assert learner.settled(program, games) == BookLearner()
        assert learner.settled(program, games - 1) is learner
        assert learner.settled(without, games) is learner
    for learner in (Auto(1), Auto(16), Auto(arms=64), Auto(book=0)):
        assert learner.settled(program, 10**9) is learner
    book = Auto(book=1000).learn(session_for(program), Budget(1000))
    assert isinstance(book.plays, BookPortfolio)
    assert book.note == "a book, as it has 1,000 games or more; auto:book=0 chooses seeds"
    arms = Auto(book=1000).learn(session_for(program), Budget(999))
    assert arms.plays == Auto(book=0).learn(session_for(program), Budget(999)).plays
    assert len(arms.plays.first) > 1
