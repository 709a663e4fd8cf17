"""Brackets of halving: good at any moment, and no game is paid for twice."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from seedfolio.learning.halving import BracketsOfOneColour


def wins(chances, seed):
    """Results of arms that win by their own chance alone."""
    return (np.random.default_rng(seed).random((len(chances), 1024)) < chances[:, None]) * 1.0


def play(colour, results, rounds=10**6):
    """Play rounds; return the different games."""
    games: set[tuple[int, int]] = set()
    while rounds > 0 and (asked := colour.ask()) is not None:
        arms, opponents = asked.arms.astype(int), asked.opponents.astype(int)
        games |= set(zip(arms.tolist(), opponents.tolist(), strict=True))
        colour.tell(results[arms, opponents])
        rounds -= 1
    return games


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
    played = play(colour, wins(spread(1024), 0))
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
        assert play(few, results, 1) == play(many, results, 1) != set()
        assert few.choice() == many.choice()


def test_the_choice_gets_surer_and_its_certificate_holds_at_every_moment():
    chances = spread(1024)
    for key in range(20):
        colour = BracketsOfOneColour(1, 8_000, key)
        results = wins(chances, key)
        before = 0.0
        while play(colour, results, 1):
            kept, bounds = colour.choice()
            assert bounds.lower <= chances[kept.arms[0]] <= bounds.upper
            assert bounds.lower >= before
            before = bounds.lower
        assert before > 0.45
