"""What rules or CUDA cannot do is told in one line that tells where, or is done on the CPU."""

import numpy as np
import pytest
from bits_game import LINE, bits, failing_cells
from case_files import programs
from cuda_cases import need_numba_cuda, ptx_of
from waiting import ran

from seedfolio import CudaError, Program, SpecificationError, ThreadArena, load_game, load_player
from seedfolio.arena import Block
from seedfolio.arena.choice import CudaOrThreads, find_arena
from seedfolio.arena.cuda.arena import CudaArena, why_not_cuda

WAY_OUT = "; play on the CPU with arena threads"
SEEDS = np.arange(23, dtype=np.uint64)

SORTS_A_LIST = "seen = [state[0], state[1]]; seen.sort(); return 2 * (seen[0] % 2)"
RAISES = "assert state[0] < 4; return 2 * (state[0] % 2)"


@pytest.fixture(scope="module")
def program():
    return Program(load_game("nim"), load_player("table"))


WITHOUT_NUMBA_CUDA = programs(__file__)[0]


def test_without_numba_cuda_nothing_of_it_is_loaded():
    done = ran("-c", WITHOUT_NUMBA_CUDA)
    assert done.stdout.splitlines() == [
        "ThreadArena",
        f"CUDA needs the extra gpu of Seedfolio: pip install 'seedfolio[gpu]'{WAY_OUT}",
        "False",
    ]


def test_no_device_is_told_in_one_line(tmp_path):
    # A driver that is not there, so that it is the same where there is one.
    hidden = {"NUMBA_CUDA_DRIVER": str(tmp_path / "libcuda.so"), "CUDA_VISIBLE_DEVICES": ""}
    words = ["-m", "seedfolio", "boost", "nim", "--arena", "cuda"]
    done = ran(*words, cwd=tmp_path, environ=hidden)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.endswith(f"{WAY_OUT}\n")
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir()), "nothing was begun"


def test_arenas_by_name():
    notes: list[str] = []
    if why_not_cuda() is not None:
        assert (find_arena("auto", None, notes.append), notes) == (ThreadArena(), [])
    for name in ("auto", "threads"):
        assert find_arena(name, 3, print) == ThreadArena(3)
    assert find_arena("threads", None, print) == ThreadArena()
    with pytest.raises(SpecificationError, match="unknown arena 'gpu'; `arena` must be auto"):
        find_arena("gpu", None, print)
    with pytest.raises(SpecificationError, match="`threads` is for the arena threads"):
        find_arena("cuda", 2, print)


@pytest.mark.parametrize("arena", [CudaArena, ThreadArena])
def test_impossible_arenas_are_refused(arena):
    for sizes in ({"threads": 0}, {"batch" if arena is CudaArena else "block": 0}):
        with pytest.raises(SpecificationError, match="1 or more, not"):
            arena(**sizes)


class Failing:
    """An arena that plays the first cells and then fails, as a device might."""

    def __init__(self, good):
        self.good, self.asked = good, 0

    def play(self, program, rows, columns):
        self.asked += 1
        for first in range(0, self.good, 5):
            cells = slice(first, min(first + 5, self.good))
            results, _ = program.play(rows[cells], columns[cells], program.workspace())
            yield Block(rows[cells], columns[cells], results)
        raise CudaError("the device has gone")


@pytest.mark.parametrize("good", [0, 7])
def test_threads_play_what_the_device_cannot(program, good):
    notes: list[str] = []
    failing = Failing(good)
    arena = CudaOrThreads(failing, ThreadArena(1, block=4), notes.append)
    expected, _ = program.play(SEEDS, SEEDS, program.workspace())
    for _ in range(2):
        blocks = list(arena.play(program, SEEDS, SEEDS))
        played = {int(r): int(p) for b in blocks for r, p in zip(b.rows, b.results, strict=True)}
        assert sum(len(block.rows) for block in blocks) == len(SEEDS)
        assert [played[int(seed)] for seed in SEEDS] == expected.tolist()
    assert failing.asked == 1, "what has failed is not tried again"
    assert notes == ["the device has gone; this is played on the CPU instead"]


def test_errors_of_the_rules_are_not_the_devices(tmp_path):
    program = bits(tmp_path, RAISES, "table")
    notes: list[str] = []
    arena = CudaOrThreads(ThreadArena(1), ThreadArena(1), notes.append)
    with pytest.raises(SpecificationError, match="the rules raise AssertionError"):
        list(arena.play(program, SEEDS, SEEDS))
    assert notes == []


@pytest.mark.slow
def test_what_does_not_compile_is_told_in_one_line(tmp_path):
    need_numba_cuda()
    from seedfolio.arena.cuda.device import not_compiled

    program = bits(tmp_path, SORTS_A_LIST, "table")
    assert set(program.play(SEEDS, SEEDS, program.workspace())[0]) <= {0, 2}, "the CPU can play it"
    with pytest.raises(Exception, match="sort") as caught:
        ptx_of(program, (9, 0))
    assert str(not_compiled(program, caught.value)) == (
        "bits, table:noise=0 does not compile for CUDA: Unknown attribute 'sort' of type "
        f"list(int64)<iv=None> (line {LINE} of bits.py){WAY_OUT}"
    )


def test_a_thread_that_the_rules_ended_is_found(tmp_path):
    need_numba_cuda()
    from seedfolio.arena.cuda.device import check_finished

    program = bits(tmp_path, RAISES, "table")
    assert ".entry" in ptx_of(program, (9, 0)), "rules that may raise can be compiled all the same"
    failing = failing_cells(program, SEEDS, SEEDS)
    assert 0 < len(failing) < len(SEEDS)
    check_finished(program, SEEDS, SEEDS, np.full(4, -1))
    with pytest.raises(SpecificationError) as caught:
        check_finished(program, SEEDS, SEEDS, np.array([-1, failing[-1], -1, failing[0]]))
    assert not isinstance(caught.value, CudaError)
    assert f"and seeds {failing[0]} and {failing[0]}" in str(caught.value)
    sound = next(cell for cell in range(len(SEEDS)) if cell not in failing)
    with pytest.raises(CudaError, match="does not finish games of bits"):
        check_finished(program, SEEDS, SEEDS, np.array([sound, -1]))


SCORE = """
        if state[0] > 4:
            raise Unlucky("too many\\nones")
        return 2 * (state[0] % 2)"""
"""The rules cannot stand a game of five ones."""
ROWS, COLUMNS = (axis.ravel() for axis in np.indices((20, 20)).astype(np.uint64))


@pytest.fixture(scope="module")
def raising(tmp_path_factory):
    return bits(tmp_path_factory.mktemp("games"), SCORE, "uct:simulations=1")


def message(raising, where):
    return (
        f"bits: the rules raise Unlucky: too many ones, with {raising.player.text} and {where}; "
        f"correct line {LINE + 2} of {raising.game.source}"
    )


def test_the_message_names_the_game_the_seeds_and_the_line(raising):
    failing = failing_cells(raising, ROWS, COLUMNS)
    assert 0 < failing[0] < failing[-1] < len(ROWS), "this needs sound games before the first"
    expected = [message(raising, f"seeds {ROWS[cell]} and {COLUMNS[cell]}") for cell in failing]
    with pytest.raises(SpecificationError) as caught:
        raising.play(ROWS, COLUMNS, raising.workspace())
    assert str(caught.value) == expected[0]
    for arena in (ThreadArena(2, block=1), ThreadArena(2, block=64), ThreadArena(2)):
        with pytest.raises(SpecificationError) as caught:
            list(arena.play(raising, ROWS, COLUMNS))
        assert str(caught.value) in expected


# In a process of its own: threads that wait for ever would keep this one from ending.
EVERY_BLOCK_RAISES = programs(__file__)[1]


def test_the_arena_ends_when_every_block_raises(raising):
    done = ran("-c", EVERY_BLOCK_RAISES, raising.game.source)
    assert done.stdout.count("bits: the rules raise Unlucky") == 15


@pytest.mark.parametrize("columns", [COLUMNS[:1], COLUMNS[:0], COLUMNS.reshape(20, 20)])
def test_sides_of_other_lengths_are_refused(raising, columns):
    with pytest.raises(ValueError, match=r"rows of shape \(400,\) against columns of"):
        raising.play(ROWS, columns, raising.workspace())
