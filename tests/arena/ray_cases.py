"""What tests with a Ray cluster share: a driver in this process, and what it plays there."""

import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from needed import missing
from waiting import PATIENCE

from seedfolio import load_program

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def need_ray():
    """Skip a test without Ray, and say why; with CI=true that is a failure."""
    if find_spec("ray") is None:  # not loaded: that takes the environment as it is then
        missing("Ray is not installed: pip install ray")


@contextmanager
def ray_arena(nodes, notes=None, at_work=None):
    from seedfolio import RayArena

    arena = RayArena(
        nodes.address,
        note=print if notes is None else notes.append,
        at_work=print if at_work is None else at_work.append,
    )
    with arena:
        yield arena


def square(arms):
    seeds = np.arange(arms, dtype=np.uint64)
    return np.repeat(seeds, arms), np.tile(seeds, arms)


def matrix(arena, program, arms):
    found = np.full((arms, arms), 255, np.uint8)
    for block in arena.play(program, *square(arms)):
        assert (found[block.rows, block.columns] == 255).all(), "a cell came twice"
        found[block.rows, block.columns] = block.results
    return found


def play_until(arena, happened, program=None):
    """Play in one call with blocks for every free core until something has happened."""
    program = program or load_program("nim", "flat:playouts=20000")  # some 20 ms, and no memory
    deadline = time.monotonic() + PATIENCE
    for _ in arena.play(program, *square(300)):
        if happened():
            return
        assert time.monotonic() < deadline, f"not after {PATIENCE} seconds"
