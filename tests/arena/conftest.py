"""Clusters for tests: one that they share, and one for a test that needs other nodes."""

import pytest
from ray_cases import need_ray
from ray_nodes import QUIET, TOKEN, RayNodes


@pytest.fixture(scope="session")
def cluster():
    need_ray()
    with RayNodes() as started:
        started.start("head", 1)
        yield started


@pytest.fixture
def driver(monkeypatch):
    need_ray()
    for name, value in {**QUIET, "RAY_AUTH_TOKEN": TOKEN}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def nodes(cluster, driver):
    """A cluster of one node with one core; the nodes that a test adds go with it."""
    yield cluster
    cluster.keep_only("head")


@pytest.fixture
def own_nodes(driver):
    with RayNodes() as started:
        yield started
