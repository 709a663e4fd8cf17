"""Best responses in games with chance and payoffs: known values, and an independent computation."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from seedfolio.evaluation.best_response import best_response_success
from seedfolio.games.rules import CHANCE
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.built_in import load_built_in

PASS, BET, JACK = 0, 1, 2
DEALS = list(itertools.permutations((JACK, JACK + 1, JACK + 2), 2))
SITUATIONS = {0: ([], [PASS, BET]), 1: ([PASS], [BET])}
"""For each colour, the moves after which it decides, besides its card."""


def program_of(text):
    return load_built_in(text, "table")


@cache
def pure(colour):
    """Return a seed for each way to play Kuhn poker: its move with each card, each time."""
    program, found = program_of("kuhn-poker"), dict[tuple[int, ...], int]()
    deals = [next(deal for deal in DEALS if deal[colour] == JACK + rank) for rank in range(3)]
    for seed in itertools.count():
        asked = [[*deal, *moves] for moves in SITUATIONS[colour] for deal in deals]
        found.setdefault(tuple(program.choose(each, seed) for each in asked), seed)
        if len(found) == 64:
            return found
    raise AssertionError


def mixed(colour, chances):
    """Return the mixture of seeds that bets with these chances."""
    weights = {
        seed: float(np.prod(np.where(np.array(moves) == BET, chances, 1 - np.array(chances))))
        for moves, seed in pure(colour).items()
    }
    arms = sorted(seed for seed, weight in weights.items() if weight > 0)
    return Distribution.of(np.array(arms, np.uint64), np.array([weights[arm] for arm in arms]))


@pytest.mark.slow
@pytest.mark.parametrize("bluffs", [0.0, 0.2, 1 / 3])
def test_the_value_of_kuhn_poker(bluffs):
    # The chances to bet with J, Q and K; then the second time, or after a bet (Kuhn 1950).
    first = mixed(0, [bluffs, 0, 3 * bluffs, 0, bluffs + 1 / 3, 1])
    second = mixed(1, [1 / 3, 0, 1, 0, 1 / 3, 1])
    found = best_response_success(program_of("kuhn-poker"), Portfolio(first, second))
    assert 4 * found.first - 2 == pytest.approx(-1 / 18, abs=1e-12)
    assert 4 * found.second - 2 == pytest.approx(1 / 18, abs=1e-12)


def naive_value(program, arms, colour):
    """The points of a mixture against a best response, over all histories in plain Python.

    First the value of every information state of the opponent is found by its histories.
    """
    game = program.game

    def expand(history, arm, weight):
        """Return the histories in which the opponent is to move, or the game is over."""
        position = game.position(history)
        if not position.moves or position.mover == 1 - colour:
            return [(history, arm, weight)]
        if position.mover == CHANCE:
            odds = game.odds(history)
            parts = [
                expand([*history, move], arm, weight * each / sum(odds))
                for move, each in zip(position.moves, odds, strict=True)
            ]
            return [found for part in parts for found in part]
        return expand([*history, program.choose(history, arm)], arm, weight)

    def value(reached):
        points, states = 0.0, dict[tuple[int, ...], list[tuple[list[int], int, float]]]()
        for history, arm, weight in reached:
            position = game.position(history)
            if not position.moves:
                points += weight * position.points[colour]
            else:
                events = game.information(history, 1 - colour).events
                states.setdefault(events, []).append((history, arm, weight))
        for like in states.values():
            moves = game.position(like[0][0]).moves
            points += min(
                value([x for h, arm, w in like for x in expand([*h, move], arm, w)])
                for move in moves
            )
        return points

    return value(
        [x for arm, w in zip(arms.arms, arms.weights, strict=True) for x in expand([], arm, w)]
    )


@pytest.mark.parametrize(
    "text",
    [
        "kuhn-poker",
        *(
            pytest.param(text, marks=pytest.mark.slow)
            for text in ("leduc-poker", "liars-dice:sides=3")
        ),
    ],
)
def test_against_all_histories(text):
    program = program_of(text)
    first = Distribution.of(np.arange(3, dtype=np.uint64), np.array([0.5, 0.3, 0.2]))
    second = Distribution.of(np.arange(5, 7, dtype=np.uint64), np.array([0.6, 0.4]))
    found = best_response_success(program, Portfolio(first, second))
    scale = program.game.rules.scale
    assert found.first == pytest.approx(naive_value(program, first, 0) / scale, abs=1e-12)
    assert found.second == pytest.approx(naive_value(program, second, 1) / scale, abs=1e-12)
