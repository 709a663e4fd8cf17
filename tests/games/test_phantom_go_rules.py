"""Phantom Go: the boards that are drawn for what a player knows."""

from itertools import combinations

import numpy as np
import pytest
from knowing import Knowing
from naive_go import NaiveGo

from seedfolio.games import load_game

GAME = load_game("phantom-go:5x5")
HIDDEN = "C2 D2 B3 E3 C4 D4 D3 A5 B1 C3"
"""White takes D3 with C3, and has a stone at A5 that Black does not know of."""
DRAWS = 4000


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("C3 A1 B2 A3 D4 A5", ""),
        (HIDDEN, "D3"),
        (f"{HIDDEN} D3", "D3"),
        (f"{HIDDEN} B5 E5", ""),
        # White was refused at A1 as illegal.
        ("A2 E5 B1 E4 C2 A1", "A1"),
    ],
)
def test_hidden_stones_are_drawn_uniformly_where_they_can_be(text, empty):
    history = [GAME.parse_move(name) for name in text.split()]
    mover = GAME.position(history).mover
    board = GAME.information(history, mover).cells
    free = board == 0
    for row, column in (divmod(GAME.parse_move(name), 6) for name in empty.split()):
        free[5 * row + column] = False
    hidden = np.count_nonzero(GAME.position(history).cells == 2 - mover)
    hidden -= np.count_nonzero(board == 2 - mover)
    assert hidden > 0
    knowing = Knowing(GAME)
    drawn = np.array([knowing.complete(history, key).cells for key in range(DRAWS)])
    others = drawn == 2 - mover
    assert ((drawn == mover + 1) == (board == mover + 1)).all()
    counts = np.count_nonzero(others, axis=0)
    assert (counts[~free & (board == 0)] == 0).all()
    share = shares(board, mover, np.flatnonzero(free), hidden)
    deviation = np.sqrt(DRAWS * share * (1 - share))
    assert (np.abs(counts[free] - DRAWS * share) <= 4.5 * deviation).all()
    assert all(all_live(board == mover + 1, each) for each in others)


def shares(board, mover, free, hidden):
    """How often each free point holds a stone, over all boards on which every chain lives."""
    own, known = board == mover + 1, board == 2 - mover
    count, found = np.zeros(len(free)), 0
    for chosen in combinations(range(len(free)), hidden):
        others = known.copy()
        others[free[list(chosen)]] = True
        if all_live(own, others):
            count[list(chosen)] += 1
            found += 1
    return count / found


def all_live(own, others):
    go = NaiveGo(5)
    go.stones = {divmod(int(p), 5): 0 for p in np.flatnonzero(own)}
    go.stones |= {divmod(int(p), 5): 1 for p in np.flatnonzero(others)}
    return not any(go.chain_without_liberty(stone) for stone in go.stones)
