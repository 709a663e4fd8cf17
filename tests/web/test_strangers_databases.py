"""Files with games of people that come from elsewhere: nothing in them runs."""

import os
import sqlite3
import stat
from contextlib import closing

import pytest

from seedfolio.errors import StudyError
from seedfolio.people.blind.series import BLIND_FILE
from seedfolio.people.store import TEACH_FILE, PeopleGames, PersonGame
from seedfolio.study.sqlite_file import Database
from seedfolio.web.sittings import FILE, open_page

KINDS = {
    "teach": lambda path: Database.open_or_create(path, TEACH_FILE),
    "blind": lambda path: Database.open_or_create(path, BLIND_FILE),
    "page": lambda path: open_page(path.parent),
}
OPENERS = pytest.mark.parametrize("opened", KINDS.values(), ids=KINDS)
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
STRANGE = [
    (f"DROP TABLE game; CREATE VIEW game AS {ENDLESS}", "a view named 'game'"),
    ("CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END", "a trigger named 't'"),
    ("CREATE TABLE more (x)", "a table named 'more'"),
    ("CREATE INDEX i ON game (abs(1))", "an index named 'i'"),
    ("ALTER TABLE game ADD COLUMN more INTEGER AS (abs(1))", "'game' with another definition"),
]


def refusal(opened, path):
    with pytest.raises(StudyError) as raised:
        opened(path).close()
    assert "\n" not in str(raised.value)
    return str(raised.value)


@OPENERS
def test_a_schema_that_is_not_ours_is_refused(opened, tmp_path):
    for number, (made, said) in enumerate(STRANGE):
        (path := tmp_path / str(number) / FILE).parent.mkdir()
        opened(path).close()
        opened(path).close()
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(made)
        before = path.read_bytes()
        assert said in refusal(opened, path)
        assert path.read_bytes() == before


@OPENERS
def test_links_pipes_and_damaged_files_are_refused(opened, tmp_path):
    folder, path = tmp_path / "folder", tmp_path / "folder" / FILE
    folder.mkdir()
    path.symlink_to("../new")
    assert "is a symbolic link" in refusal(opened, path)
    path.unlink()
    os.mkfifo(path)
    assert "is not a regular file" in refusal(opened, path)
    path.unlink()
    (folder / f"{FILE}-wal").symlink_to("../new")
    assert "is not a regular file; delete it" in refusal(opened, path)
    assert list(tmp_path.iterdir()) == [folder]
    (folder / f"{FILE}-wal").unlink()
    opened(path).close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"x" * 4096 + content[8192:])
    assert "damaged" in refusal(opened, path)


def test_a_page_of_version_0_2_0_is_refused(tmp_path):
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE secret (value BLOB NOT NULL)")
    before = path.read_bytes()
    assert "delete it if it is of seedfolio 0.2.0" in refusal(KINDS["page"], path)
    assert path.read_bytes() == before


@pytest.fixture
def _open_umask():
    """Without a mask, a file that says nothing about its mode is for everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder):
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


@pytest.mark.usefixtures("_open_umask")
def test_files_are_for_their_owner_alone(tmp_path):
    page, taught = tmp_path / "page", tmp_path / "taught"
    page.mkdir()
    taught.mkdir()
    with closing(open_page(page)):
        assert modes(page) == dict.fromkeys((FILE, f"{FILE}-wal", f"{FILE}-shm"), 0o600)
    with closing(PeopleGames.open(taught / "people.teach")) as games:
        games.begin("a program", "Ann", PersonGame(0, 0, 0, 0))
        assert set(modes(taught).values()) == {0o600}
    (page / FILE).chmod(0o640)  # one that is there keeps its mode
    open_page(page).close()
    assert modes(page)[FILE] == 0o640
