"""Brackets of halving: good at any moment, and no game is paid for twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from synthetic_arena import differing, from_matrix, run

from seedfolio.errors import SpecificationError
from seedfolio.learning.halving import BracketsOfOneColour, HalvingBrackets


def wins(chances: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Results of arms that win by their own chance alone."""
    return (np.random.default_rng(seed).random((len(chances), 1024)) < chances[:, None]) * 1.0


def play(
    colour: BracketsOfOneColour, results: NDArray[np.float64], rounds: int = 10**6
) -> set[tuple[int, int]]:
    """Play rounds; return the different games."""
    games: set[tuple[int, int]] = set()
    while rounds > 0 and (asked := colour.ask()) is not None:
        arms, opponents = asked.arms.astype(int), asked.opponents.astype(int)
        games |= set(zip(arms.tolist(), opponents.tolist(), strict=True))
        colour.tell(results[arms, opponents])
        rounds -= 1
    return games


def spread(arms: int) -> NDArray[np.float64]:
    """Chances of which few are good, in an order of no meaning."""
    return np.random.default_rng(9).permutation(np.linspace(0, 1, arms) ** 2 * 0.6 + 0.2)


def test_it_finds_an_arm_near_the_best() -> None:
    found = []
    for key in range(10):
        colour = BracketsOfOneColour(1, 8_000, key)
        play(colour, wins(spread(1024), key))
        found.append(spread(1024)[colour.choice()[0].arms[0]])
    assert np.mean(found) > 0.75  # the best has 0.8, the mean arm 0.4


@given(games=st.integers(0, 3000), keep=st.integers(1, 20))
@settings(max_examples=30, deadline=None)
def test_games_that_were_played_before_are_not_paid_for_again(games: int, keep: int) -> None:
    colour = BracketsOfOneColour(keep, games, 1)
    played = play(colour, wins(spread(1024), 0))
    assert len(played) <= games
    if games >= 32 * keep:
        # A bracket takes as much again as all before it, so less than that may be left.
        assert len(played) > games / 4
    assert colour.ask() is None
    assert len(colour.choice()[0]) == keep


def test_it_does_not_depend_on_how_many_games_there_will_be() -> None:
    few, many = (BracketsOfOneColour(2, games, 3) for games in (5_000, 500_000))
    results = wins(spread(1024), 0)
    for _ in range(30):
        assert play(few, results, 1) == play(many, results, 1) != set()
        assert few.choice() == many.choice()


def test_the_choice_gets_surer_and_its_certificate_holds_at_every_moment() -> None:
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


def test_before_the_first_game() -> None:
    kept, bounds = BracketsOfOneColour(3, 1000, 0).choice()
    assert len(kept) == 3
    assert (bounds.lower, bounds.upper) == (0, 1)


@given(cells=st.integers(0, 2000))
@settings(max_examples=25, deadline=None)
def test_both_colours_stay_within_the_cells(cells: int) -> None:
    exploration = HalvingBrackets().begin(cells, 2, 5)
    played = run(exploration, from_matrix(differing(256, 256, 1)))
    assert len(set(played)) <= cells


@pytest.mark.parametrize("result", [0, 1, 2])
def test_equal_arms(result: int) -> None:
    exploration = HalvingBrackets(2).begin(3000, 2, 0)
    run(exploration, from_matrix(np.full((8, 8), result, np.uint8)))
    choice = exploration.choice()
    assert len(choice.portfolio.first) == 2
    assert choice.first.lower <= result / 2 <= choice.first.upper
    assert choice.second.lower <= 1 - result / 2 <= choice.second.upper


def test_the_same_key_and_results_ask_for_the_same() -> None:
    points = from_matrix(differing(256, 256, 2))
    first, again = (run(HalvingBrackets().begin(3000, 2, 4), points) for _ in range(2))
    assert first == again


def test_names() -> None:
    assert HalvingBrackets().name == "halving-brackets"
    assert HalvingBrackets(16).name == "halving-brackets:keep=16"
    with pytest.raises(SpecificationError, match="halving-brackets: keep must be 1 to"):
        HalvingBrackets(0)
