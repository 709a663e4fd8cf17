"""Discounted UCBT over endless arms: opponents with a known weakness, and opponents that change."""

from __future__ import annotations

import pytest

from seedfolio.analysis.ucbt import FEWEST_TRIES, EndlessUcbt
from seedfolio.core.randomness import mix_int


def play(player, games, reward):
    """Play games whose reward is a function of the arm and the game; return the arms."""
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


def test_an_arm_gives_way_only_after_a_few_games_and_never_as_the_best():
    player = EndlessUcbt()
    tries: dict[int, int] = {}
    for game in range(500):
        before = set(player.open_arms)
        arm = player.choose(mix_int(game))
        player.update(arm, float(arm % 10 == 7))
        tries[arm] = tries.get(arm, 0) + 1
        for gone in before - set(player.open_arms):
            assert tries[gone] >= FEWEST_TRIES
            assert gone % 10 != 7
        assert player.best() in player.open_arms


@pytest.mark.parametrize("change", [100, 400])
def test_it_follows_an_opponent_that_changes(change):
    """The discounted one soon wins again, however long the opponent had been the same."""

    def reward(arm, game):
        return float(arm % 5 == (1 if game < change else 3))

    def won(player):
        play(player, range(change), reward)
        arms = play(player, range(change, change + 60), reward)
        return sum(arm % 5 == 3 for arm in arms)

    assert won(EndlessUcbt()) > 35
    if change == 400:
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
