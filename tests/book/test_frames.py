"""Books under symmetries that are not their own inverses: rotations of a square board."""

import numpy as np
import pytest

from seedfolio.core.compiler import compiled
from seedfolio.games import load_game
from seedfolio.players.books.frames import frame_functions
from seedfolio.players.lookup import symmetry_tables


@pytest.mark.parametrize(
    "board", ["atari-go:5x5", pytest.param("phantom-go:5x5", marks=pytest.mark.slow)]
)
def test_a_move_of_the_book_comes_back_to_the_board(board):
    """Into the book and out again is the same move, or another that the symmetries so far allow."""
    game = load_game(board)
    images, origins = symmetry_tables(game)
    assert (images != origins).any(), "rotations by a quarter are needed"
    frames = frame_functions(game)
    opened, follow = frames["open_frame"], frames["follow"]
    inward, turned_back = frames["inward"], frames["turned_back"]

    @compiled
    def walk(arm, line, book, out):
        frame, key = opened(arm, book), np.uint64(0)
        for turn in range(len(line)):
            inside = inward(frame, line[turn])
            outside = turned_back(frame, inside, arm, turn)
            out[turn, 0], out[turn, 1] = inside, outside
            out[turn, 2] = inward(frame, outside)
            frame, key = follow(frame, key, line[turn], turn % 2)

    names = game.rules.move_names
    line = np.array([names.index(name) for name in ("A1", "B1", "D2", "C4", "E3")])
    out = np.zeros((len(line), 3), np.int64)
    in_book = set()
    for turned in images[:, line].astype(np.int64):
        for arm in range(10):
            walk(np.uint64(arm), turned, np.ones(1, np.uint64), out)
            in_book.add(tuple(out[:, 0]))
            assert (out[:, 2] == out[:, 0]).all()
            assert (out[2:, 1] == turned[2:]).all()  # the first two moves leave one symmetry
    if not game.rules.hides:
        assert len(in_book) == 1, "all images of a game are one line of the book"
    if board == "atari-go:5x5":  # the centre leaves all symmetries, and each turn draws one anew
        corner, middle = names.index("A1"), names.index("C3")
        drawn = []
        for arm in range(40):
            walk(np.uint64(arm), np.array([corner]), np.ones(1, np.uint64), out)
            first = out[0, 1]
            walk(np.uint64(arm), np.array([middle, corner]), np.ones(1, np.uint64), out)
            drawn.append((first, out[1, 1]))
        assert len({one for one, _ in drawn}) == len({other for _, other in drawn}) == 4
        assert 3 < sum(one == other for one, other in drawn) < 20
