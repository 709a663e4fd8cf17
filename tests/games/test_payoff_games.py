"""Games for payoffs: what is dealt how often, and what rules refuse."""

from types import SimpleNamespace

import numpy as np
import pytest

from seedfolio.games import load_game
from seedfolio.games.game import half_points_of
from seedfolio.games.rules import Rules
from seedfolio.players.cell_points import kept_points


def test_the_rarer_card_is_dealt_less_often():
    game = load_game("leduc-poker")
    jack, queen, king = (game.parse_move(name) for name in "JQK")
    assert game.odds([]) == (2, 2, 2)
    assert game.odds([jack]) == (1, 2, 2)
    dealt = [game.draw_outcome([jack], luck) for luck in range(5_000)]
    assert dealt.count(jack) == pytest.approx(1_000, abs=100)
    assert dealt.count(queen) == pytest.approx(2_000, abs=120)
    assert dealt.count(king) == pytest.approx(2_000, abs=120)


def test_what_points_mean():
    rules = load_game("kuhn-poker:players=3").rules
    assert [half_points_of(rules, points) for points in range(7)] == [0, 0, 1, 2, 2, 2, 2]


def test_points_of_many_games_are_rounded_without_bias():
    """Of at most 500 a byte keeps 254ths: 301 are 152.908, sometimes less and mostly more."""
    kept = kept_points(SimpleNamespace(scale=100))
    found = [kept(301, np.uint64(row), np.uint64(7), 5) for row in range(4_000)]
    assert {*found} == {152, 153}
    assert np.mean(found) == pytest.approx(152.908, abs=0.02)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": 0}, "scale=0 is not between 1 and 254"),
        ({"scale": 255}, "scale=255 is not between 1 and 254"),
        ({"seats": 7}, "seats=7 is not between 2 and 6"),
        ({"random_move": len}, "with odds, leave out random_move and rollout"),
    ],
)
def test_rules_that_cannot_be(change, message):
    rules = load_game("leduc-poker").rules
    given = {name: getattr(rules, name) for name in Rules.__dataclass_fields__}
    with pytest.raises(ValueError, match=message):
        Rules(**{**given, **change})
