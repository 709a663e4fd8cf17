"""Play in numba's simulator of CUDA; run in a process of its own, with NUMBA_ENABLE_CUDASIM=1."""

import pickle
import sys

import numpy as np
from cuda_cases import program_of, with_book
from numba import cuda

from seedfolio import CudaArena, Opponent
from seedfolio.arena.cuda.device import Device
from seedfolio.arena.ray.package import ProgramParcel
from seedfolio.arena.ray.worker import Done, Order, play
from seedfolio.core.cuda_twins import SIMULATED, TWINS, select
from seedfolio.core.words import _select_by_table
from seedfolio.opponents.known import with_opponent
from seedfolio.portfolios.portfolio import Distribution, Portfolio

ROWS = np.array([0, 0, 1, 2, 2**64 - 1, 3, 4, 5, 5], np.uint64)[::-1]  # not contiguous
COLUMNS = np.array([0, 0, 1, 1, 5, 7, 2**63, 6, 4], np.uint64)


def compare(game, player, form=""):
    program = program_of(game, player)
    if form == "known":
        arms = Distribution((3, 8, 5), (0.2, 0.4, 0.4))
        known = Opponent(program, Portfolio(arms, arms), "given")
        program = with_opponent(program, known).facing(1)
    if form == "book":
        program = with_book(program)
        compare_where_books_are_left(program)
    else:
        compare_worker(program)
    expected, hashes = program.play(ROWS.copy(), COLUMNS, program.workspace())
    assert len(set(hashes.tolist())) > 1, "these seeds all play the same game"
    # In a block of columns, and in rows, with 3 or 1 threads of a warp that play.
    several = CudaArena(threads=3, batch=3), CudaArena(batch=1), CudaArena(threads=128, batch=4)
    for arena in (CudaArena(), *several):
        blocks = list(arena.play(program, ROWS, COLUMNS))
        for side, all_of_it in (("rows", ROWS), ("columns", COLUMNS), ("results", expected)):
            got = np.concatenate([getattr(block, side) for block in blocks])
            assert np.array_equal(got, all_of_it), (arena, side)
        assert len(blocks) == -(-len(ROWS) // (arena.batch or len(ROWS)))
        assert arena.timing.busy >= 0
    device = Device(program, len(ROWS), None)
    batch = device.launch(0, ROWS, COLUMNS)
    device.finish(batch)
    assert np.array_equal(batch.histories.copy_to_host(), hashes)
    early = CudaArena(batch=2).play(program, ROWS, COLUMNS)
    assert np.array_equal(next(early).results, expected[:2])
    early.close()
    assert list(CudaArena().play(program, ROWS[:0], COLUMNS[:0])) == []


def compare_worker(program):
    order = Order(ProgramParcel.of(program), program.single().behaviour, program.repeats)
    done = play(pickle.dumps(order), (ROWS, COLUMNS), gpu=True)
    assert isinstance(done, Done), done
    expected, _ = program.play(ROWS.copy(), COLUMNS, program.workspace())
    assert np.array_equal(np.concatenate([each.results for each in done.blocks]), expected)


def compare_where_books_are_left(program):
    expected = program.play_noting(ROWS.copy(), COLUMNS, program.workspace()).left
    assert len(np.unique(expected)) > 3, "the book is left at once"
    blocks = list(CudaArena(batch=3).play(program, ROWS, COLUMNS))
    assert np.array_equal(np.concatenate([block.left for block in blocks]), expected)


def compare_picking_bits():
    pick = cuda.jit(TWINS[select](None, None), device=True)
    random = np.random.default_rng(1)
    drawn = random.integers(0, 2**64, (3, 100), np.uint64)
    words = [drawn[0], drawn[0] & drawn[1] & drawn[2], np.uint64(1) << (drawn[0] % np.uint64(64))]
    words.append(np.array([2**64 - 1, 2**32, 2**32 - 1, 2**63], np.uint64))
    checks = [(word, k) for word in np.concatenate(words) for k in range(int(word).bit_count())]
    picked = np.zeros(len(checks), np.int64)

    @cuda.jit
    def pick_all(out):
        for number, (word, rank) in enumerate(checks):
            out[number] = pick(word, rank)

    pick_all[1, 1](picked)
    assert picked.tolist() == [_select_by_table(word, rank) for word, rank in checks]


if __name__ == "__main__":
    assert SIMULATED
    if sys.argv[1:]:
        compare(*sys.argv[1:])
    else:
        compare_picking_bits()
    print("identical")
