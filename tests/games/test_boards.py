"""Boards for people: what lies where, the last move, and colours."""

import pytest

from seedfolio.games import game_kinds, load_game
from seedfolio.games.board import Board, Panel


def names(game, *moves):
    return [game.parse_move(move) for move in moves]


def test_dominoes_of_both_sides_differ():
    game = load_game("domineering:4x4")
    assert game.draw(names(game, "a1a2", "b3c3")).splitlines()[2:5] == [
        " 3 . H H . 3",
        " 2 V . . . 2",
        " 1 V . . . 1",
    ]


def test_the_picture_is_taken_where_the_cells_are():
    game = load_game("domineering:4x4")
    history = []
    while moves := game.position(history).moves:
        history.append(moves[len(history) % len(moves)])
        seen = game.picture(history)
        assert [bool(cell) for cell in seen] == [bool(c) for c in game.position(history).cells]
    assert {1, 2} <= set(seen)


def test_the_last_move_is_marked_and_colours_do_not_move_anything():
    board = Board(2, 3, ".XO")
    assert board.draw([1, 0, 0, 0, 2, 2], [0]).splitlines()[1:3] == [" 2 . O O 2", " 1[X]. . 1"]
    assert board.draw([1, 0, 0, 0, 2, 2], [4, 5]).splitlines()[1] == " 2 .[O O]2"
    # What a pawn has left is empty; two marks side by side keep apart.
    assert board.draw([1, 0, 0, 0, 2, 2], [3, 4]).splitlines()[1] == " 2(. O]O 2"
    assert board.draw([1, 0, 0, 0, 2, 2], [2, 4]).splitlines()[1:3] == [" 2 .[O]O 2", " 1 X .(.)1"]
    board = Board(2, 2, ".XO")
    plain = board.draw([1, 0, 0, 2], [3])
    painted = board.draw([1, 0, 0, 2], [3], lambda content, glyph: f"<{content}{glyph}>")
    assert painted.replace("<0.>", ".").replace("<1X>", "X").replace("<2O>", "O") == plain


@pytest.mark.parametrize(
    ("move", "cells"),
    [
        *(("a1", (0,)), ("b2a1", (4, 0)), ("B2", (4,)), ("a1-b2", (0, 4))),
        *((no_cell, ()) for no_cell in ("pass", "d1", "a3")),
    ],
)
def test_the_cells_that_a_move_names(move, cells):
    assert Board(2, 3, ".XO").cells_of(move) == cells


def test_numbers_without_a_board_have_no_cells():
    panel = Panel.of_numbers("mine", most=3)
    assert panel.cells_of("a1") == ()
    assert panel.draw([2], [0], lambda content, glyph: "?") == "mine  2"


@pytest.mark.parametrize("kind", game_kinds(), ids=lambda kind: kind.name)
def test_every_game_explains_its_moves(kind):
    rules = kind().rules
    assert rules.how_to_move.endswith(".")
    assert rules.how_to_move.startswith(("A move is ", "A heap is "))
