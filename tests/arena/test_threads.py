"""What is special about the thread arena; see test_contract for the rest."""

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


def test_blocks_have_the_size_asked_for(program):
    seeds = np.arange(120, dtype=np.uint64)
    blocks = ThreadArena(2, block=50).play(program, seeds, seeds)
    assert sorted(len(block.rows) for block in blocks) == [20, 50, 50]


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
