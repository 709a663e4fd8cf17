"""Breakthrough: the number of lines by OpenSpiel, and games that end without a pawn."""

import random

import pyspiel
import pytest
from walking import count_lines

from seedfolio.games import load_game

GAME = load_game("breakthrough:5x5,pawn_rows=1")


def oracle_perft(state, depth):
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(oracle_perft(state.child(action), depth - 1) for action in actions)


def test_number_of_longer_lines_on_the_smallest_board():
    # Five moves reach the far row of five, with captures on the way.
    oracle = pyspiel.load_game("breakthrough(rows=5,columns=5)").new_initial_state()
    assert count_lines(GAME)(5) == oracle_perft(oracle, 5)


def test_capturing_the_last_pawn_wins():
    # Found by random play that always captures when it can: the second player runs out of pawns
    # before anybody reaches the far row.
    for seed in range(2000):
        draw = random.Random(seed)
        history = []
        while moves := GAME.position(history).moves:
            pawns = (GAME.position(history).cells > 0).sum()
            captures = [m for m in moves if (GAME.position([*history, m]).cells > 0).sum() < pawns]
            history.append(draw.choice(captures or moves))
        end = GAME.position(history)
        if not (end.cells == 2).any() and not (end.cells[-5:] == 1).any():
            assert end.score == 2
            return
    pytest.fail("no game ended by capturing every pawn")


def test_pawns_stand_on_their_rows():
    assert GAME.draw().splitlines()[1:6:4] == [" 5 O O O O O 5", " 1 X X X X X 1"]
