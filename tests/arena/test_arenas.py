"""All arenas keep the contract that `seedfolio.arena.Arena` states: each cell once, alike."""

import threading

import numpy as np
import pytest
from external import Kept, program_of, scripted_text, seeded_text
from ray_cases import ray_arena

from seedfolio import ProcessArena, SpecificationError, ThreadArena, load_program

ARMS = 9
ENGINE = {"remember": True, "reuse": True}


def check_contract(arena, program, expected):
    """Play a matrix in the ways that the contract names; `expected` has its results."""
    arms = len(expected)
    seeds = np.arange(arms, dtype=np.uint64)
    rows, columns = np.repeat(seeds, arms), np.tile(seeds, arms)
    nothing = np.zeros(0, np.uint64)
    assert list(arena.play(program, nothing, nothing)) == []
    early = arena.play(program, rows, columns)
    next(early)
    early.close()
    backwards = rows[::-1], columns[::-1]  # arrays that are not contiguous, in another order
    for cells in ((rows, columns), backwards):
        found = np.full_like(expected, 255)
        for block in arena.play(program, *cells):
            assert len(block.rows) == len(block.columns) == len(block.results) > 0
            assert (found[block.rows, block.columns] == 255).all(), "a cell came twice"
            found[block.rows, block.columns] = block.results
            block.results[...] = 9  # the caller may write there
        assert np.array_equal(found, expected)


@pytest.fixture(scope="module")
def program():
    return load_program("domineering:4x4", "uct:simulations=30")


@pytest.fixture(scope="module")
def expected(program):
    space = program.workspace()
    cells = np.indices((ARMS, ARMS)).reshape(2, -1, 1).astype(np.uint64)
    results = [program.play(*cell, space)[0] for cell in zip(*cells, strict=True)]
    return np.concatenate(results).reshape(ARMS, ARMS)


@pytest.mark.parametrize(
    "arena",
    [ThreadArena(1, block=1), ThreadArena(3, block=7), ThreadArena()],
    ids=["one", "three", "all"],
)
def test_arenas_of_built_in_programs(arena, program, expected):
    check_contract(arena, program, expected)


@pytest.fixture
def engine(tmp_path):
    return program_of(tmp_path, seeded_text(tmp_path))


def engine_results(engine):
    """The results of three arms; every game has new engines."""
    found = np.full((3, 3), 255, np.uint8)
    for cell in np.ndindex(3, 3):
        with ProcessArena(engine, games=1, reuse=False) as arena:
            found[cell] = sum(record.points for record in arena.play_cell(*cell, engine))
    return found


def check_engines(arena, engine, tmp_path):
    check_contract(arena, engine, engine_results(engine))
    (tmp_path / "other").mkdir()
    other = program_of(tmp_path / "other", scripted_text(tmp_path / "other", "well"))
    with pytest.raises(SpecificationError, match="this arena plays "):
        next(arena.play(other, *np.zeros((2, 1), np.uint64)))


@pytest.mark.slow
def test_the_arena_of_engines(engine, tmp_path):
    with ProcessArena(engine, games=2, archive=Kept(), **ENGINE) as arena:
        check_engines(arena, engine, tmp_path)


def test_the_arenas_of_a_cluster(nodes, program, expected, engine, tmp_path):
    with ray_arena(nodes) as arena:
        check_contract(arena, program, expected)
        on_ray = arena.for_engine(engine, Kept(), deterministic=True, **ENGINE)
        check_engines(on_ray, engine, tmp_path)


def test_blocks_have_the_size_asked_for_and_stopping_early_ends_the_threads(program):
    seeds = np.arange(120, dtype=np.uint64)
    blocks = ThreadArena(2, block=50).play(program, seeds, seeds)
    assert sorted(len(block.rows) for block in blocks) == [20, 50, 50]
    before = set(threading.enumerate())  # an earlier test may not have ended its own yet
    seeds = np.arange(5000, dtype=np.uint64)
    blocks = ThreadArena(2, block=10).play(program, seeds, seeds)
    next(blocks)
    assert arena_threads() - before
    blocks.close()
    assert not arena_threads() - before


def arena_threads():
    return {each for each in threading.enumerate() if each.name.startswith("arena")}
