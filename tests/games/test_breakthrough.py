"""Breakthrough against OpenSpiel, whose first player starts at the top: ranks are turned over."""

from __future__ import annotations

import random
import re
from typing import Any

import pyspiel
import pytest
from walking import count_lines, names

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game

SIZES = [(rows, columns) for rows in range(5, 9) for columns in range(5, 9)]


def ours(rows: int, columns: int) -> Game:
    # OpenSpiel gives each side one row of pawns on boards of less than six rows.
    return load_game(f"breakthrough:{rows}x{columns},pawn_rows={1 if rows < 6 else 2}")


def oracle(rows: int, columns: int) -> Any:
    return pyspiel.load_game(f"breakthrough(rows={rows},columns={columns})").new_initial_state()


def turned(name: str, rows: int) -> str:
    """OpenSpiel's name of a move (`a5b4*` for a capture) as ours (`a1b2`)."""
    return re.sub(r"\d+", lambda rank: str(rows + 1 - int(rank[0])), name.rstrip("*"))


def legal(state: Any, rows: int) -> dict[str, int]:
    player = state.current_player()
    return {turned(state.action_to_string(player, a), rows): a for a in state.legal_actions()}


def oracle_perft(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(oracle_perft(state.child(action), depth - 1) for action in actions)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_number_of_lines_from_the_start(rows: int, columns: int) -> None:
    perft = count_lines(ours(rows, columns))
    for depth in (1, 2, 3):
        assert perft(depth) == oracle_perft(oracle(rows, columns), depth)


@pytest.mark.slow
def test_number_of_longer_lines_on_the_smallest_board() -> None:
    # Six moves reach the far row of five, with captures on the way.
    assert count_lines(ours(5, 5))(6) == oracle_perft(oracle(5, 5), 6)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        size if size in ((5, 5), (6, 7), (8, 8)) else pytest.param(*size, marks=pytest.mark.long)
        for size in SIZES
    ],
)
def test_random_games_move_by_move(rows: int, columns: int) -> None:
    game = ours(rows, columns)
    winners = set()
    for seed in range(60):
        draw = random.Random(seed)
        state, history = oracle(rows, columns), list[int]()
        while not state.is_terminal():
            position = game.position(history)
            actions = legal(state, rows)
            assert position.mover == state.current_player()
            assert names(game, position.moves) == sorted(actions)
            name = draw.choice(sorted(actions))
            state.apply_action(actions[name])
            history.append(game.parse_move(name))
        end = game.position(history)
        assert end.moves == ()
        assert end.score == state.returns()[0] + 1
        winners.add(end.score)
    assert winners == {0, 2}


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
    drawing = load_game("breakthrough:6x5").draw()
    assert drawing.splitlines()[1:7] == [
        " 6 O O O O O 6",
        " 5 O O O O O 5",
        " 4 . . . . . 4",
        " 3 . . . . . 3",
        " 2 X X X X X 2",
        " 1 X X X X X 1",
    ]


@pytest.mark.parametrize("board", ["4x5", "5x9", "5x5,pawn_rows=3", "6x6,pawn_rows=0"])
def test_boards_that_cannot_be(board: str) -> None:
    with pytest.raises(SpecificationError, match=r"^breakthrough: "):
        load_game(f"breakthrough:{board}")
