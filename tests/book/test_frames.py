"""Books under symmetries that are not their own inverses: rotations of a square board."""

from __future__ import annotations

import numpy as np
import pytest

from seedfolio.games import load_game
from seedfolio.players.books.frames import frame_functions
from seedfolio.players.lookup import symmetry_tables

EMPTY_BOOK = np.ones(1, np.uint64)


@pytest.mark.parametrize("board", ["atari-go:5x5", "phantom-go:5x5"])
def test_a_move_of_the_book_comes_back_to_the_board(board: str) -> None:
    """Into the book and out again is the same move, or another that the symmetries so far allow."""
    game = load_game(board)
    images, origins = symmetry_tables(game)
    assert (images != origins).any(), "rotations by a quarter are needed"
    frames = frame_functions(game)
    moves = [game.rules.move_names.index(name) for name in ("a1", "b1", "d2", "c4", "e3")]
    for arm in range(40):
        frame, key = frames["open_frame"](np.uint64(arm), EMPTY_BOOK), np.uint64(0)
        for turn, move in enumerate(moves):
            inside = frames["inward"](frame, move)
            outside = frames["turned_back"](frame, inside, np.uint64(arm), turn)
            assert frames["inward"](frame, outside) == inside
            if turn > 1:  # the first two moves leave no symmetry but one
                assert outside == move
            frame, key = frames["follow"](frame, key, move, turn % 2)
