"""Sorted seeds: the curve of equal seeds against shuffled results, and the order of training."""

from math import sqrt

import numpy as np
import pytest

from seedfolio.report.plots.study import (
    Colours,
    equal_seeds,
    measurement_error,
    sorted_success,
    unseen_success,
)


def uneven_opponents(seed, seeds=30, opponents=40):
    """Equal seeds against opponents of very different strength, with some draws."""
    generator = np.random.default_rng(seed)
    chances = generator.beta(0.5, 0.5, opponents)
    games = generator.random((2, seeds, opponents)) < chances
    return games.mean(axis=0)


def shuffled(successes, generator):
    return generator.permuted(successes, axis=0)


def test_ranks_pair_the_worst_of_both_colours():
    first = np.array([[1.0, 1.0], [0.0, 0.0], [0.5, 0.0]])
    second = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, 1.0]])
    assert sorted_success((first, second)).tolist() == [0, (0.25 + 0.5) / 2, 1]


def test_equal_seeds_are_what_shuffling_each_opponents_results_gives():
    training = (uneven_opponents(1), uneven_opponents(2))
    generator = np.random.default_rng(3)
    curves = np.array(
        [
            sorted_success((shuffled(training[0], generator), shuffled(training[1], generator)))
            for _ in range(800)
        ]
    )
    luck = equal_seeds(training)
    # Shuffling keeps every opponent's total, which widens the curve by about 1 / (2 * seeds).
    spread = curves.std(axis=0).max()
    assert np.abs(luck.mean - curves.mean(axis=0)).max() < 0.3 * spread
    assert np.abs(luck.low - np.quantile(curves, 0.025, axis=0)).max() < spread
    assert np.abs(luck.high - np.quantile(curves, 0.975, axis=0)).max() < spread
    assert np.all((luck.low <= luck.mean) & (luck.mean <= luck.high))
    assert np.all(np.diff(luck.mean) >= 0)
    assert equal_seeds(training).mean.tolist() == luck.mean.tolist()
    with pytest.raises(ValueError, match="whole half points of 2"):
        equal_seeds((np.array([[0.3]]), np.array([[1.0]])))


def test_equal_seeds_stay_in_the_band_and_unequal_ones_leave_it():
    generator = np.random.default_rng(4)

    def outside(spread):
        chance = 0.5 + spread * generator.uniform(-1, 1, (2, 200, 1))
        first, second = (generator.random((2, 200, 150)) < chance).astype(float)
        luck = equal_seeds((first, second))
        curve = sorted_success((first, second))
        return float(np.mean((curve < luck.low) | (curve > luck.high)))

    assert outside(0.0) < 0.2
    assert outside(0.3) > 0.8


def test_opponents_that_always_win_or_lose_leave_no_luck():
    colour = np.tile([0.0, 1.0, 0.5, 1.0], (10, 1))
    luck = equal_seeds((colour, colour))
    assert luck.low.tolist() == luck.mean.tolist() == luck.high.tolist() == [0.625] * 10
    assert measurement_error((colour, colour)) == 0


def test_measurement_error_of_coins_and_of_shuffled_results():
    coins = np.array([[0.0] * 100, [1.0] * 100])
    assert measurement_error((coins, coins)) == pytest.approx(sqrt(0.25 / 100 / 2))
    training = (uneven_opponents(5, seeds=2000), uneven_opponents(6, seeds=2000))
    generator = np.random.default_rng(7)
    first, second = (shuffled(colour, generator).mean(axis=1) for colour in training)
    assert measurement_error(training) == pytest.approx(np.std((first + second) / 2), rel=0.05)


def test_unseen_success_keeps_the_order_of_training():
    training: Colours = (
        np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.5]]),
        np.array([[0.0], [0.0], [1.0], [1.0]]),
    )
    unseen: Colours = (
        np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
        np.array([[0.5, 0.5], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
    )
    groups = unseen_success(training, unseen, groups=2)
    assert [group.rank for group in groups] == [1.5, 3.5]
    # First player, worst two: seeds 1 and 3, opponents' means 1, .5, 0. Second: seeds 0 and 1.
    assert groups[0].success.mean == pytest.approx((0.5 + 0.25) / 2)
    assert groups[0].success.error == pytest.approx(0.5 / sqrt(3) / 2)
    assert groups[1].success.mean == pytest.approx((1 / 6 + 0.75) / 2)
    each = unseen_success(training, unseen, groups=20)
    assert [group.rank for group in each] == [1, 2, 3, 4]
    first = [2 / 3, 1 / 3, 1 / 3, 0]
    second = [0.5, 0, 0.5, 1]
    assert [g.success.mean for g in each] == pytest.approx(np.add(first, second) / 2)
