"""Confidence sequences: they cover at all times together, whatever the people do."""

from math import log, sqrt

import numpy as np
import pytest

from seedfolio.evaluation.intervals import ALPHA, BEST_AT, AnytimeInterval, deviation

GAMES, RUNS = 1000, 1000
COUNTS = np.arange(1, GAMES + 1)


def missed(errors, bounds):
    """Return the share of runs in which the sum of errors is beyond the bound at some time."""
    return float((np.abs(np.cumsum(errors, axis=1)) > bounds).any(axis=1).mean())


def bounds_of(variances):
    return np.array([deviation(float(each)) for each in np.cumsum(variances)])


def test_the_formula_by_hand():
    assert AnytimeInterval.of([]) == AnytimeInterval(0, 0.5, 0.0, 1.0)
    assert AnytimeInterval.of([1.0]) == AnytimeInterval(1, 1.0, 0.0, 1.0)
    assert AnytimeInterval.of_difference([1.0], []) == AnytimeInterval(0, 0.0, -1.0, 1.0)
    assert AnytimeInterval.of([]).as_data()["mean"] is None
    r = (BEST_AT / 4) / (-2 * log(0.05) + log(1 - 2 * log(0.05)))
    assert r == pytest.approx(1.26006, abs=1e-4)
    expected = sqrt((10 + r) * log((10 + r) / (r * 0.0025)))
    assert deviation(10) == pytest.approx(expected)
    found = AnytimeInterval.of([1.0, 0.0] * 20)
    assert (found.results, found.mean) == (40, 0.5)
    assert found.high - 0.5 == pytest.approx(expected / 40)
    assert found.high - 0.5 == pytest.approx(0.5 - found.low)
    # Close to the best that any r gives there.
    others = [sqrt((10 + x) * log((10 + x) / (x * 0.0025))) for x in np.arange(0.1, 10, 0.05)]
    assert expected < 1.001 * min(others)


@pytest.mark.parametrize("mean", [0.5, 0.2])
def test_it_covers_who_looks_after_every_game(mean):
    """The usual interval misses for half of those who look after every game; this one for few."""
    errors = (np.random.default_rng(1).random((RUNS, GAMES)) < mean) - mean
    assert missed(errors, bounds_of(np.full(GAMES, 1 / 4))) <= ALPHA
    usual = 1.96 * np.sqrt(mean * (1 - mean) * COUNTS)
    assert missed(errors[:, 20:], usual[: GAMES - 20]) > 0.3


def test_it_covers_people_who_change_with_their_results():
    """Who lost the last game plays better in the next: results depend on those before."""
    numbers = np.random.default_rng(2).random((RUNS, GAMES))
    means = np.full(RUNS, 0.5)
    errors = np.empty((RUNS, GAMES))
    for game in range(GAMES):
        won = numbers[:, game] < means
        errors[:, game] = won - means
        means = np.where(won, np.maximum(0.1, means - 0.05), np.minimum(0.9, means + 0.05))
    assert missed(errors, bounds_of(np.full(GAMES, 1 / 4))) <= ALPHA


def test_it_covers_guesses_about_pairs():
    """One game of a pair is each program's: who guesses both otherwise is right twice or never."""
    right = np.random.default_rng(3).random((RUNS, GAMES)) < 0.5
    assert missed(right * 2.0 - 1, bounds_of(np.full(GAMES, 1.0))) <= ALPHA
    # As single results they would be missed too often.
    assert missed(right * 2.0 - 1, bounds_of(np.full(GAMES, 1 / 2))) > ALPHA


def test_a_difference_covers_with_unequal_numbers():
    rng, ends = np.random.default_rng(4), 0
    for _ in range(100):
        first, second = list[float](), list[float]()
        for _ in range(60):
            for p in rng.permutation([0, 0, 1, 1])[: rng.integers(3, 5)]:
                (first, second)[p].append(float(rng.random() < (0.6, 0.4)[p]))
        found = [
            AnytimeInterval.of_difference(first[:n], second[: n + d])
            for n in range(1, min(len(first), len(second)) - 3, 4)
            for d in (0, 2)
        ]
        ends += any(not each.low <= 0.2 <= each.high for each in found)
    assert ends / 100 <= ALPHA
    assert found[-2].high - found[-2].low < 0.5


def test_a_difference_of_unequal_numbers_counts_what_nothing_balances():
    """Ten results more on one side may each deviate by 1 without an answer from the other."""
    equal = AnytimeInterval.of_difference([0.5] * 990, [0.5] * 990)
    for sides in (([0.5] * 1000, [0.5] * 990), ([0.5] * 990, [0.5] * 1000)):
        found = AnytimeInterval.of_difference(*sides)
        assert found.high >= equal.high + 10 / 990
        assert found.low <= equal.low - 10 / 990
