"""The SQLite file of a study: its schema, how to open it, and what its errors mean."""

import os
import sqlite3
import stat
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from seedfolio.core.files import atomic_write
from seedfolio.errors import StudyError
from seedfolio.study.schema import ENGINE_SCHEMA, SCHEMA
from seedfolio.study.sqlite_guard import (
    check_files_beside,
    damaged_part,
    foreign_part,
    harden,
    schema_of,
)

APPLICATION_ID = 0x53464F4C  # "SFOL", at offset 68 of the file
SCHEMA_VERSION = 1
OLDEST_SQLITE = (3, 37)  # STRICT tables

IN_MEMORY = Path(":memory:")
"""In place of the path of a study that is not on disk."""

BUSY_SECONDS = 10  # how long to wait for other SQLite tools that have the study open


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all changes of the block, or none; an inner block is part of the outer."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


class Database:
    """An open study file. It turns SQLite's errors into StudyErrors."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._file = _file_at(path)

    @contextmanager
    def guard(self) -> Iterator[sqlite3.Connection]:
        """Turn any SQLite error inside the block into a StudyError."""
        with _explained(self.path):
            yield self.connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all changes of the block durably, or none; an inner block is part of the outer."""
        # SQLite would write on, to a file without a name.
        if self.path != IN_MEMORY and _file_at(self.path) != self._file:
            raise StudyError(
                f"{self.path} was deleted, moved or replaced while it was in use; put it back, or "
                "run this again to begin anew"
            )
        with self.guard() as connection, transaction(connection):
            yield connection

    def damaged(self, what: str) -> StudyError:
        """Return the error to raise when the file does not contain what was written."""
        return StudyError(_damaged(self.path, what))


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at a path from others; None if there is none, or in memory."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


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
    with _explained(path), closing(_connect(path, "immutable=1")) as connection:
        try:
            _check_header(path, connection)
        except sqlite3.DatabaseError as error:
            # Without locks a sound file can look truncated while its writer extends it; opening
            # it properly will show.
            if _primary_code(error) != sqlite3.SQLITE_CORRUPT:
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
    with _explained(path), closing(_new(identity)) as connection:
        image = connection.serialize()
    atomic_write(path, image)


def open_in_memory(identity: str) -> Database:
    """Return a new study that is never written to disk."""
    return Database(IN_MEMORY, _new(identity))


def _new(identity: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    connection.execute(
        "INSERT INTO identity VALUES (1, ?, ?)", (identity, checksum("1", identity.encode()))
    )
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    return connection


def open_for_writing(path: Path) -> Database:
    """Open the study at ``path``; the caller holds its writer lock."""
    with _explained(path), _closed_on_failure(_connect(path, "mode=rw")) as connection:
        _check_content(path, connection)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StudyError(f"cannot write {path} safely on this disk; use a local disk")
        connection.execute("PRAGMA synchronous = FULL")
        # If the file is not writable, fail now and not after the first games.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("ROLLBACK")
    return Database(path, connection)


def open_for_reading(path: Path) -> Database:
    """Open the study at ``path`` to read it; another process may be writing it."""
    try:
        return _open_for_reading(path, "mode=rw")  # rw: closing then removes SQLite's extra files
    except StudyError:
        if not _unwritable_and_at_rest(path):
            raise
    return _open_for_reading(path, "immutable=1")


def _open_for_reading(path: Path, mode: str) -> Database:
    with _explained(path), _closed_on_failure(_connect(path, mode)) as connection:
        connection.execute("PRAGMA query_only = ON")
        _check_content(path, connection)
    return Database(path, connection)


def _unwritable_and_at_rest(path: Path) -> bool:
    # SQLite creates files beside a database even to read it. In a read-only folder, a study that
    # was closed properly is complete in its one file, so it can be read as immutable.
    log = path.with_name(path.name + "-wal")
    can_write = os.access(
        path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    )
    return not can_write and not (log.exists() and log.stat().st_size > 0)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?{mode}", uri=True, isolation_level=None, timeout=BUSY_SECONDS
    )
    with _closed_on_failure(connection):
        harden(connection)
    return connection


@contextmanager
def _closed_on_failure(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _check_header(path: Path, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StudyError(
            f"{path} is an SQLite file of another program, not a study; choose another file"
        )
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise StudyError(
            f"{path} was written by a newer seedfolio (schema {version}, this one knows "
            f"{SCHEMA_VERSION}); upgrade seedfolio or choose another file"
        )
    if version < SCHEMA_VERSION:
        raise StudyError(_damaged(path, f"schema {version}"))


def _check_content(path: Path, connection: sqlite3.Connection) -> None:
    _check_header(path, connection)
    needed = schema_of(SCHEMA)
    if foreign := foreign_part(connection, needed | schema_of(ENGINE_SCHEMA), needed):
        raise StudyError(
            f"{path} is not a study as Seedfolio writes it: it has {foreign}; choose another file"
        )
    if damaged := damaged_part(connection):
        raise StudyError(_damaged(path, damaged))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StudyError(_explanation(path, error)) from error
    except UnicodeDecodeError as error:  # SQLite quotes what it found in a damaged file
        raise StudyError(_damaged(path, "text that is not UTF-8")) from error
    except UnicodeEncodeError as error:  # a name from a terminal may contain invalid bytes
        raise StudyError(f"cannot write {error.object!a} to {path}: not valid Unicode") from error


def _explanation(path: Path, error: sqlite3.Error) -> str:
    match _primary_code(error):
        case sqlite3.SQLITE_NOTADB:
            return f"{path} is not a study: it is not an SQLite file; choose another file"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{path} is locked by another program; close that program and run this again"
        case sqlite3.SQLITE_FULL:
            return f"no space left to write {path}; free some space and run this again to resume"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return f"cannot open or write {path} ({error}); check permissions of file and folder"
        case sqlite3.SQLITE_IOERR:
            name = getattr(error, "sqlite_errorname", "")
            return f"cannot read or write {path} ({error}, {name}); check the disk, then run again"
        case None if isinstance(error, sqlite3.ProgrammingError):
            return f"cannot use {path} ({error}); open the study again"
        case _:
            return _damaged(path, str(error))


def _damaged(path: Path, what: str) -> str:
    reason = " ".join(what.split())  # SQLite's message may have several lines
    return f"{path} is damaged ({reason}); restore a copy of it or choose another file"


def _primary_code(error: sqlite3.Error) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
