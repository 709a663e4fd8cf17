"""A real CUDA device plays the CPU's games: the same results and the same moves, cell by cell.

`make test-gpu` runs this, on a machine with a device. It takes some minutes: every program is
compiled for the device first.
"""

import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from bits_game import bits
from cuda_cases import cases, program_of, with_book
from test_arenas import check_contract

from seedfolio import CudaError, Program, SpecificationError, boost, load_game, load_player
from seedfolio.arena.choice import CudaOrThreads, find_arena
from seedfolio.arena.cuda.arena import CudaArena, why_not_cuda
from seedfolio.arena.ray.package import ProgramParcel
from seedfolio.arena.ray.worker import Done, Order, play

pytestmark = pytest.mark.skipif(why_not_cuda() is not None, reason=str(why_not_cuda()))

# Beyond the small boards: those of the papers, and a tree whose numbers take 32 bits.
LARGE = [
    ("domineering:7x7", "uct:simulations=100"),
    ("breakthrough:8x8", "uct:simulations=30"),
    ("atari-go:7x7", "uct:simulations=30"),
    ("phantom-go:7x7", "flat:playouts=100"),
    ("domineering:3x3", "uct:simulations=3000"),
    ("havannah:base=5", "rave:simulations=100"),
    ("havannah:base=10", "rave:simulations=20"),
    ("hex:11x11", "rave:simulations=50"),
    ("chess", "uct:simulations=100,leaf=evaluation"),
    ("chess", "alphabeta:depth=3"),
]
SIDE = 45
ROWS, COLUMNS = (axis.ravel().astype(np.uint64) for axis in np.indices((SIDE, SIDE)))
assert len(ROWS) >= 2000


def on_cpu(program, rows=ROWS, columns=COLUMNS):
    program.play(rows[:1], columns[:1], program.workspace())  # compiles once
    parts = np.array_split(np.arange(len(rows)), 4 * (os.cpu_count() or 1))

    def play(part):
        return program.play(rows[part], columns[part], program.workspace())

    with ThreadPoolExecutor() as pool:
        played = list(pool.map(play, parts))
    return tuple(np.concatenate([each[k] for each in played]) for k in (0, 1))


def on_gpu(program, rows=ROWS, columns=COLUMNS, threads=None):
    from seedfolio.arena.cuda.device import Device

    device = Device(program, len(rows), threads)
    batch = device.launch(0, rows, columns)
    results, began, ended = device.finish(batch)
    assert ended > began
    return results, batch.histories.copy_to_host()


@pytest.mark.parametrize(("game", "player"), cases() + LARGE)
def test_results_and_moves_are_those_of_the_cpu(game, player):
    program = program_of(game, player)
    expected_results, expected_histories = on_cpu(program)
    assert len(np.unique(expected_histories)) > 1
    for threads in (None, 2048):  # few games a warp, and as many as fit
        results, histories = on_gpu(program, threads=threads)
        assert np.array_equal(histories, expected_histories)
        assert np.array_equal(results, expected_results)


@pytest.mark.parametrize(
    ("game", "player"),
    [
        ("domineering:7x7", "uct:simulations=100"),
        ("phantom-go:5x5", "flat:playouts=100"),
        ("pig", "flat:playouts=40"),
    ],
)
def test_books_are_played_as_by_the_cpu(game, player):
    program = with_book(program_of(game, player))
    rows, columns = ROWS[:300], COLUMNS[:300]
    results, histories = on_gpu(program, rows, columns)
    expected = program.play_noting(rows, columns, program.workspace())
    assert np.array_equal(histories, expected.histories)
    assert np.array_equal(results, expected.results)
    blocks = list(CudaArena(batch=101).play(program, rows, columns))
    assert np.array_equal(np.concatenate([block.left for block in blocks]), expected.left)


@pytest.fixture(scope="module")
def program():
    return program_of("domineering:4x4", "uct:simulations=20")


@pytest.fixture(scope="module")
def sharing():
    """Return a program whose games are shared among lanes, and whose cells are several games."""
    return program_of("pig", "flat:playouts=40")


@pytest.mark.parametrize("which", ["program", "sharing"])
@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"batch": 1},
        {"batch": 7},
        {"batch": 333, "threads": 1},
        {"batch": 1001, "threads": 100},
        {"threads": 5000},
    ],
    ids=str,
)
def test_batches_and_threads_do_not_matter(request, which, sizes):
    program, arena = request.getfixturevalue(which), CudaArena(**sizes)
    expected, most = on_cpu(program)[0].reshape(SIDE, SIDE), 8 if sizes.get("batch") == 1 else SIDE
    check_contract(arena, program, expected[:most, :most])
    assert arena.timing.busy > 0


ARMS = {
    "values of a parameter": {"player": "uct:simulations=20", "vary": "exploration=0.2,1,3"},
    "several players": {"player": ["uct:simulations=20", "rave:simulations=20", "alphabeta"]},
}


@pytest.mark.parametrize("arms", ARMS.values(), ids=ARMS)
def test_arms_of_more_than_a_seed_are_learnt_as_on_the_cpu(arms):
    asked = {"k": 60, "kt": 60, "opponents": 64, "learners": ["nash", "best-seed"], **arms}
    found = [
        boost("breakthrough:5x5", **asked, study=":memory:", arena=arena)
        for arena in ("threads", "cuda")
    ]
    cpu, gpu = (each.as_data() for each in found)
    assert cpu["kinds"]["first"] == gpu["kinds"]["first"]
    assert cpu["rows"] == gpu["rows"]
    for name in asked["learners"]:
        cpu, gpu = (each.portfolios[name] for each in found)
        assert (cpu.first, cpu.second) == (gpu.first, gpu.second)


def test_too_little_memory_is_told_in_one_line(program):
    large = Program(load_game("domineering:8x8"), load_player("uct:simulations=100000"))
    seeds = np.arange(2**20, dtype=np.uint64)
    with pytest.raises(CudaError) as caught:
        next(CudaArena(threads=2**20).play(large, seeds, seeds))
    message = str(caught.value)
    assert message.startswith("the CUDA device has no ")
    assert message.endswith(f" games of {large.title}; play on the CPU with arena threads")
    results = np.concatenate([b.results for b in CudaArena().play(program, ROWS, COLUMNS)])
    assert np.array_equal(results, on_cpu(program)[0])


def test_a_node_of_a_cluster_plays_on_its_gpu():
    program = program_of("domineering:4x4", "uct:simulations=30")
    order = pickle.dumps(Order(ProgramParcel.of(program), program.behaviour))
    for _ in range(3):
        done = play(order, (ROWS, COLUMNS), gpu=True)
        assert isinstance(done, Done), done
        results = np.concatenate([block.results for block in done.blocks])
        assert np.array_equal(results, on_cpu(program)[0])


@pytest.mark.parametrize("player", ["table", "uct:simulations=5", "flat:playouts=50"])
def test_rules_that_raise_are_told_as_by_the_cpu(player, tmp_path):
    program = bits(tmp_path, "assert state[0] < 5; return 2 * (state[0] % 2)", player)
    with pytest.raises(SpecificationError, match="the rules raise AssertionError") as caught:
        list(CudaArena().play(program, ROWS, COLUMNS))
    assert not isinstance(caught.value, CudaError)


def test_what_cannot_be_compiled_is_played_on_the_cpu(tmp_path):
    sorting = "seen = [state[0], state[1]]; seen.sort(); return 2 * (state[0] % 2)"
    program = bits(tmp_path, sorting, "table")
    with pytest.raises(CudaError, match="does not compile for CUDA: Unknown attribute 'sort'"):
        list(CudaArena().play(program, ROWS, COLUMNS))
    notes: list[str] = []
    arena = find_arena("auto", None, notes.append)
    assert isinstance(arena, CudaOrThreads)
    assert sum(len(b.rows) for b in arena.play(program, ROWS, COLUMNS)) == len(ROWS)
    assert len(notes) == 1
    assert notes[0].endswith("; this is played on the CPU instead")
