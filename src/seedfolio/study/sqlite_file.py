"""An open SQLite file, of a study or with games of people: one wrapper for all of them.

Threads take turns. When a transaction ends, its changes are on disk; they survive ``kill -9`` and
power loss. SQLite's errors become StudyErrors of one line. What makes it safe to open a file that
comes from elsewhere is in `sqlite_guard`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from seedfolio.core.files import create_private
from seedfolio.errors import StudyError
from seedfolio.study.sqlite_guard import (
    check_place,
    damaged_part,
    foreign_part,
    harden,
    schema_of,
)

IN_MEMORY = Path(":memory:")
"""In place of the path of a file that is not on disk."""
BUSY_SECONDS = 10
"""How long to wait for other programs that have the file open."""
_PAUSE = 0.01


@dataclass(frozen=True)
class FileKind:
    """What a file holds."""

    title: str
    """For messages: `a study`."""
    application: int
    """SQLite's application id, at offset 68 of the file."""
    version: int
    schema: tuple[str, ...]
    """The statements that make its tables. A file with other texts is refused: do not edit the
    statements of a version that is in use."""
    optional: tuple[str, ...] = ()
    """Statements of tables that a file gets when it first needs them."""
    remedy: str = "choose another file"
    """What to do with a file of another kind."""
    earlier: FileKind | None = None
    """The kind of a version before, which is brought to this one when it is opened..."""
    upgrade: Callable[[sqlite3.Connection], None] | None = None
    """... by this function, inside a transaction."""


class Database:
    """An open file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, kind: FileKind) -> None:
        self.path = path
        self.connection = connection
        self._kind = kind
        self._turn = RLock()
        self._file = _file_at(path)

    @classmethod
    def open_or_create(cls, path: Path, kind: FileKind) -> Database:
        """Open the file at `path` for several threads and processes; make it if there is none."""
        if path.is_dir():
            raise StudyError(f"{path} is a folder; name a file instead")
        if not path.parent.is_dir():
            raise StudyError(f"cannot open {path}: there is no folder {path.parent}")
        check_place(path)
        create_private(path)  # people, their names and their results
        with explained(path, kind), connected(path, kind, "mode=rw", shared=True) as connection:
            connection.execute("BEGIN")  # version and tables of one moment: others may upgrade it
            empty = _is_empty(connection)
            if not empty:  # before anything is written to a file of another program
                check_content(path, connection, kind)
            connection.execute("COMMIT")
            write_ahead(path, connection)
            opened = cls(path, connection, kind)
            with opened.transaction():
                if empty and _is_empty(connection):
                    make(connection, kind)
                else:
                    opened._bring_up_to_date()
        return opened

    def close(self) -> None:
        """Close it; closing twice is harmless."""
        with self._turn:
            self.connection.close()

    @contextmanager
    def guard(self) -> Iterator[sqlite3.Connection]:
        """Turn any SQLite error inside the block into a StudyError."""
        with self._turn, explained(self.path, self._kind):
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
        with self.guard() as connection:
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return what a statement finds."""
        with self.guard() as connection:
            return connection.execute(statement, values).fetchall()

    def damaged(self, what: str) -> StudyError:
        """Return the error to raise when the file does not contain what was written."""
        return StudyError(_damaged(self.path, what))

    def _bring_up_to_date(self) -> None:
        earlier, upgrade = self._kind.earlier, self._kind.upgrade
        (version,) = self.connection.execute("PRAGMA user_version").fetchone()
        if earlier is not None and upgrade is not None and version == earlier.version:
            upgrade(self.connection)
            self.connection.execute(f"PRAGMA user_version = {self._kind.version}")


@contextmanager
def connected(
    path: Path, kind: FileKind, mode: str, *, shared: bool = False
) -> Iterator[sqlite3.Connection]:
    """Connect to the file at a path; if the block fails, the connection is closed.

    `mode` is a parameter of SQLite's address of it. Threads may share a connection that is locked.
    """
    with explained(path, kind):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{mode}",
            uri=True,
            isolation_level=None,
            timeout=BUSY_SECONDS,
            check_same_thread=not shared,
        )
        try:
            harden(connection)
            yield connection
        except BaseException:
            connection.close()
            raise


def make(connection: sqlite3.Connection, kind: FileKind) -> None:
    """Make the tables of a kind in an empty file."""
    for statement in kind.schema:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {kind.application}")
    connection.execute(f"PRAGMA user_version = {kind.version}")


def write_ahead(path: Path, connection: sqlite3.Connection) -> None:
    """Have each transaction on disk when it ends; StudyError if the disk cannot do this."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as error:
            # SQLite itself does not wait where two processes change the mode of a file.
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
    if mode != "wal":
        raise StudyError(f"cannot write {path} safely on this disk; use a local disk")
    connection.execute("PRAGMA synchronous = FULL")


def check_header(path: Path, connection: sqlite3.Connection, kind: FileKind) -> FileKind:
    """Return the kind of a file, this one or an earlier version; StudyError for any other."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != kind.application:
        raise StudyError(
            f"{path} is an SQLite file of another program, not {kind.title}; {kind.remedy}"
        )
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > kind.version:
        raise StudyError(
            f"{path} was written by a newer seedfolio (schema {version}, this one knows "
            f"{kind.version}); upgrade seedfolio or choose another file"
        )
    if version == kind.version:
        return kind
    if kind.earlier is not None and version == kind.earlier.version:
        return kind.earlier
    raise StudyError(_damaged(path, f"schema {version}"))


def check_content(path: Path, connection: sqlite3.Connection, kind: FileKind) -> None:
    """Raise StudyError for a file of others, or one that is damaged."""
    found = check_header(path, connection, kind)
    needed = schema_of(*found.schema)
    if foreign := foreign_part(connection, needed | schema_of(*found.optional), needed):
        raise StudyError(
            f"{path} is not {kind.title} as Seedfolio writes it: it has {foreign}; choose another "
            "file"
        )
    if damaged := damaged_part(connection):
        raise StudyError(_damaged(path, damaged))


@contextmanager
def explained(path: Path, kind: FileKind) -> Iterator[None]:
    """Turn the errors of SQLite inside the block into StudyErrors."""
    try:
        yield
    except sqlite3.Error as error:
        raise StudyError(_explanation(path, kind, error)) from error
    except UnicodeDecodeError as error:  # SQLite quotes what it found in a damaged file
        raise StudyError(_damaged(path, "text that is not UTF-8")) from error
    except UnicodeEncodeError as error:  # a name from a terminal may contain invalid bytes
        raise StudyError(f"cannot write {error.object!a} to {path}: not valid Unicode") from error


def primary_code(error: sqlite3.Error) -> int | None:
    """Return the kind of an error by SQLite's number, without its details."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _explanation(path: Path, kind: FileKind, error: sqlite3.Error) -> str:
    match primary_code(error):
        case sqlite3.SQLITE_NOTADB:
            return f"{path} is not {kind.title}: it is not an SQLite file; choose another file"
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
            return f"cannot use {path} ({error}); open it again"
        case _:
            return _damaged(path, str(error))


def _damaged(path: Path, what: str) -> str:
    reason = " ".join(what.split())  # SQLite's message may have several lines
    return f"{path} is damaged ({reason}); restore a copy of it or choose another file"


def _is_empty(connection: sqlite3.Connection) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    return application == 0 and foreign_part(connection, frozenset()) is None


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at a path from others; None if there is none, or in memory."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
