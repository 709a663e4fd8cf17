"""Confidence sequences: they cover at all times together, whatever the people do."""

from math import exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

from seedfolio.evaluation.betting import AnytimeInterval, money, money_on_both
from seedfolio.evaluation.intervals import ALPHA

GAMES, RUNS = 200, 200
COUNTS = np.arange(1, GAMES + 1)


def ruined(totals, means):
    """Return the share of runs in which the interval misses the mean chance at some time."""
    found = money(totals, COUNTS, np.cumsum(means, axis=1) / COUNTS)
    return float((found > -log(ALPHA)).any(axis=1).mean())


def test_the_money_by_hand():
    assert AnytimeInterval.of([]) == AnytimeInterval(0, 0.5, 0.0, 1.0)
    assert AnytimeInterval.of([1.0]) == AnytimeInterval(1, 1.0, 0.0, 1.0)
    assert AnytimeInterval.of_difference([1.0], []) == AnytimeInterval(0, 0.0, -1.0, 1.0)
    assert AnytimeInterval.of_pairs([]).as_data()["mean"] is None
    # A first win where a coin is said to be fair: exp(λ) / (1/2 + exp(λ) / 2), whose mean is 1.
    assert money(1, 1, 0.5) == pytest.approx(0)
    # Wins that are said to be impossible: the mean of exp(λS), which is exp(S²/2).
    assert money(2, 5, 0) == pytest.approx(2)
    assert money_on_both((2, 5, 0), (0, 3, 0)) == pytest.approx(log((exp(2) + exp(2)) / 2))
    # So two wins in a hundred games may be of a chance near 0, and three may not: 9/2 > log 20.
    assert AnytimeInterval.of([1, 1] + [0] * 98).low == 0
    assert AnytimeInterval.of([1, 1, 1] + [0] * 97).low > 0.001

    def stake(bet, high):
        return exp(-bet * bet / 2) / sqrt(2 * pi) * (1 + high * (exp(bet) - 1)) ** -20

    lost = AnytimeInterval.of([0.0] * 20)
    assert (lost.results, lost.mean, lost.low) == (20, 0.0, 0.0)
    assert quad(stake, -8, 8, args=(lost.high,))[0] == pytest.approx(1 / ALPHA, rel=1e-6)


def test_it_is_narrow_where_results_vary_little():
    half = [AnytimeInterval.of([1.0, 0.0] * n).high - 0.5 for n in (20, 500)]
    assert half == pytest.approx([0.227, 0.054], abs=1e-3)
    rare = AnytimeInterval.of([1.0] * 6 + [0.0] * 132)
    assert (rare.low, rare.high) == pytest.approx((0.0086, 0.1156), abs=1e-4)
    won, lost = [1.0] * 20, [0.0] * 20
    equal, apart = (AnytimeInterval.of_difference(won, each) for each in (won, lost))
    assert equal.low == pytest.approx(-equal.high)
    assert (equal.high < 0.3, apart.mean, apart.low > 0.6) == (True, 1.0, True)


@pytest.mark.parametrize("mean", [0.5, 0.2, 0.02])
def test_it_covers_who_looks_after_every_game(mean):
    """The usual interval misses for half of those who look after every game; this one for few."""
    won = np.random.default_rng(1).random((RUNS, GAMES)) < mean
    totals = np.cumsum(won, axis=1)
    assert ruined(totals, np.full((RUNS, GAMES), mean)) <= ALPHA
    beyond = np.abs(totals - COUNTS * mean) > 1.96 * np.sqrt(mean * (1 - mean) * COUNTS)
    assert beyond[:, 20:].any(axis=1).mean() > 0.2


def test_it_covers_people_who_change_with_their_results():
    """Who lost the last game plays better in the next: results depend on those before."""
    numbers = np.random.default_rng(2).random((RUNS, GAMES))
    means = np.full((RUNS, GAMES), 0.5)
    for game in range(1, GAMES):
        step = np.where(numbers[:, game - 1] < means[:, game - 1], -0.05, 0.05)
        means[:, game] = np.clip(means[:, game - 1] + step, 0.1, 0.9)
    assert ruined(np.cumsum(numbers < means, axis=1), means) <= ALPHA


def test_it_covers_guesses_about_pairs():
    """One game of a pair is each program's: who guesses both otherwise is right twice or never."""
    right = np.random.default_rng(3).random((RUNS, GAMES)) < 0.5
    fair = np.full((RUNS, GAMES), 0.5)
    assert ruined(np.cumsum(right, axis=1), fair) <= ALPHA
    # As single results they would be missed too often.
    both = np.cumsum(2 * right, axis=1)
    assert (money(both, 2 * COUNTS, 0.5) > -log(ALPHA)).any(axis=1).mean() > ALPHA
    found = AnytimeInterval.of_pairs([(1.0, 1.0), (0.0, 0.0)] * 50)
    single = AnytimeInterval.of([1.0, 0.0] * 50)
    assert (found.results, found.low, found.high) == (200, single.low, single.high)
    assert AnytimeInterval.of_pairs([(1.0,), (0.0, 1.0)]).mean == pytest.approx(2 / 3)


def test_a_difference_covers_with_unequal_numbers():
    rng, chances = np.random.default_rng(4), (0.6, 0.1)
    first = rng.random((RUNS, GAMES)) < 0.65
    won = [
        np.cumsum((rng.random((RUNS, GAMES)) < p) & (first == k), axis=1)
        for k, p in ((True, chances[0]), (False, chances[1]))
    ]
    numbers = [np.cumsum(first, axis=1), np.cumsum(~first, axis=1)]
    groups = [(won[k], numbers[k], chances[k]) for k in (0, 1)]
    assert (money_on_both(*groups) > -log(ALPHA)).any(axis=1).mean() <= ALPHA
    ends = [[1.0] * int(w[0, -1]) + [0.0] * int(n[0, -1] - w[0, -1]) for w, n, _ in groups]
    found = AnytimeInterval.of_difference(*ends)
    assert found.low < 0.5 < found.high < found.low + 0.5
