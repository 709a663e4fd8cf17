"""Flat Monte Carlo against a plain second implementation, and what it must find."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from reference_flat import ReferenceFlat
from reference_uct import history_hash
from scipy.stats import chisquare
from sparing import levels
from walking import random_history, winning_moves

from seedfolio.core.randomness import luck_key
from seedfolio.games import load_game
from seedfolio.games.rules import CHANCE
from seedfolio.players.flat import Flat
from seedfolio.players.program import Program

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
DARK = str(EXAMPLES / "dark_three.py")
"""Hidden stones, refused tries, and a coin."""


@levels(
    ("text", "playouts", "switches"),
    [(DARK, 40, {}), (DARK, 7, {})],  # 7 are fewer than there are moves: some get no playout
    slow=[
        (str(EXAMPLES / "three_in_a_row.py"), 50, {}),
        (DARK, 7, {"again": 1, "each": 1}),
        *(("morra:fingers=3", 30, {}), ("pig", 5, {})),
    ],
)
def test_plays_the_same_games_as_the_reference(text, playouts, switches):
    game = load_game(text)
    program = Program(game, Flat(playouts, **switches))
    reference = ReferenceFlat(game, playouts, **switches)
    rows, columns = np.array([[0, 7, 2**40 + 3, 9], [1, 7, 2**63 + 1, 8]], np.uint64)
    scores, hashes = program.play(rows, columns, program.workspace())
    for row, column, score, found in zip(rows, columns, scores, hashes, strict=True):
        luck = int(luck_key(row, column, 0))
        expected, history = reference.play(int(row), int(column), luck)
        assert (int(score), int(found)) == (expected, history_hash(history))


@pytest.mark.slow
def test_after_a_refusal_comes_the_next_of_the_ranking():
    """In games of the dark example, where what is left of a turn's moves keeps its order."""
    game = load_game(DARK)
    program, reference = Program(game, Flat(60)), ReferenceFlat(game, 60)
    refusals = 0
    for seed in range(20):
        history = [game.parse_move("X-begins" if seed % 2 else "O-begins")]
        while (position := game.position(history)).moves:
            state = game.rules.start()
            for move in history:
                state = game.rules.play(state, move)
            if not position.refused:
                turn = len(game.information(history, position.mover).events)
                means = reference.means(state, seed, turn)
            chosen = program.choose(history, seed)
            assert means[chosen] == max(means[move] for move in position.moves)
            refusals += position.refused
            history.append(chosen)
    assert refusals > 10


def surely_wins(game, history, colour):
    """Whether a game is won whatever both do from here on, so that no playout can lose it."""
    position = game.position(history)
    if position.score is not None:
        return position.score == 2 * (1 - colour)
    return all(surely_wins(game, [*history, move], colour) for move in position.moves)


@levels("text", slow=[DARK], long=[str(EXAMPLES / "three_in_a_row.py")])
def test_an_immediate_win_is_taken(text):
    """In the dark where it is known to be one: the other has no stone that was not found."""
    game = load_game(text)
    program = Program(game, Flat(400))
    met = 0
    for seed in range(300):
        for plies in range(3, 12):
            history = random_history(game, seed, plies)
            position = game.position(history)
            if not position.moves or position.mover == CHANCE:
                continue
            wins = winning_moves(game, history)
            seen = game.information(history, position.mover).cells
            if wins and len(wins) < len(position.moves) and (seen == position.cells).all():
                met += 1
                assert surely_wins(game, [*history, program.choose(history, seed)], position.mover)
    assert met >= 20


@pytest.mark.slow
def test_ties_are_drawn_by_the_seed():
    """On one column only the first player can move, so that all its moves win."""
    game = load_game("domineering:8x1")
    moves = game.position([]).moves
    assert len(moves) == 7
    program = Program(game, Flat(14))
    counts = Counter(program.choose([], seed) for seed in range(3000))
    assert sorted(counts) == list(moves)
    assert chisquare(list(counts.values())).pvalue > 1e-3
