"""Pig against OpenSpiel's, and random play against its exact chances."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pyspiel
import pytest

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.rules import CHANCE
from seedfolio.players.program import Program
from seedfolio.players.table import Table
from seedfolio.testing import check_game

ROLL, HOLD, DIE = 0, 1, 1
PARAMETERS = [(15, 6, 1000), (100, 6, 1000), (6, 2, 1000), (30, 20, 1000), (15, 6, 9), (40, 6, 1)]


def oracle(target: int, sides: int, horizon: int) -> Any:
    settings = f"winscore={target},diceoutcomes={sides},horizon={horizon}"
    return pyspiel.load_game(f"pig({settings})").new_initial_state()


def legal(state: Any) -> dict[str, int]:
    """The names that we give to OpenSpiel's actions."""
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert len({chance for _, chance in outcomes}) == 1
        return {str(action + 1): action for action, _ in outcomes}
    return {("roll", "hold")[action]: action for action in state.legal_actions()}


@pytest.mark.parametrize(("target", "sides", "horizon"), PARAMETERS)
def test_random_games_move_by_move(target: int, sides: int, horizon: int) -> None:
    game = load_game(f"pig:target={target},sides={sides},horizon={horizon}")
    scores = set()
    for seed in range(60):
        draw = random.Random(seed)
        # From rash players, who often reach the target in one turn, to timid ones.
        patience = draw.choice([0.95, 0.8, 0.5])
        state, history = oracle(target, sides, horizon), list[int]()
        while not state.is_terminal():
            position = game.position(history)
            actions = legal(state)
            player = state.current_player()
            assert position.mover == (CHANCE if state.is_chance_node() else player)
            assert [game.move_name(move) for move in position.moves] == list(actions)
            assert f"Scores: {position.cells[0]} {position.cells[1]}, " in str(state)
            assert f"Turn total: {position.cells[2]}\n" in str(state)
            name = draw.choice(list(actions))
            if "roll" in actions:
                name = "roll" if draw.random() < patience else "hold"
            state.apply_action(actions[name])
            history.append(game.parse_move(name))
        end = game.position(history)
        assert end.moves == ()
        assert end.mover in (0, 1)
        assert end.score == state.returns()[0] + 1
        assert len(history) <= game.rules.max_plies
        scores.add(end.score)
    # Every way to end is met that can be: with a few decisions only, some games have no winner.
    assert scores == {1} if horizon == 1 else scores >= {0, 2}
    assert (1 in scores) == (horizon < 10)


def test_the_longest_game() -> None:
    game = load_game("pig:target=100,horizon=7")
    history = [ROLL, DIE + 2] * 6 + [ROLL]
    assert len(history) == game.rules.max_plies
    assert game.position(history).score == 1


def exact_success(target: int, sides: int) -> float:
    """The first player's success when both decide at random, by the chances of one turn."""

    @cache
    def banked(points: int, turn: int = 0) -> dict[int, float]:
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
        following: dict[int, float] = {}
        for points, chance in distribution.items():
            for after, step in (banked(points) if points < target else {target: 1.0}).items():
                following[after] = following.get(after, 0) + chance * step
        distribution = following
        waiting.append(1 - distribution.get(target, 0))
    # The first player wins with its n-th turn if the second has not won with its (n - 1)-th.
    return sum((waiting[n - 1] - waiting[n]) * waiting[n - 1] for n in range(1, len(waiting)))


@pytest.mark.parametrize(("target", "sides"), [(15, 6), (6, 6), (10, 3)])
def test_tables_win_as_often_as_random_play(target: int, sides: int) -> None:
    # A table's moves are random, so over many of them this tests the die, the rules and the ends.
    program = Program(load_game(f"pig:target={target},sides={sides}"), Table())
    seeds = np.arange(40_000, dtype=np.uint64)
    scores, _ = program.play(seeds, seeds + np.uint64(1 << 32), program.workspace())
    expected = exact_success(target, sides)
    assert set(scores) == {0, 2}
    assert abs(scores.mean() / 2 - expected) < 3.5 * (expected * (1 - expected) / 40_000) ** 0.5


def test_the_panel() -> None:
    game = load_game("pig:target=15,horizon=30")
    history = [game.parse_move(name) for name in ["roll", "5", "roll", "6", "hold", "roll", "2"]]
    assert game.draw(history).splitlines() == [
        "first player    11",
        "second player    0",
        "this turn        2",
        "decisions left  26",
    ]


def test_the_default_player_and_that_there_is_chance() -> None:
    game = load_game("pig")
    assert game.rules.chance
    assert game.rules.player == "table"
    assert Program(game, Table(), repeats=5).full == 10


@pytest.mark.parametrize("options", ["target=0", "sides=1", "horizon=0", "target=1001"])
def test_parameters_that_cannot_be(options: str) -> None:
    with pytest.raises(SpecificationError, match=rf"^pig: {options} is not between \d+ and \d+$"):
        load_game(f"pig:{options}")


@pytest.mark.long
def test_conformance_with_other_rules() -> None:
    check_game(load_game("pig:target=1,sides=2,horizon=1"), games=50)
