"""The files with names and results of people are for their owner alone."""

import os
import stat
from contextlib import closing

import pytest

pytest.importorskip("starlette", reason="the page needs pip install 'seedfolio[web]'")

from seedfolio.people.store import PeopleGames, PersonGame
from seedfolio.web.sittings import FILE, open_page


@pytest.fixture(autouse=True)
def _open_umask():
    """Without a mask, a file that says nothing about its mode is for everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder):
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


def test_the_file_of_the_page_is_for_its_owner_alone(tmp_path):
    with closing(open_page(tmp_path)):
        assert modes(tmp_path) == dict.fromkeys((FILE, f"{FILE}-wal", f"{FILE}-shm"), 0o600)


def test_the_file_of_teaching_is_for_its_owner_alone(tmp_path):
    with closing(PeopleGames.open(tmp_path / "people.teach")) as games:
        games.begin("a program", "Ann", PersonGame(0, 0, 0, 0))
        assert set(modes(tmp_path).values()) == {0o600}


def test_a_file_that_is_there_keeps_its_mode(tmp_path):
    open_page(tmp_path).close()
    (tmp_path / FILE).chmod(0o640)
    open_page(tmp_path).close()
    assert modes(tmp_path)[FILE] == 0o640
