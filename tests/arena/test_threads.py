"""The thread arena plays the same matrix however the work is cut up."""

import threading

import numpy as np
import pytest

from seedfolio.arena.threads import ThreadArena
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.program import Program


@pytest.fixture(scope="module")
def program():
    return Program(load_game("domineering:4x4"), load_player("uct:simulations=30"))


def play(program, arena, rows, columns):
    matrix = np.full((rows, columns), 255, np.uint8)
    row_at, column_at = (axis.ravel() for axis in np.indices((rows, columns)))
    seeds = (row_at.astype(np.uint64), column_at.astype(np.uint64))
    blocks = list(arena.play(program, *seeds))
    for block in blocks:
        assert (matrix[block.rows, block.columns] == 255).all(), "a cell was played twice"
        matrix[block.rows, block.columns] = block.results
    return matrix, blocks


def test_threads_and_blocks_do_not_change_the_matrix(program):
    expected, _ = play(program, ThreadArena(1, block=1), 24, 17)
    assert set(np.unique(expected)) == {0, 2}
    for arena in (
        ThreadArena(2, block=1),
        ThreadArena(1, block=7),
        ThreadArena(2, block=100),
        ThreadArena(3, block=100_000),
        ThreadArena(),
    ):
        matrix, _ = play(program, arena, 24, 17)
        assert (matrix == expected).all()


def test_blocks_have_the_size_asked_for(program):
    _, blocks = play(program, ThreadArena(2, block=50), 12, 10)
    assert sorted(len(block.rows) for block in blocks) == [20, 50, 50]


def test_no_cells_is_no_work(program):
    nothing = np.zeros(0, np.uint64)
    assert list(ThreadArena(2).play(program, nothing, nothing)) == []


def test_stopping_early_ends_the_threads(program):
    before = set(threading.enumerate())  # an earlier test may not have ended its own yet
    seeds = np.arange(5000, dtype=np.uint64)
    blocks = ThreadArena(2, block=10).play(program, seeds, seeds)
    next(blocks)
    assert arena_threads() - before
    blocks.close()
    assert not arena_threads() - before


def arena_threads():
    return {each for each in threading.enumerate() if each.name.startswith("arena")}


def test_impossible_arenas_are_refused():
    with pytest.raises(SpecificationError, match="`threads` must be 1 or more, not 0"):
        ThreadArena(0)
    with pytest.raises(SpecificationError, match="block must be 1 or more, not 0"):
        ThreadArena(1, block=0)
