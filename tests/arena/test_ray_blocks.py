"""The driver of a cluster: how it cuts blocks, and what no cluster here can show."""

import pickle
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
import ray

from seedfolio.arena import Block
from seedfolio.arena.processes import Voids
from seedfolio.arena.ray import blocks, cluster
from seedfolio.arena.ray.blocks import IN_FLIGHT, WAITING, Driver, Job, Pace, Piece, _Call
from seedfolio.arena.ray.cluster import Node
from seedfolio.arena.ray.worker import Done, Failure, Order, versions
from seedfolio.engines.endings import Ending
from seedfolio.errors import ClusterError, EngineError, SpecificationError

CELLS = 400
NO_ANSWER = Failure("EngineError", "bot: no answer to genmove")
NO_DEVICE = Failure("CudaError", "there is no CUDA device (no driver)")
ORDER = Order(SimpleNamespace(key="key"), "digest")
JOB = Job(ORDER)
Playing = Callable[[np.ndarray, bool], Failure | str | None] | None
"""Returns how a node fails on these rows, on a GPU or not, if it does."""


def call(total):
    return _Call(Job(ORDER), *(np.arange(total, dtype=np.uint64),) * 2, deque([Piece(0, total)]))


def test_blocks_grow_to_a_second_shrink_towards_the_end_and_are_cut_again():
    pieces, pace, sizes = call(100_000), Pace(), []
    while (piece := pieces.take(pace, slots=2)) is not None:
        sizes.append(len(piece))
        pace.note(len(piece), len(piece) / 5000)  # 5000 cells a second
    assert (sizes[:4], max(sizes)) == ([1, 8, 64, 512], 5000)
    assert sizes[-1] <= 250
    assert sizes.index(5000) < 10
    pace = Pace()  # of a large cluster: blocks take longer
    for _ in range(9):
        pace.note(8000, 8.0)
    assert [pace.size(10**9, slots=slots) for slots in (100, 1000)] == [1000, 5000]
    pieces, pace = call(0), Pace()
    pace.note(10, 1.0)
    pieces.waiting = deque([Piece(100, 400)])
    assert pieces.take(pace, slots=1) == Piece(100, 110)
    pieces.waiting.appendleft(Piece(0, 50, failed=("a",)))
    assert pieces.take(pace, slots=1) == Piece(0, 50, failed=("a",)), "it has failed as a whole"


@dataclass(eq=False)
class Answer:
    """What a task answers, and after how many looks."""

    value: object
    looks: int = 0


class Nodes:
    """Nodes with one core and some GPUs, which may fail; each block goes to the next one."""

    def __init__(self, gpus=0, **playing):
        self._playing, self._gpus, self._turn = playing, gpus, count()
        self.failed: list[str] = []
        """The nodes that have failed."""
        self.gone: set[str] = set()

    def nodes(self):
        names = [name for name in self._playing if name not in self.gone]
        return [Node(name, f"node {name}", 1, self._gpus) for name in names]

    def submit(self, arguments, *, only=None, without=(), memory=0, gpu=False):
        fitting = [name for name in self._playing if name not in {*without, *self.gone}]
        if not fitting:
            return Answer(None, 10**9)
        if only is not None:
            return Answer((only, None))
        node = fitting[next(self._turn) % len(fitting)]
        _, order, (rows, columns), *_ = arguments
        assert pickle.loads(order) == ORDER
        playing = self._playing[node]
        failure = None if playing is None else playing(rows, gpu)
        if failure is not None:
            self.failed.append(node)
            return Answer((node, failure))
        block = Block(rows, columns, np.zeros(len(rows), np.uint8))
        return Answer((node, Done((block,), 0.01)))


def ready(answers, num_returns, timeout):
    for each in answers:
        each.looks -= timeout > 0
    return [each for each in answers if each.looks < 0], []


class Clock:
    now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds

    def wait(self, answers, num_returns, timeout):
        found, _ = ready(answers, num_returns, timeout)
        self.now += 0 if found else timeout
        return found, []


@pytest.fixture
def without_ray(monkeypatch):
    monkeypatch.setattr(ray, "wait", ready)
    monkeypatch.setattr(ray, "get", lambda answer: answer.value)


def play(driver, job=JOB):
    """Play cells with the numbers from 0 on; each must come once."""
    seeds = np.arange(CELLS, dtype=np.uint64)
    played = np.zeros(CELLS, np.int64)
    for done in driver.play(job, seeds, seeds):
        for block in done.blocks:
            played[block.rows] += 1
    assert (played == 1).all()


def test_the_blocks_of_a_node_that_is_left_out_are_played_elsewhere(without_ray):
    notes, at_work = [], []
    nodes = Nodes(a=None, b=lambda rows, gpu: "its sample games differ")
    driver = Driver(nodes, notes.append, at_work.append)
    play(driver)
    assert notes == ["node b is left out: its sample games differ"]
    assert at_work[-1] == "1 node, 1 core"
    failed = len(nodes.failed)
    play(driver)
    assert len(nodes.failed) == failed, "it is asked no more"


def test_a_piece_goes_to_the_last_node_even_if_it_has_failed_there(clock):
    def fails(rows, gpu):
        if 7 in rows and not nodes.gone:
            nodes.gone.add("b")  # the only other node
            return NO_ANSWER
        return None

    nodes = Nodes(a=fails, b=None)
    play(Driver(nodes))
    assert nodes.failed == ["a"]


def fails_at_7(rows, gpu):
    return NO_ANSWER if 7 in rows else None


def test_an_engine_that_fails_twice_is_asked_again_and_rules_that_raise_are_not(without_ray):
    failures = [NO_ANSWER, NO_ANSWER]
    nodes = Nodes(a=lambda rows, gpu: failures.pop() if 7 in rows and failures else None)
    play(Driver(nodes))
    failures += [Failure("SpecificationError", "the rules raise")]
    with pytest.raises(SpecificationError, match="the rules raise"):
        play(Driver(nodes))
    assert nodes.failed == ["a", "a", "a"]


def test_an_engine_that_always_fails_stops_at_the_third_time_on_other_nodes(without_ray):
    nodes = Nodes(a=fails_at_7, b=fails_at_7, c=None)
    play(Driver(nodes))
    assert len(nodes.failed) == len({*nodes.failed}), "a node was asked twice"
    nodes = Nodes(a=fails_at_7, b=fails_at_7)
    with pytest.raises(ClusterError) as raised:
        play(Driver(nodes))
    assert ({*nodes.failed[:2]}, len(nodes.failed)) == ({"a", "b"}, 3)
    for said in ("failed 3 times, on node ", "node a", "node b", "no answer to genmove; look"):
        assert said in str(raised.value)


def test_a_block_whose_workers_die_stops_with_one_line(without_ray, monkeypatch):
    play(driver := Driver(Nodes(a=None)))
    monkeypatch.setattr(blocks, "_answer", lambda reference: RuntimeError("The worker\ndied."))
    with pytest.raises(ClusterError, match="failed 3 times, the last time with: The worker died"):
        play(driver)


def test_a_node_where_all_engines_fail_is_left_out(without_ray):
    notes: list[str] = []
    driver = Driver(Nodes(a=None, b=lambda rows, gpu: NO_ANSWER), note=notes.append)
    for _ in range(6):  # a few blocks each
        play(driver)
    assert notes == [
        "node b is left out: its last 6 blocks failed, the last one with: bot: no answer to genmove"
    ]


def test_cores_play_where_the_gpu_cannot_and_one_note_says_so(without_ray):
    notes, at_work = [], []
    nodes = Nodes(gpus=2, a=None, b=lambda rows, gpu: NO_DEVICE if gpu else None)
    play(Driver(nodes, notes.append, at_work.append), Job(ORDER, gpus=True))
    assert notes == ["node b: there is no CUDA device (no driver); its cores play instead"]
    assert at_work[-1] == "2 nodes, 2 cores, 2 GPUs"
    play(Driver(nodes))
    assert len(nodes.failed) <= 2 * IN_FLIGHT, "an engine needs no GPU"


class OneGpu(Nodes):
    """Nodes of which one has a GPU, which is soon gone."""

    def nodes(self):
        return [Node(each.id, each.name, 1, int(each.id == "g")) for each in super().nodes()]

    def submit(self, arguments, *, gpu=False, **options):
        if gpu:
            self.gone.add("g")
            return Answer(None, 10**9)
        return super().submit(arguments, gpu=gpu, **options)


def test_cores_play_the_blocks_of_a_gpu_that_is_gone(clock):
    nodes = OneGpu(a=None, g=None)
    play(Driver(nodes), Job(ORDER, gpus=True))
    assert nodes.gone


def test_void_games_are_an_error_again_and_again():
    voids = Voids()
    voids.count(SimpleNamespace(ending=Ending.NORMAL))
    voids.count(SimpleNamespace(ending=Ending.VOID))
    for _ in range(2):  # the second time for another block of the same node
        with pytest.raises(EngineError, match="two games in a row failed: no answer"):
            voids.count(SimpleNamespace(ending=Ending.VOID, detail="no answer"))


class WaitingNodes(Nodes):
    def __init__(self, *answers, memory=float("inf")):
        super().__init__()
        self._nodes = [Node(str(k), f"node {k}", 2, 0, memory) for k in range(len(answers))]
        self._answers = answers

    def nodes(self):
        return self._nodes

    def submit(self, arguments, *, only=None, **options):
        here, order = arguments
        assert (here, order) == (versions(), None)
        answer = self._answers[int(only)]
        return Answer((only, answer.value), answer.looks)


@pytest.fixture
def clock(without_ray, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(ray, "wait", clock.wait)
    monkeypatch.setattr("seedfolio.arena.ray.blocks.time", clock)
    return clock


def gathered(clock, nodes):
    """Gather as after a command has begun; return what is noted within 30 s."""
    notes: list[str] = []
    driver = Driver(nodes, note=notes.append)
    try:
        driver.gather(cluster._SECONDS)
    finally:
        assert clock.now < 30
    return driver, notes


def test_no_node_and_none_that_answers_are_one_sentence_within_30_seconds(clock):
    with pytest.raises(ClusterError, match="no node with a core to play on; start one with: ray"):
        gathered(clock, WaitingNodes())
    assert clock.now > 20, "nodes that join now would have been welcome"
    clock.now = 0.0
    _, notes = gathered(clock, WaitingNodes(Answer(None, 10**9)))
    assert notes == [WAITING], "it still waits for them"


def test_too_little_memory_is_fewer_games_at_once_or_one_sentence_before_compiling(clock):
    driver, _ = gathered(clock, WaitingNodes(Answer(None), memory=2**20))
    driver.need_memory(2**20)
    with pytest.raises(ClusterError, match=r"it has 1.0 MiB of memory, and a game needs 2.0 MiB"):
        driver.need_memory(2**21)
    node = Node("a", "node a", 8, memory=2**30)
    assert [node.at_once(memory) for memory in (0, 2**20, 2**28, 2**30)] == [8, 8, 4, 1]


@pytest.mark.parametrize("signal", [KeyboardInterrupt, GeneratorExit])
def test_a_signal_inside_of_ray_is_the_signal_again(signal):
    with pytest.raises(signal), blocks.signals_pass():
        raise SystemError("returned a result with an exception set") from signal()
    with pytest.raises(SystemError), blocks.signals_pass():
        raise SystemError("something else") from ValueError("x")
