"""The SQLite file of a study: its tables, and how it is made and opened.

Studies are refused if a table has another text, in its spaces and comments, too: do not edit these.
"""

import os
import sqlite3
import stat
import zlib
from contextlib import closing
from pathlib import Path

from seedfolio.core.files import atomic_write
from seedfolio.errors import StudyError
from seedfolio.study.sqlite_file import (
    IN_MEMORY,
    Database,
    FileKind,
    check_content,
    check_header,
    connected,
    explained,
    make,
    primary_code,
    write_ahead,
)
from seedfolio.study.sqlite_guard import check_files_beside

OLDEST_SQLITE = (3, 37)  # STRICT tables

# Runs are short rows looked up by their key, hence WITHOUT ROWID: with runs of 32 cells the file is
# a fifth smaller than with an index, and reading is twice as fast.
SCHEMA = """
CREATE TABLE identity (
    number INTEGER PRIMARY KEY CHECK (number = 1), text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE request (
    number INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE portfolio (
    name TEXT PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE evaluation (
    name TEXT PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE run (
    along TEXT NOT NULL CHECK (along IN ('row', 'column')),
    fixed INTEGER NOT NULL,  -- the seed of that row (first player) or column (second player)
    start INTEGER NOT NULL,  -- the other player's seed in the first cell, one more in each next
    results BLOB NOT NULL,   -- one byte a cell: half points for the first player
    checksum INTEGER NOT NULL,
    PRIMARY KEY (along, fixed, start)
) STRICT, WITHOUT ROWID;
"""

ENGINE_SCHEMA = """
CREATE TABLE IF NOT EXISTS engine_game (
    first INTEGER NOT NULL,   -- the arm of the first player
    second INTEGER NOT NULL,
    number INTEGER NOT NULL,  -- which game of the cell, from 0
    ending TEXT NOT NULL,
    points INTEGER NOT NULL,  -- half points of the first player
    moves TEXT NOT NULL,      -- separated by spaces
    detail TEXT NOT NULL,     -- what went wrong
    checksum INTEGER NOT NULL,
    PRIMARY KEY (first, second, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engine_book_game (
    books INTEGER NOT NULL,   -- a hash of the books that both colours played
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    ending TEXT NOT NULL,
    points INTEGER NOT NULL,
    moves TEXT NOT NULL,
    detail TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (books, first, second)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engine_answer (
    arm INTEGER NOT NULL,     -- or -1: the half points with which the game is over there
    history BLOB NOT NULL,    -- a hash of the moves so far
    answer TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (arm, history)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engine_timeout (
    books INTEGER NOT NULL,   -- as in engine_book_game, 0 without books
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    number INTEGER NOT NULL,  -- the game was played once more: that one counts
    detail TEXT NOT NULL,     -- which answer came too late
    checksum INTEGER NOT NULL,
    PRIMARY KEY (books, first, second, number)
) STRICT, WITHOUT ROWID;
"""
"""A study gets these tables when it first needs them."""


def _statements(text: str) -> tuple[str, ...]:
    return tuple(filter(str.strip, text.split(";")))


STUDY_FILE = FileKind(
    "a study", 0x53464F4C, 1, _statements(SCHEMA), _statements(ENGINE_SCHEMA)
)  # "SFOL"


def checksum(key: str, content: bytes) -> int:
    """Return a checksum that ties ``content`` to its ``key``."""
    return zlib.crc32(content, zlib.crc32(key.encode()))


def exists(path: Path) -> bool:
    """Return whether there is a study at ``path``; raise StudyError if there is something else.

    Nothing is written, not even the files that SQLite creates beside an open database.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StudyError(
            f"cannot open {path}: this Python has SQLite {sqlite3.sqlite_version}, "
            "which is older than 3.37; use a newer Python"
        )
    check_files_beside(path)
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StudyError(f"cannot open {path}: {error.strerror}; choose another file") from error
    if stat.S_ISDIR(status.st_mode):
        raise StudyError(f"{path} is a folder; name a file instead")
    if not stat.S_ISREG(status.st_mode):
        raise StudyError(f"{path} is not a regular file; choose another file")
    if status.st_size == 0:
        raise StudyError(f"{path} is empty, not a study; delete it or choose another file")
    with connected(path, STUDY_FILE, "immutable=1") as connection, closing(connection):
        try:
            check_header(path, connection, STUDY_FILE)
        except sqlite3.DatabaseError as error:
            # Without locks a sound file can look truncated while its writer extends it; opening
            # it properly will show.
            if primary_code(error) != sqlite3.SQLITE_CORRUPT:
                raise
    return True


def create(path: Path, identity: str) -> None:
    """Create a new study with its identity, atomically. There must be no file at ``path``."""
    for suffix in ("-wal", "-journal"):
        remains = path.with_name(path.name + suffix)
        if remains.exists() and remains.stat().st_size > 0:
            # SQLite would replay them into the new study.
            raise StudyError(
                f"{remains} belongs to a study that is no longer at {path}; "
                "put that study back, delete this file, or choose another file"
            )
    with explained(path, STUDY_FILE), closing(_new(identity)) as connection:
        image = connection.serialize()
    atomic_write(path, image)


def open_in_memory(identity: str) -> Database:
    """Return a new study that is never written to disk."""
    return Database(IN_MEMORY, _new(identity), STUDY_FILE)


def _new(identity: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    make(connection, STUDY_FILE)
    connection.execute(
        "INSERT INTO identity VALUES (1, ?, ?)", (identity, checksum("1", identity.encode()))
    )
    return connection


def open_for_writing(path: Path) -> Database:
    """Open the study at ``path``; the caller holds its writer lock."""
    with connected(path, STUDY_FILE, "mode=rw") as connection:
        check_content(path, connection, STUDY_FILE)
        write_ahead(path, connection)
        # If the file is not writable, fail now and not after the first games.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA user_version = {STUDY_FILE.version}")
        connection.execute("ROLLBACK")
    return Database(path, connection, STUDY_FILE)


def open_for_reading(path: Path) -> Database:
    """Open the study at ``path`` to read it; another process may be writing it."""
    try:
        return _open_for_reading(path, "mode=rw")  # rw: closing then removes SQLite's extra files
    except StudyError:
        if not _unwritable_and_at_rest(path):
            raise
    return _open_for_reading(path, "immutable=1")


def _open_for_reading(path: Path, mode: str) -> Database:
    with connected(path, STUDY_FILE, mode) as connection:
        connection.execute("PRAGMA query_only = ON")
        check_content(path, connection, STUDY_FILE)
    return Database(path, connection, STUDY_FILE)


def _unwritable_and_at_rest(path: Path) -> bool:
    # SQLite creates files beside a database even to read it. In a read-only folder, a study that
    # was closed properly is complete in its one file, so it can be read as immutable.
    log = path.with_name(path.name + "-wal")
    can_write = os.access(
        path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    )
    return not can_write and not (log.exists() and log.stat().st_size > 0)
