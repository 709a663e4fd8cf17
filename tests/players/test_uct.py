"""UCT against a plain second implementation, and what it must be good at."""

import random
from collections import Counter
from decimal import Decimal

import numpy as np
import pytest
from reference_uct import ReferenceUct, history_hash
from scipy.stats import chisquare
from sparing import levels
from walking import winning_moves

from seedfolio.games import load_game
from seedfolio.players.program import Program
from seedfolio.players.uct import Uct

DOMINEERING, BREAKTHROUGH = "domineering:4x4", "breakthrough:5x5,pawn_rows=1"


@levels(
    ("board", "simulations", "exploration"),
    [(DOMINEERING, 60, "1.4")],
    slow=[
        *((DOMINEERING, 100, "0.5"), ("domineering:9x8", 3, "1.4"), (BREAKTHROUGH, 25, "1.4")),
        *((BREAKTHROUGH, 25, "0"), ("atari-go:5x5", 30, "100")),
    ],
)
def test_plays_the_same_games_as_the_reference(board, simulations, exploration):
    game = load_game(board)
    player = Uct(simulations=simulations, exploration=Decimal(exploration))
    reference = ReferenceUct(game, player.simulations, player.exploration)
    program = Program(game, player)
    rows, columns = np.array([[0, 7, 2**40 + 3], [1, 7, 2**63 + 1]], np.uint64)
    scores, hashes = program.play(rows, columns, program.workspace())
    for row, column, score, found in zip(rows, columns, scores, hashes, strict=True):
        expected, history = reference.play(int(row), int(column))
        assert (int(score), int(found)) == (expected, history_hash(history))


@pytest.mark.slow
@pytest.mark.parametrize("board", [BREAKTHROUGH, "atari-go:5x5"])
def test_an_immediate_win_is_taken(board):
    game = load_game(board)
    program = Program(game, Uct(simulations=400))
    taken, met = 0, 0
    for seed in range(150):
        draw = random.Random(seed)
        history: list[int] = []
        while (position := game.position(history)).moves:
            if 0 < len(winning_moves(game, history)) < len(position.moves):
                met += 1
                taken += program.choose(history, seed) in winning_moves(game, history)
                break
            history.append(draw.choice(position.moves))
    assert met >= 100
    assert taken / met >= 0.98


def test_one_simulation_is_a_random_move():
    game = load_game(DOMINEERING)
    program = Program(game, Uct(simulations=1))
    counts = Counter(program.choose([], seed) for seed in range(4000))
    assert sorted(counts) == list(game.position([]).moves)
    assert chisquare(list(counts.values())).pvalue > 1e-3


@levels(
    ("board", "opening"),
    [(DOMINEERING, ())],
    slow=[(BREAKTHROUGH, ()), ("atari-go:5x5", ("C3",))],
)
def test_seeds_treat_moves_alike_that_the_board_does(board, opening):
    game = load_game(board)
    history = [game.parse_move(name) for name in opening]
    program = Program(game, Uct(simulations=300))
    moves = game.position(history).moves
    counts = Counter(program.choose(history, seed) for seed in range(6000))
    orbits = {
        frozenset({move, *(int(s.moves[move]) for s in game.rules.symmetries)}) for move in moves
    }
    assert max(map(len, orbits)) > 1
    for orbit in orbits:
        found = [counts[move] for move in sorted(orbit)]
        if len(found) > 1 and sum(found) >= 20 * len(found):
            assert chisquare(found).pvalue > 1e-4
    # Over all moves they are far from uniform: the seeds do not just play at random.
    assert chisquare([counts[move] for move in moves]).pvalue < 1e-9
