"""Alpha-beta finds the move and the value of plain minimax, and a seed is a personality."""

from random import Random

import numpy as np
import pytest
from reference_minimax import bind_both, scratch_for

from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.duel import Duel
from seedfolio.players.program import Program

PLAYING = ["breakthrough:6x6", "domineering:5x5", "atari-go:5x5", "chess"]


def positions(name, count):
    """Return the histories of positions of random games that are not over."""
    game, random = load_game(name), Random(7)
    found: list[list[int]] = []
    while len(found) < count:
        history: list[int] = []
        while moves := game.position(history).moves:
            if len(found) < count and random.random() < 0.3:
                found.append(list(history))
            if len(history) > 150:
                break
            history.append(random.choice(moves))
    return found


def compare(name, depth, count, seeds, *, noise=20):
    game = load_game(name)
    both = bind_both(game)
    player = load_player(f"alphabeta:depth={depth},noise={noise}")
    program = Program(game, player)
    room, scratch = program.workspace(), scratch_for(game)
    chosen = set()
    for number, history in enumerate(positions(name, count)):
        for seed in range(number, number + seeds):
            moves = np.array(history, np.int64)
            ours, plain = both(moves, np.uint64(seed), program.bound.knobs, room, scratch)
            assert ours == plain, (name, history, seed)
            chosen.add(ours)
    assert len(chosen) > count // 4


@pytest.mark.slow
def test_move_and_value_are_those_of_minimax():
    compare("breakthrough:5x5,pawn_rows=1", 3, 100, seeds=2)


def test_equal_values_and_transpositions():
    """Without noise many values equal a bound; what is kept of them is still a bound."""
    compare("breakthrough:5x5,pawn_rows=1", 5, 60, seeds=1, noise=0)


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYING)
def test_move_and_value_are_those_of_minimax_in_many_positions(name):
    compare(name, 1 if name == "chess" else 2, 1000, seeds=3)


@pytest.mark.slow
def test_a_seed_is_a_personality_and_looking_further_ahead_wins():
    seeds = np.arange(40, dtype=np.uint64)
    one, other = load_player("alphabeta:depth=4"), load_player("alphabeta:depth=1")
    program = Program(load_game("breakthrough:5x5,pawn_rows=1"), Duel(one, other))
    results, games = program.play(seeds, seeds[::-1].copy(), program.workspace())
    assert results.sum() > 56  # of 80 half points
    assert len({*games.tolist()}) > 20
