"""UCBT: the scores by hand, bandits whose best arm is known, opponents that change."""

from collections import Counter
from math import ceil, log, sqrt

import numpy as np
import pytest

from seedfolio.analysis.ucbt import DISCOUNT, FEWEST_TRIES, EndlessUcbt, Ucbt, Widening, ucbt_scores
from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError


def test_scores_by_hand():
    # log(4 * 10**2.1) = 1.3863 + 2.1 * 2.3026 = 6.2217
    scores = ucbt_scores(np.array([0.0, 3.0, 1.0, 4.0]), np.array([8.0, 6.0, 0.0, 4.0]), 10)
    grown = 6.221723
    assert scores[0] == pytest.approx(0.01 * sqrt(2 * grown / 8) + 0.16 * grown / 8, abs=1e-6)
    assert scores[0] == pytest.approx(0.136906, abs=1e-5)
    assert scores[1] == pytest.approx(0.5 + 0.014401 + 0.165913, abs=1e-5)
    assert scores[2] == 1  # never played: infinite, cut at 1
    assert scores[3] == 1  # always won
    player = Ucbt(2)
    assert player.scores().tolist() == [1, 1]
    assert player.best() == 0
    player.update(0, 0.0)
    grown = log(4 * 2**2.1)  # this is the second game
    assert player.scores() == pytest.approx([0.01 * sqrt(2 * grown) + 0.16 * grown, 1])
    player.update(1, 1.0)
    player.update(0, 1.0)
    assert player.best() == 1  # by its mean, though 0 has played more
    player = Ucbt(3)
    for arm in (1, 2, 2):
        player.update(arm, 1.0)
    assert player.best() == 2  # of equal means, the most played


def test_ties_are_broken_evenly_by_the_key_and_by_nothing_else():
    chosen = [Ucbt(5).choose(key) for key in range(2000)]
    assert chosen[:50] == [Ucbt(5).choose(key) for key in range(50)]
    counts = np.bincount(chosen, minlength=5)
    assert ((counts - 400) ** 2 / 400).sum() < 18.5  # 0.999 quantile of chi-squared, 4 degrees


def test_discounted_counts_are_those_of_the_definition():
    player = Ucbt(2, discount=0.9)
    for arm, reward in [(0, 1.0), (1, 0.0), (0, 0.0)]:
        player.update(arm, reward)
    assert player.counts == pytest.approx([0.81 + 1, 0.9])
    expected = ucbt_scores(np.array([0.81, 0]), np.array([1.81, 0.9]), 1 + 2.71)
    assert player.scores() == pytest.approx(expected)
    player = Ucbt(2, discount=1e-200)  # what has faded away is an arm not played
    for arm in (0, 1, 1):
        player.update(arm, 0.0)
    assert player.counts[0] == 0
    assert player.choose(3) == 0


def test_widening_opens_as_many_arms_as_it_says():
    assert [Widening(100, 1 / 3).opened(n) for n in (0, 1, 8, 27, 28, 64, 1000)] == [
        *(1, 100, 200, 300, 304, 400, 1000)
    ]
    player = Ucbt(widening=Widening(2, 0.5))
    for game in range(1, 50):
        arm = player.choose(game)
        assert arm < player.open_arms == max(1, ceil(2 * sqrt(game - 1)))
        player.update(arm, 0.0)
    bounded = Ucbt(3, widening=Widening())
    play(bounded, range(100), lambda arm, game: 0.0)
    assert bounded.open_arms == 3


@pytest.mark.parametrize(
    "wrong",
    [
        *(lambda: Ucbt(), lambda: Ucbt(0), lambda: Widening(float("nan"), 0.5)),
        *(lambda each=each: Ucbt(2, discount=each) for each in (0, 1.5)),
        *(lambda each=each: EndlessUcbt(discount=each) for each in (0, 1.5, float("nan"), "a")),
        *(lambda each=each: Widening(*each) for each in [(0, 0.5), (1, 0), (1, 1.5)]),
        *(lambda each=each: Ucbt(2).update(*each) for each in [(2, 0.0), (-1, 0.0), (0, 1.5)]),
        lambda: EndlessUcbt().update(0, float("nan")),
    ],
)
def test_numbers_that_no_player_can_have(wrong):
    with pytest.raises((SpecificationError, ValueError), match=r"arm|iscount|idening|0 and 1"):
        wrong()


def play(player, games, reward):
    arms = []
    for game in games:
        arms.append(player.choose(mix_int(game)))
        player.update(arms[-1], reward(arms[-1], game))
    return arms


def test_an_arm_that_always_wins_is_found_and_plays_more_and_more():
    player = EndlessUcbt()
    arms = play(player, range(400), lambda arm, game: float(arm == 9))
    first = arms.index(9)
    assert first < 60
    early, late = arms[:first].count(9), arms[first + 10 :].count(9)
    assert early == 0
    assert late > 0.75 * len(arms[first + 10 :])
    assert player.best() == 9
    assert player.mean(9) == 1


def test_new_arms_never_end():
    """Whatever wins or loses, arms that never played come up again and again."""
    for reward in (0.0, 0.4):
        player = EndlessUcbt()
        arms = play(player, range(600), lambda arm, game, reward=reward: reward)
        assert len(set(arms[:300])) > 30
        assert len(set(arms[300:]) - set(arms[:300])) > 30
        assert len(player.open_arms) <= 5


def test_it_follows_an_opponent_that_changes():
    """The discounted one soon wins again, however long the opponent had been the same."""
    change = 400

    def reward(arm, game):
        return float(arm % 5 == (1 if game < change else 3))

    def won(player):
        play(player, range(change), reward)
        arms = play(player, range(change, change + 60), reward)
        return sum(arm % 5 == 3 for arm in arms)

    assert won(EndlessUcbt()) > 35
    assert won(EndlessUcbt(discount=1.0)) < won(EndlessUcbt()) - 5


def test_it_is_rebuilt_from_its_games():
    player = EndlessUcbt(discount=0.95)
    arms = play(player, range(150), lambda arm, game: (arm * game) % 3 / 2)
    rewards = [(arm * game) % 3 / 2 for game, arm in enumerate(arms)]
    again = EndlessUcbt.after(zip(arms, rewards, strict=True), discount=0.95)
    assert again.scores() == player.scores()
    # Of another discount, some of the arms were not open: they join.
    other = EndlessUcbt.after(zip(arms, rewards, strict=True), discount=0.5)
    assert max(other.open_arms) >= max(arms)


def test_an_arm_gives_way_only_after_a_few_games_and_never_as_the_best_of_weak_ones():
    player, kept, tries = EndlessUcbt(), {}, Counter[int]()
    for game in range(600):
        before, arm = set(player.open_arms), player.choose(mix_int(game))
        reward = mix_int(1000 * game + arm) % 100 / 200
        player.update(arm, reward)
        tries[arm] += 1
        assert player.best() in player.open_arms
        kept = {
            each: (DISCOUNT * points, DISCOUNT * games) for each, (points, games) in kept.items()
        }
        points, games = kept.get(arm, (0.0, 0.0))
        kept[arm] = points + reward, games + 1
        means = {each: kept[each][0] / kept[each][1] for each in before | {arm} if each in kept}
        best = max(means.values())
        for gone in (before | {arm}) - set(player.open_arms):
            assert means[gone] < best
            assert tries[gone] >= FEWEST_TRIES
