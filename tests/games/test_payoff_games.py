"""Kuhn poker, Leduc poker and Liar's dice against OpenSpiel's, move by move."""

from __future__ import annotations

import random

import pyspiel
import pytest

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import half_points_of
from seedfolio.games.rules import CHANCE, Rules

ORACLES = {
    "kuhn-poker": ("kuhn_poker", 2),
    "kuhn-poker:players=3": ("kuhn_poker(players=3)", 2),
    "leduc-poker": ("leduc_poker(suit_isomorphism=true)", 3),
    "liars-dice": ("liars_dice", 13),
}
"""The game in OpenSpiel, and the number of the first outcome of chance here; there it is 0."""


def compare(text: str, seed: int) -> tuple[float, ...]:
    """Play a random game by both rules; return its payoffs."""
    name, dealt = ORACLES[text]
    game, state = load_game(text), pyspiel.load_game(name).new_initial_state()
    draw, history = random.Random(seed), list[int]()
    level = game.rules.scale // 2 if game.rules.par is None else game.rules.par
    while not state.is_terminal():
        position = game.position(history)
        if state.is_chance_node():
            odds = game.odds(history)
            numbers = [move - dealt for move in position.moves]
            ours = {n: odd / sum(odds) for n, odd in zip(numbers, odds, strict=True)}
            assert position.mover == CHANCE
            assert ours == pytest.approx(dict(state.chance_outcomes()), abs=1e-12)
            move = draw.choice(position.moves)
            state.apply_action(move - dealt)
        else:
            assert position.mover == state.current_player()
            assert list(position.moves) == state.legal_actions()
            move = draw.choice(position.moves)
            state.apply_action(move)
        history.append(move)
    end = game.position(history)
    assert end.moves == ()
    assert len(history) <= game.rules.max_plies
    payoffs = tuple(float(points - level) for points in end.points)
    assert payoffs == tuple(state.returns())
    return payoffs


@pytest.mark.parametrize("text", ORACLES)
def test_random_games_move_by_move(text: str) -> None:
    seen = {compare(text, seed) for seed in range(150)}
    assert len(seen) > 1


@pytest.mark.long
@pytest.mark.parametrize("text", ORACLES)
def test_ten_thousand_random_games_move_by_move(text: str) -> None:
    for seed in range(10_000):
        compare(text, seed)


def test_the_rarer_card_is_dealt_less_often() -> None:
    game = load_game("leduc-poker")
    jack, queen, king = (game.parse_move(name) for name in "JQK")
    assert game.odds([]) == (2, 2, 2)
    assert game.odds([jack]) == (1, 2, 2)
    dealt = [game.draw_outcome([jack], luck) for luck in range(5_000)]
    assert dealt.count(jack) == pytest.approx(1_000, abs=100)
    assert dealt.count(queen) == pytest.approx(2_000, abs=120)
    assert dealt.count(king) == pytest.approx(2_000, abs=120)


def test_what_points_mean() -> None:
    rules = load_game("kuhn-poker:players=3").rules
    assert [half_points_of(rules, points) for points in range(7)] == [0, 0, 1, 2, 2, 2, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": 0}, "scale=0 is not between 1 and 254"),
        ({"scale": 255}, "scale=255 is not between 1 and 254"),
        ({"seats": 7}, "seats=7 is not between 2 and 6"),
        ({"random_move": len}, "with odds, leave out random_move and rollout"),
    ],
)
def test_rules_that_cannot_be(change: dict[str, object], message: str) -> None:
    rules = load_game("leduc-poker").rules
    given = {name: getattr(rules, name) for name in Rules.__dataclass_fields__}
    with pytest.raises(ValueError, match=message):
        Rules(**{**given, **change})


@pytest.mark.parametrize("text", ["kuhn-poker:players=4", "liars-dice:sides=1"])
def test_parameters_that_cannot_be(text: str) -> None:
    with pytest.raises(SpecificationError, match="is not between"):
        load_game(text)
