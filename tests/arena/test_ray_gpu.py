"""Nodes with GPUs: what the driver asks Ray for, and what a node does whose GPU cannot play."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from ray_cases import need_ray

from seedfolio.arena.ray.cluster import Node, RayCluster
from seedfolio.arena.ray.driver import Crew
from seedfolio.arena.ray.players import AskedBlock, Order, ProgramPlayer

NODE = "1f" * 28
"""What Ray takes for the id of a node."""
NO_DEVICE = "there is no CUDA device (no driver)"


class Recorded(RayCluster):
    """A cluster with one node; it starts nothing."""

    def __init__(self, cores, gpus):
        self._node = Node(NODE, "node gpu", cores, gpus)

    def nodes(self):
        return [self._node]


@pytest.mark.parametrize(
    ("cores", "gpus", "asked"),
    [
        (8, 0, [(8, 0)]),
        (8, 1, [(8, 1)]),
        (9, 2, [(4, 1), (4, 1)]),
        (2, 4, [(0.5, 1)] * 4),  # so that Ray has room for all of them
    ],
)
def test_each_gpu_has_a_worker_that_ray_gives_it_to(cores, gpus, asked, monkeypatch):
    need_ray()
    import ray

    options = []

    def started(count, *, gpu):
        assert count == max(1, cores // max(1, gpus))
        assert gpu == (gpus > 0)
        return SimpleNamespace(hello=SimpleNamespace(remote=object))

    def chosen(**given):
        options.append((given["num_cpus"], given["num_gpus"]))
        assert given["scheduling_strategy"].node_id == NODE
        return SimpleNamespace(remote=started)

    monkeypatch.setattr(ray, "remote", lambda kind: SimpleNamespace(options=chosen))
    crew = Crew(Recorded(cores, gpus))
    crew.gather(0.0)
    assert options == asked
    assert [member.gpu for member in crew.members] == [gpus > 0] * max(1, gpus)


@dataclass(frozen=True)
class Scripted:
    """A program whose games all end in a draw."""

    repeats: int = 1
    turned: bool = False
    books: None = None
    bound = SimpleNamespace(workspace=1)

    def workspace(self):
        return np.zeros(1, np.int32)

    def play_noting(self, rows, columns, space):
        return SimpleNamespace(results=np.ones(len(rows), np.uint8), left=None)


def test_cores_play_where_the_gpu_cannot_and_one_note_says_so(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "seedfolio.arena.cuda.arena.why_not_cuda", lambda: asked.append(1) or NO_DEVICE
    )
    seeds = np.arange(5, dtype=np.uint64)
    with ThreadPoolExecutor(2) as cores, ThreadPoolExecutor(3) as calls:
        player = ProgramPlayer(
            lambda number, task, *rest: cores.submit(task, *rest), 2, Scripted(), threading.Lock()
        )
        blocks = [AskedBlock(number, seeds, seeds) for number in range(6)]
        played = list(calls.map(lambda block: player.play(block, Order("key"), None), blocks))
    assert all(done.results.tolist() == [1] * 5 for done in played)
    assert sorted(done.note for done in played) == [
        *[""] * 5,
        f"{NO_DEVICE}; its cores play instead",
    ]
    assert len(asked) == 1
