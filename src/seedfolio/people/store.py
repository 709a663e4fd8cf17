"""An SQLite file with the games of people, which several threads and processes may use at once.

When a transaction ends, its changes are on disk; they survive ``kill -9`` and power loss.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from seedfolio.core.files import create_private
from seedfolio.errors import StudyError
from seedfolio.study.database import transaction
from seedfolio.study.sqlite_guard import (
    check_place,
    damaged_part,
    foreign_part,
    harden,
    schema_of,
)

BUSY_SECONDS = 30
"""How long to wait for another process that writes."""


@dataclass(frozen=True)
class FileKind:
    """What a file holds."""

    title: str
    """For messages: `a record of teaching`."""
    application: int
    """SQLite's application id, at offset 68 of the file."""
    version: int
    schema: tuple[str, ...]
    """The statements that make its tables."""


class SqliteFile:
    """An open file. It turns SQLite's errors into StudyErrors."""

    def __init__(self, path: str | Path, kind: FileKind) -> None:
        """Open the file, new or of the same kind."""
        self.path = Path(path)
        self._kind = kind
        self._turn = RLock()
        if self.path.is_dir():
            raise StudyError(f"{self.path} is a folder; name a file instead")
        if not self.path.parent.is_dir():
            raise StudyError(f"cannot open {self.path}: there is no folder {self.path.parent}")
        check_place(self.path)
        create_private(self.path)  # people, their names and their results
        with self._explained():
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with self._turn:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all changes of the block durably, or none; an inner block is part of the outer."""
        with self._turn, self._explained(), transaction(self._connection):
            yield self._connection

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return what a statement finds."""
        with self._turn, self._explained():
            return self._connection.execute(statement, values).fetchall()

    def _prepare(self) -> None:
        with self._turn, self._explained():
            harden(self._connection)
            if self._check():  # before anything is written to a file of another program
                self._check_pages()
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
        with self.transaction() as connection:
            if self._check():
                return
            for statement in self._kind.schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self._kind.application}")
            connection.execute(f"PRAGMA user_version = {self._kind.version}")

    def _check(self) -> bool:
        """Tell whether the file is made; StudyError if it is of another kind."""
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        if application == 0 and foreign_part(self._connection, frozenset()) is None:
            return False  # it is empty
        if application != self._kind.application:
            raise StudyError(f"{self.path} is not {self._kind.title}; choose another file")
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version != self._kind.version:
            raise StudyError(
                f"{self.path} has schema {version}, this seedfolio knows {self._kind.version}; "
                "use the seedfolio that wrote it, or choose another file"
            )
        known = schema_of(*self._kind.schema)
        if foreign := foreign_part(self._connection, known, known):
            raise StudyError(
                f"{self.path} is not {self._kind.title} as Seedfolio writes it: it has {foreign}; "
                "choose another file"
            )
        return True

    def _check_pages(self) -> None:
        if damaged := damaged_part(self._connection):
            raise StudyError(f"{self.path} is damaged ({damaged}); restore a copy of it")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code == sqlite3.SQLITE_NOTADB:
                what = f"{self.path} is not {self._kind.title}; choose another file"
            elif code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                what = f"{self.path} is locked by another program; close it and try again"
            else:
                what = f"cannot read or write {self.path} ({error}); check the file and its folder"
            raise StudyError(what) from error
