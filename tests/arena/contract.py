"""The contract of every arena, as `seedfolio.arena.Arena` states it."""

import numpy as np


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
