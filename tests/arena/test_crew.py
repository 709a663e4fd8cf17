"""The driver's bookkeeping where no cluster here can show it: a node with two GPUs."""

import time
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import ray

from seedfolio.arena.cluster import Node
from seedfolio.arena.crew import Crew
from seedfolio.arena.handshake import versions
from seedfolio.arena.members import Job
from seedfolio.arena.ray_players import Done, Order
from seedfolio.arena.ray_signals import signals_pass

CELLS = 400


@dataclass(eq=False)
class Answer:
    """What a worker answers, and after how many looks."""

    value: object
    looks: int = 0


class Worker:
    """A worker whose sample games differ, or one that is slow to play."""

    def __init__(self, differs: bool, looks: int) -> None:
        self.hello = SimpleNamespace(remote=lambda: Answer(versions()))
        digest = Answer("another" if differs else "ours", 5 if differs else 0)
        self.prepare = SimpleNamespace(remote=lambda parcel: digest)
        self.play = SimpleNamespace(remote=lambda number, order, cells, *more: self._done(cells))
        self.drop = SimpleNamespace(remote=lambda number: None)
        self._looks = looks

    def _done(self, cells):
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


def test_the_pieces_of_a_node_that_is_left_out_are_played_elsewhere(monkeypatch):
    monkeypatch.setattr(ray, "wait", ready)
    monkeypatch.setattr(ray, "get", lambda answer: answer.value)
    monkeypatch.setattr(ray, "kill", lambda worker: None)
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("nothing was asked"))
    notes: list[str] = []
    crew = Crew(Nodes(), note=notes.append)
    seeds = np.zeros(CELLS, np.uint64)
    played = np.zeros(CELLS, np.int64)
    for piece, _ in crew.play(Job(None, Order("key"), "ours"), seeds, seeds):
        played[piece.cells] += 1
    assert (played == 1).all()
    assert "its sample games differ" in notes[0]


class Ended(BaseException):
    pass


@pytest.mark.parametrize("signal", [KeyboardInterrupt, Ended])
def test_a_signal_inside_of_ray_is_the_signal_again(signal):
    with pytest.raises(signal), signals_pass():
        raise SystemError("returned a result with an exception set") from signal()
    with pytest.raises(SystemError), signals_pass():
        raise SystemError("something else") from ValueError("x")
