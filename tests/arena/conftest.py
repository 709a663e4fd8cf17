"""Clusters for tests: one that they share, and one for a test that needs other nodes."""

import pytest
from external import wait_for_the_end
from ray_cases import need_ray, play_until, ray_arena
from ray_nodes import QUIET, TOKEN, RayNodes


@pytest.fixture(scope="session")
def cluster():
    need_ray()
    with RayNodes() as started:
        started.start("head", 1)
        yield started


def _drive(monkeypatch):
    need_ray()
    for name, value in {**QUIET, "RAY_AUTH_TOKEN": TOKEN}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def driver(monkeypatch):
    _drive(monkeypatch)


@pytest.fixture
def nodes(cluster, driver):
    """A cluster of one node with one core; the nodes that a test adds go with it."""
    yield cluster
    cluster.keep_only("head")


@pytest.fixture(scope="module")
def shared_arena(request, cluster, tmp_path_factory):
    """An arena of so many nodes for a file: workers of a new one load all of Seedfolio."""
    count = request.param
    notes, at_work = [], []
    with pytest.MonkeyPatch.context() as monkeypatch:
        _drive(monkeypatch)
        for number in range(1, count):
            cluster.start(f"n{number}", 1 + number % 2)
        cores = sum(1 + number % 2 for number in range(count))
        everybody = f"{count} node{'s' * (count > 1)}, {cores} core{'s' * (cores > 1)}"
        with ray_arena(cluster, notes, at_work) as arena:
            play_until(arena, lambda: everybody in at_work)
            yield arena
        cluster.keep_only("head")
    assert not wait_for_the_end(f"token-{tmp_path_factory.getbasetemp()}")
    # On a busy machine it may also say that it waits.
    assert [note for note in notes if not note.startswith("waiting for the cluster")] == []
