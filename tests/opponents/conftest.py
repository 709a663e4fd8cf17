"""The folder of all kinds of programs, made once."""

import os
from pathlib import Path

import pytest
from external import left_behind
from kinds import make_kinds


@pytest.fixture(scope="session")
def made_kinds(tmp_path_factory):
    folder, before = tmp_path_factory.mktemp("kinds"), Path.cwd()
    os.chdir(folder)
    try:
        make_kinds(folder)
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def kinds(made_kinds, monkeypatch):
    """Go to the folder; no engine may be left afterwards."""
    monkeypatch.chdir(made_kinds)
    yield made_kinds
    assert not left_behind(made_kinds)
