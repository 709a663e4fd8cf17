"""Hex against OpenSpiel, and its random games, which fill the board."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pyspiel
import pytest
from hex_walks import mean_scores, replay_with, traces_with
from scipy.stats import chisquare
from test_havannah import named, oracle_game

from seedfolio.core.randomness import mix
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.hex.board import HexBoard
from seedfolio.games.hex.grid import hex_grid
from seedfolio.games.hex.hex import hex_fill

SIZES = range(3, 12)
BOARD = "hex:3x3,swap=1"
sizes = pytest.mark.parametrize(
    "size",
    [pytest.param(s, marks=pytest.mark.slow if s == 3 else pytest.mark.long) for s in SIZES],
)


def check_random_games(size: int, seeds: range) -> set[int]:
    game = load_game(f"hex:{size}x{size}")
    oracle = pyspiel.load_game(f"hex(board_size={size})")
    replay = replay_with(game)
    found = set()
    for seed in seeds:
        # Our rows have one number more than cells.
        history, legal, score = oracle_game(oracle, seed, lambda a: a + a // size)
        assert replay(history, legal) == (-1, score), (size, seed)
        found.add(score)
    return found


@sizes
def test_random_games_ply_by_ply(size: int) -> None:
    assert check_random_games(size, range(1000 if size == 3 else 20_000)) == {0, 2}


@sizes
def test_filled_boards_have_the_winner_of_the_rules(size: int) -> None:
    wrong, points = traces_with(load_game(f"hex:{size}x{size}"))(20_000)
    assert wrong == -1
    assert points > 0


@pytest.mark.long
def test_filled_boards_are_as_random_as_games() -> None:
    game = load_game(BOARD)
    for opening in ([], named(game, "a1")):
        rolled, played = mean_scores(game, opening, 40_000)
        assert abs(rolled - played) < 4 * (2 / 40_000) ** 0.5


def test_the_mover_gets_any_half_of_the_cells() -> None:
    share = hex_fill(hex_grid(HexBoard.rhombus(3))).share
    free = (0, 1, 4, 6, 9)
    empty = np.uint64(sum(1 << cell for cell in free))
    shares = [share(empty, np.uint64(mix(np.uint64(n))), 0) for n in range(20_000)]
    assert all(int(one) | int(other) == int(empty) and not one & other for one, other in shares)
    counts = Counter(int(one) for one, _ in shares)
    assert {*counts} == {sum(1 << cell for cell in three) for three in combinations(free, 3)}
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_the_board_is_drawn_as_players_know_it() -> None:
    game = load_game(BOARD)
    assert game.draw(named(game, "a1 c3")).splitlines() == [
        "  a b c",
        " 1 X . .",
        "  2 . . .",
        "   3 . . O",
    ]


@pytest.mark.parametrize("options", ["2x2", "12x12", "5x6", "5x5,swap=2"])
def test_boards_that_cannot_be(options: str) -> None:
    with pytest.raises(SpecificationError, match=r"^hex"):
        load_game(f"hex:{options}")
