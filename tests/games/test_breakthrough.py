"""Breakthrough: the number of lines by OpenSpiel, and games that end without a pawn."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from walking import count_lines

from seedfolio.games import load_game
from seedfolio.games.game import Game


def ours(rows: int, columns: int) -> Game:
    # OpenSpiel gives each side one row of pawns on boards of less than six rows.
    return load_game(f"breakthrough:{rows}x{columns},pawn_rows={1 if rows < 6 else 2}")


def oracle(rows: int, columns: int) -> Any:
    return pyspiel.load_game(f"breakthrough(rows={rows},columns={columns})").new_initial_state()


def oracle_perft(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(oracle_perft(state.child(action), depth - 1) for action in actions)


def test_number_of_longer_lines_on_the_smallest_board() -> None:
    # Five moves reach the far row of five, with captures on the way.
    assert count_lines(ours(5, 5))(5) == oracle_perft(oracle(5, 5), 5)


def test_capturing_the_last_pawn_wins() -> None:
    # Found by random play that always captures when it can: the second player runs out of pawns
    # before anybody reaches the far row.
    game = ours(5, 5)
    for seed in range(2000):
        draw = random.Random(seed)
        history: list[int] = []
        while moves := game.position(history).moves:
            pawns = (game.position(history).cells > 0).sum()
            captures = [m for m in moves if (game.position([*history, m]).cells > 0).sum() < pawns]
            history.append(draw.choice(captures or moves))
        end = game.position(history)
        if not (end.cells == 2).any() and not (end.cells[-5:] == 1).any():
            assert end.score == 2
            return
    pytest.fail("no game ended by capturing every pawn")


def test_pawns_stand_on_their_rows() -> None:
    drawing = load_game("breakthrough:5x5,pawn_rows=1").draw()
    assert drawing.splitlines()[1:6:4] == [" 5 O O O O O 5", " 1 X X X X X 1"]
