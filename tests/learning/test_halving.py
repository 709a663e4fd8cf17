"""Sequential halving and its brackets: rounds by hand, arms whose chances are known, few games."""

from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedfolio.learning.halving import BracketsOfOneColour, HalvingOfOneColour


def play(colour, results, rounds=10**6):
    played = []
    while len(played) < rounds and (asked := colour.ask()) is not None:
        arms, opponents = asked.arms.astype(int), asked.opponents.astype(int)
        played.append(set(zip(arms.tolist(), opponents.tolist(), strict=True)))
        assert len(played[-1]) == len(arms)
        colour.tell(results[arms, opponents])
    return played


def test_the_rounds_by_hand():
    """Three rounds of 24 games against new opponents; the later half of the arms stays."""
    results = np.tile(np.arange(8)[:, None] / 8, (1, 30))
    colour = HalvingOfOneColour(1, 8, 72, 0)
    assert play(colour, results) == [
        set(product(arms, opponents))
        for arms, opponents in (
            (range(8), range(3)),
            (range(4, 8), range(3, 9)),
            (range(6, 8), range(9, 21)),
        )
    ]
    kept, bounds = colour.choice()
    assert kept.arms == (7,)
    assert (bounds.lower + bounds.upper) / 2 < 7 / 8 <= bounds.upper
    # 64 arms play 6 rounds for 384 games; 128 would need 7 rounds of 128, 896.
    for games, arms in ((383, 32), (384, 64), (895, 64), (896, 128)):
        assert len(np.unique(HalvingOfOneColour(1, 0, games, 0).ask().arms)) == arms


@pytest.mark.parametrize("keep", [1, 4])
def test_the_best_arms_of_known_chances_are_found(keep):
    """Four arms win 9 of 10 games, sixty win 4."""
    chances = np.full(64, 0.4)
    chances[[5, 23, 40, 61]] = 0.9
    for key in range(10):
        colour = HalvingOfOneColour(keep, 64, 12_000, key)
        play(colour, wins(chances, key, 6000))
        kept, bounds = colour.choice()
        assert set(kept.arms) <= {5, 23, 40, 61}
        assert kept.weights == (1 / keep,) * keep
        assert bounds.lower < 0.9 < bounds.upper


def wins(chances, seed, opponents=1024):
    """Results of arms that win by their own chance alone."""
    drawn = np.random.default_rng(seed).random((len(chances), opponents))
    return (drawn < chances[:, None]) * 1.0


def spread(arms):
    """Chances of which few are good, in an order of no meaning."""
    return np.random.default_rng(9).permutation(np.linspace(0, 1, arms) ** 2 * 0.6 + 0.2)


def test_it_finds_an_arm_near_the_best():
    found = []
    for key in range(10):
        colour = BracketsOfOneColour(1, 8_000, key)
        play(colour, wins(spread(1024), key))
        found.append(spread(1024)[colour.choice()[0].arms[0]])
    assert np.mean(found) > 0.75  # the best has 0.8, the mean arm 0.4


@given(games=st.integers(0, 3000), keep=st.integers(1, 20))
@settings(max_examples=30, deadline=None)
def test_games_that_were_played_before_are_not_paid_for_again(games, keep):
    colour = BracketsOfOneColour(keep, games, 1)
    played = set().union(*play(colour, wins(spread(1024), 0)))
    assert len(played) <= games
    if games >= 32 * keep:
        # A bracket takes as much again as all before it, so less than that may be left.
        assert len(played) > games / 4
    assert colour.ask() is None
    assert len(colour.choice()[0]) == keep


def test_it_does_not_depend_on_how_many_games_there_will_be():
    few, many = (BracketsOfOneColour(2, games, 3) for games in (5_000, 500_000))
    results = wins(spread(1024), 0)
    for _ in range(30):
        assert play(few, results, 1) == play(many, results, 1) != []
        assert few.choice() == many.choice()


def test_the_certificate_of_the_first_bracket_by_hand():
    colour = BracketsOfOneColour(1, 8_000, 0)
    asked = colour.ask()
    arms, met = len(np.unique(asked.arms)), len(np.unique(asked.opponents))
    colour.tell(np.ones(len(asked.arms)))
    # All arms, after each round, in brackets of which the first has half of the error.
    choices = arms * arms.bit_length() * 2
    _, bounds = colour.choice()
    assert bounds.upper == 1
    assert bounds.lower == pytest.approx(max(0, 1 - sqrt(log(2 * choices / 0.05) / (2 * met))))
    while bounds.lower == 0:
        asked = colour.ask()
        colour.tell(np.ones(len(asked.arms)))
        _, bounds = colour.choice()
        met = int(asked.opponents.max()) + 1
    assert 0 < bounds.lower < 1 - sqrt(log(2 * choices / 0.05) / (2 * met)) + 1e-9
