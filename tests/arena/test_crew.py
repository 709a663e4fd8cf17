"""The driver's bookkeeping where no cluster here can show it: two GPUs, engines that fail."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import ray

from seedfolio.arena.processes import Voids
from seedfolio.arena.ray import cluster
from seedfolio.arena.ray.cluster import Node
from seedfolio.arena.ray.driver import WAITING, Crew, Job
from seedfolio.arena.ray.handshake import versions
from seedfolio.arena.ray.players import Done, Order
from seedfolio.arena.ray.worker import Failure, signals_pass
from seedfolio.engines.endings import Ending
from seedfolio.errors import ClusterError, EngineError, SpecificationError

CELLS = 400
NO_ANSWER = Failure("EngineError", "bot: no answer to genmove")
Failing = Callable[[np.ndarray], Failure | None] | None
"""Returns how a worker fails on these rows, if it does."""


@dataclass(eq=False)
class Answer:
    """What a worker answers, and after how many looks."""

    value: object
    looks: int = 0


class Worker:
    """A worker whose sample games differ, one that is slow to play, or one that fails to."""

    def __init__(self, differs: bool = False, looks: int = 0, failing: Failing = None) -> None:
        self.hello = SimpleNamespace(remote=lambda: Answer(versions()))
        digest = Answer("another" if differs else "ours", 5 if differs else 0)
        self.prepare = SimpleNamespace(remote=lambda parcel: digest)
        self.play = SimpleNamespace(remote=lambda number, order, cells, *more: self._done(cells))
        self.drop = SimpleNamespace(remote=lambda number: None)
        self._looks, self._failing = looks, failing

    def _done(self, cells):
        if self._failing is not None and (failure := self._failing(cells[0])) is not None:
            return Answer(failure, self._looks)
        return Answer(Done(np.zeros(len(cells[0]), np.uint8), 0.01), self._looks)


class Nodes:
    """A node with two GPUs, of which one plays otherwise, and one with a core."""

    def __init__(self) -> None:
        self.started = 0

    def nodes(self):
        return [Node("g", "node gpu", 2, 2), Node("c", "node cpu", 1)]

    def start(self, node, gpu, cores):
        self.started += 1
        return Worker(gpu and self.started == 2, 20 if gpu else 1)


def ready(answers, num_returns, timeout):
    for each in answers:
        each.looks -= timeout > 0
    return [each for each in answers if each.looks < 0], []


class Clock:
    """A clock on which time passes when somebody waits."""

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
    """Answers come from workers of this process."""
    monkeypatch.setattr(ray, "wait", ready)
    monkeypatch.setattr(ray, "get", lambda answer: answer.value)
    monkeypatch.setattr(ray, "kill", lambda worker: None)


def play(crew):
    """Play cells with the numbers from 0 on; each must come once."""
    seeds = np.arange(CELLS, dtype=np.uint64)
    played = np.zeros(CELLS, np.int64)
    for piece, _ in crew.play(Job(None, Order("key"), "ours"), seeds, seeds):
        played[piece.cells] += 1
    assert (played == 1).all()


def test_the_pieces_of_a_node_that_is_left_out_are_played_elsewhere(without_ray, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("nothing was asked"))
    notes: list[str] = []
    play(Crew(Nodes(), note=notes.append))
    assert "its sample games differ" in notes[0]


class EngineNodes:
    """Nodes with one core, whose engines may fail."""

    def __init__(self, **failing: Failing) -> None:
        self._failing = failing
        self.asked: list[str] = []
        """The nodes that have failed."""

    def nodes(self):
        return [Node(name, f"node {name}", 1) for name in self._failing]

    def start(self, node, gpu, cores):
        failing = self._failing[node.id]

        def noted(rows):
            failure = None if failing is None else failing(rows)
            if failure is not None:
                self.asked.append(node.id)
            return failure

        return Worker(failing=noted)


def fails_at_7(rows):
    return NO_ANSWER if 7 in rows else None


def test_an_engine_that_fails_once_is_asked_again(without_ray):
    failures = [NO_ANSWER, NO_ANSWER]
    nodes = EngineNodes(a=lambda rows: failures.pop() if 7 in rows and failures else None)
    play(Crew(nodes))
    assert nodes.asked == ["a", "a"]


def test_an_engine_that_always_fails_stops_at_the_third_time_on_other_nodes(without_ray):
    nodes = EngineNodes(a=fails_at_7, b=fails_at_7, c=None)
    play(Crew(nodes))
    assert len(nodes.asked) == len({*nodes.asked}), "a node was asked twice"
    nodes = EngineNodes(a=fails_at_7, b=fails_at_7)
    with pytest.raises(ClusterError) as raised:
        play(Crew(nodes))
    said = str(raised.value)
    assert {*nodes.asked[:2]} == {"a", "b"}
    assert len(nodes.asked) == 3
    assert "failed 3 times, on node " in said
    assert all(f"node {name}" in said for name in "ab")
    assert "with: bot: no answer to genmove; look there" in said


def test_a_node_where_all_engines_fail_is_left_out(without_ray):
    notes: list[str] = []
    play(Crew(EngineNodes(a=None, b=lambda rows: NO_ANSWER), note=notes.append))
    assert notes == [
        "node b is left out: its last 6 blocks failed, the last one with: bot: no answer to genmove"
    ]


def test_rules_that_raise_stop_at_once(without_ray):
    failure = Failure("SpecificationError", "the rules raise")
    nodes = EngineNodes(a=lambda rows: failure if 7 in rows else None)
    with pytest.raises(SpecificationError, match="the rules raise"):
        play(Crew(nodes))
    assert nodes.asked == ["a"]


def test_void_games_are_an_error_again_and_again():
    voids = Voids()
    voids.count(SimpleNamespace(ending=Ending.NORMAL))
    voids.count(SimpleNamespace(ending=Ending.VOID))
    for _ in range(2):  # the second time for another block of the same node
        with pytest.raises(EngineError, match="two games in a row failed: no answer"):
            voids.count(SimpleNamespace(ending=Ending.VOID, detail="no answer"))


class WaitingNodes(EngineNodes):
    """Nodes that answer with their versions, or never."""

    def __init__(self, *answers: Answer, memory: float = float("inf")) -> None:
        super().__init__()
        self._nodes = [Node(str(k), f"node {k}", 2, 0, memory) for k in range(len(answers))]
        self._answers = answers

    def nodes(self):
        return self._nodes

    def start(self, node, gpu, cores):
        worker = Worker()
        worker.hello = SimpleNamespace(remote=lambda: self._answers[int(node.id)])
        return worker


@pytest.fixture
def clock(without_ray, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(ray, "wait", clock.wait)
    monkeypatch.setattr("seedfolio.arena.ray.driver.time", clock)
    return clock


def gathered(clock, nodes):
    """Gather as after a command has begun; return what is noted within 30 s."""
    notes: list[str] = []
    crew = Crew(nodes, note=notes.append)
    try:
        crew.gather(cluster._SECONDS)
    finally:
        assert clock.now < 30
    return crew, notes


def test_no_node_with_a_core_is_one_sentence_within_30_seconds(clock):
    with pytest.raises(ClusterError, match="no node with a core to play on; start one with: ray"):
        gathered(clock, WaitingNodes())
    assert clock.now > 20, "nodes that join now would have been welcome"


def test_nodes_that_do_not_answer_are_one_sentence_within_30_seconds(clock):
    crew, notes = gathered(clock, WaitingNodes(Answer(versions(), 10**9)))
    assert notes == [WAITING]
    assert crew.members, "it still waits for them"


def test_versions_that_differ_everywhere_are_one_sentence_soon(clock):
    other = {**versions(), "numba": "0.1"}
    with pytest.raises(ClusterError) as raised:
        gathered(clock, WaitingNodes(Answer(other), Answer(other, 2)))
    assert str(raised.value).startswith(
        "no node of the cluster can play: node 0 is left out: it has numba 0.1 (here "
    )
    assert str(raised.value).endswith(" (and 1 more nodes are left out)")
    assert clock.now < 10


def test_too_little_memory_everywhere_is_one_sentence_before_anything_is_compiled(clock):
    crew, _ = gathered(clock, WaitingNodes(Answer(versions()), memory=2**20))
    crew.need_memory(2**19)
    with pytest.raises(ClusterError) as raised:
        crew.need_memory(2**20)
    assert str(raised.value) == (
        "no node of the cluster can play: node 0 is left out: it has 1.0 MiB of memory, and 2 "
        "games at once need 2.0 MiB"
    )


class Ended(BaseException):
    pass


@pytest.mark.parametrize("signal", [KeyboardInterrupt, Ended])
def test_a_signal_inside_of_ray_is_the_signal_again(signal):
    with pytest.raises(signal), signals_pass():
        raise SystemError("returned a result with an exception set") from signal()
    with pytest.raises(SystemError), signals_pass():
        raise SystemError("something else") from ValueError("x")
