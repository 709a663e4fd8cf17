"""The folder of all kinds of programs, made once; `make test` makes and meets some of them."""

import os
from pathlib import Path

import pytest
from external import left_behind
from kinds import make_quick, make_slow


def made(folder, make):
    before = Path.cwd()
    os.chdir(folder)
    try:
        make(folder)
    finally:
        os.chdir(before)
    return folder


@pytest.fixture(scope="session")
def some_kinds(tmp_path_factory):
    return made(tmp_path_factory.mktemp("kinds"), make_quick)


@pytest.fixture(scope="session")
def all_kinds(some_kinds):
    return made(some_kinds, make_slow)


@pytest.fixture
def kinds(request, some_kinds, monkeypatch):
    if request.node.get_closest_marker("slow"):
        request.getfixturevalue("all_kinds")
    monkeypatch.chdir(some_kinds)
    yield some_kinds
    assert not left_behind(some_kinds)
