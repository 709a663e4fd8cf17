"""Pig: random play against its exact chances, and the panel."""

from functools import cache

import numpy as np

from seedfolio.games import load_game
from seedfolio.players.program import Program
from seedfolio.players.table import Table


def exact_success(target, sides):
    """The first player's success when both decide at random, by the chances of one turn."""

    @cache
    def banked(points, turn=0):
        """The chances of each number of points after a turn, from `turn` points in it."""
        if points + turn >= target:
            return {target: 1.0}
        chances = {points: 0.5 / sides}
        chances[points + turn] = chances.get(points + turn, 0) + 0.5
        for side in range(2, sides + 1):
            for after, chance in banked(points, turn + side).items():
                chances[after] = chances.get(after, 0) + chance * 0.5 / sides
        return chances

    # How many turns a player needs by itself: the chance not to be there after n of them.
    distribution, waiting = {0: 1.0}, [1.0]
    while waiting[-1] > 1e-15:
        following = {}
        for points, chance in distribution.items():
            for after, step in (banked(points) if points < target else {target: 1.0}).items():
                following[after] = following.get(after, 0) + chance * step
        distribution = following
        waiting.append(1 - distribution.get(target, 0))
    # The first player wins with its n-th turn if the second has not won with its (n - 1)-th.
    return sum((waiting[n - 1] - waiting[n]) * waiting[n - 1] for n in range(1, len(waiting)))


def test_tables_win_as_often_as_random_play():
    # A table's moves are random, so over many of them this tests the die, the rules and the ends.
    program = Program(load_game("pig:target=15,sides=6"), Table())
    seeds = np.arange(40_000, dtype=np.uint64)
    scores, _ = program.play(seeds, seeds + np.uint64(1 << 32), program.workspace())
    expected = exact_success(15, 6)
    assert set(scores) == {0, 2}
    assert abs(scores.mean() / 2 - expected) < 3.5 * (expected * (1 - expected) / 40_000) ** 0.5


def test_the_panel():
    game = load_game("pig:target=15,sides=6,horizon=9")
    history = [game.parse_move(name) for name in ["roll", "5", "roll", "6", "hold", "roll", "2"]]
    assert game.draw(history).splitlines() == [
        "first player    11",
        "second player    0",
        "this turn        2",
        "decisions left   5",
    ]
