"""The database of a page: games and secrets, in one SQLite file in its folder.

When a method returns, its changes are on disk: a server that is killed loses no finished move.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

from seedfolio.core.files import create_private
from seedfolio.errors import StudyError
from seedfolio.study.sqlite_file import Database, FileKind, connected, write_ahead
from seedfolio.study.sqlite_guard import check_place, damaged_part, foreign_part, schema_of

FILE = "seedfolio-web.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS secret (value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS game (
    id TEXT PRIMARY KEY,
    visitor TEXT NOT NULL,
    kind TEXT NOT NULL,
    opponent TEXT NOT NULL,
    person INTEGER NOT NULL,
    key TEXT NOT NULL,
    history TEXT NOT NULL,
    resigned INTEGER NOT NULL DEFAULT 0,
    over INTEGER NOT NULL DEFAULT 0,
    failure TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    created REAL NOT NULL,
    changed REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS game_visitor ON game (visitor, over, changed);
CREATE INDEX IF NOT EXISTS game_over ON game (over);
CREATE TABLE IF NOT EXISTS game_elsewhere (  -- blind and of teaching: their moves are not here
    id TEXT PRIMARY KEY,
    visitor TEXT NOT NULL,
    changed REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS game_elsewhere_visitor ON game_elsewhere (visitor, changed);
CREATE INDEX IF NOT EXISTS game_elsewhere_changed ON game_elsewhere (changed);
CREATE INDEX IF NOT EXISTS game_open ON game (over, changed);
CREATE TABLE IF NOT EXISTS blind_series (
    token TEXT PRIMARY KEY,
    visitor TEXT NOT NULL,
    portfolio TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS blind_series_visitor ON blind_series (visitor, portfolio);
CREATE TABLE IF NOT EXISTS pupil (
    id TEXT PRIMARY KEY,
    visitor TEXT NOT NULL,
    opponent TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (visitor, opponent, name)
);
"""
"""A file with another text of a table or index is refused: do not edit what is there."""


_PAGE_FILE = FileKind("the database of a page", 0, 0, (_SCHEMA,))


class WebDatabase:
    """An open database, for all threads of one server."""

    def __init__(self, folder: Path) -> None:
        """Open or create the database of a folder; StudyError if that fails."""
        self.path = folder / FILE
        check_place(self.path)
        create_private(self.path)  # visitors, their names and their results
        with connected(self.path, _PAGE_FILE, "mode=rw", shared=True) as connection:
            connection.row_factory = sqlite3.Row
            self._check(connection)
            write_ahead(self.path, connection)
            connection.executescript(_SCHEMA)
            self._file = Database(self.path, connection, _PAGE_FILE)
            self.secret = self._load_secret()

    def _check(self, connection: sqlite3.Connection) -> None:
        """Raise StudyError for a file of others; versions before may lack some tables."""
        if foreign := foreign_part(connection, schema_of(_SCHEMA)):
            raise StudyError(
                f"{self.path} is not a database as Seedfolio writes it: it has {foreign}; choose "
                "another folder"
            )
        if damaged := damaged_part(connection):
            raise StudyError(f"{self.path} is damaged ({damaged}); restore a copy of it")

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """Lend the connection for one transaction, which is on disk when the block ends."""
        return self._file.transaction()

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Return the rows of a query."""
        with self._file.guard() as connection:
            return connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Close it; closing twice is harmless."""
        self._file.close()

    def _load_secret(self) -> bytes:
        with self.transaction() as connection:
            row = connection.execute("SELECT value FROM secret").fetchone()
            if row is not None:
                return bytes(row["value"])
            made = secrets.token_bytes(32)
            connection.execute("INSERT INTO secret VALUES (?)", (made,))
            return made
