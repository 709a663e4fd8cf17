"""UCB with widening: which arms are open, which games are played, known best arms."""

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from synthetic_arena import differing

from seedfolio.learning.ucb_widening import UcbWidening, UcbWideningOfOneColour, open_arms


def one_colour(games, key=1, **parameters):
    return UcbWideningOfOneColour(UcbWidening(**parameters), games, key)


def test_open_arms_are_the_papers_for_every_number_of_games():
    games = np.arange(1, 60_001)
    arms = np.array([open_arms(100, int(n)) for n in games])
    # ceil(100 n^(1/3)) in whole numbers: the least one whose cube is 100^3 n or more.
    assert (arms**3 >= 10**6 * games).all()
    assert ((arms - 1) ** 3 < 10**6 * games).all()
    assert [open_arms(7, 10**15), open_arms(7, 10**15 + 1)] == [700_000, 700_001]


def test_a_run_opens_what_the_paper_opens_or_fewer_by_a_limit():
    for budget in (30, 1890, 20_000):
        colour = one_colour(budget)
        spent = 0
        while (games := colour.ask()) is not None:
            assert len(colour._pulls) == int(np.ceil(np.round(100 * max(1, spent) ** (1 / 3), 9)))
            assert len(games.arms) == len(set(games.arms.tolist())) == min(40, budget - spent)
            assert games.arms.max() < open_arms(100, max(1, spent))
            colour.tell(np.zeros(len(games.arms)))
            spent += len(games.arms)
        assert spent == budget
    for each, arms in ((8, 236), (1, open_arms(100, 1880)), (0, open_arms(100, 1880))):
        colour = one_colour(1890, each=each)
        while (games := colour.ask()) is not None:
            open_at_last = len(colour._pulls)
            colour.tell(np.zeros(len(games.arms)))
        assert open_at_last == arms


def test_the_nth_game_of_an_arm_is_against_opponent_n():
    colour = one_colour(5000, c=10)
    matrix = differing(300, 2000, 1)
    met = Counter()
    while (games := colour.ask()) is not None:
        for arm, opponent in zip(games.arms.tolist(), games.opponents.tolist(), strict=True):
            assert opponent == met[arm]
            met[arm] += 1
        colour.tell(matrix[games.arms.astype(int), games.opponents.astype(int)] / 2)
    assert met.total() == 5000
    assert max(met.values()) > 2 * 5000 / len(met)


def test_scores_decide_who_is_pulled():
    colour = one_colour(24, c=3, pulls=1, explore=0.5, each=8)
    wins = {0: [1, 1], 1: [0, 1], 2: [1, 0]}
    for turn in range(3):
        arm = int(colour.ask().arms[0])
        assert turn == 0 or colour._pulls[arm] == 0  # one that has not played comes first
        colour.tell(np.array([wins[arm][0]], float))
    # Means 1, 0, 1: one of the winners next, and after a loss the other winner, whose score is
    # 1 + sqrt(log(4) / 2) against 1/2 + sqrt(log(4) / 4).
    arm = int(colour.ask().arms[0])
    assert arm in (0, 2)
    colour.tell(np.array([0.0]))
    other = int(colour.ask().arms[0])
    assert other == 2 - arm


def test_the_choice_weighs_games_and_mean():
    colour = one_colour(800, c=100)
    colour._pulls[[3, 4]] = 2, 200
    colour._totals[[3, 4]] = 2, 180
    colour._rounds = 200
    choice, bounds = colour.choice()
    assert choice.arms == (4,)
    radius = sqrt(log(2 * 100 * 200 / 0.05) / 400)
    assert (bounds.lower, bounds.upper) == pytest.approx((0.9 - radius, 1.0))
