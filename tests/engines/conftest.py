"""Programs that tests of engines need, and a command in the folder of a test."""

import pytest
from external import left_behind, need_open_spiel
from needed import need

from seedfolio.cli import run


@pytest.fixture(autouse=True)
def _no_engine_stays(tmp_path):
    """Whatever a test does, no process of the scripted engine outlives it."""
    yield
    assert not left_behind(tmp_path)


@pytest.fixture
def gnugo():
    need("gnugo")


@pytest.fixture
def stockfish():
    need("stockfish")


@pytest.fixture
def open_spiel():
    need_open_spiel()


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments):
        capsys.readouterr()
        code = run([*arguments])
        return code, *capsys.readouterr()

    return run_it
