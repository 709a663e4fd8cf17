"""SQLite files that may come from elsewhere: opening one runs nothing of it, and ends.

A view, a trigger, a generated column or an index on an expression is a program inside the file,
which SQLite would run. So a file may have only the tables and indexes that Seedfolio makes, and
their texts must be the same. The files beside it must be what SQLite and Seedfolio leave there.
"""

import os
import sqlite3
import stat
import sys
from contextlib import closing
from functools import cache
from pathlib import Path

from seedfolio.core.files import check_no_link
from seedfolio.errors import StudyError

_BESIDE = ("-wal", "-shm", "-journal", "-lock")
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
_MOST_STEPS = 100_000
"""Of SQLite's machine, to read a schema; ours takes some hundreds. A table whose pages lead to each
other can have more rows than anybody can read."""
_MOST_BYTES = 100_000
"""Of one text in a schema; a page that leads to itself can hold a gigabyte."""
_KINDS = {"table": "a table", "index": "an index", "view": "a view", "trigger": "a trigger"}

Schema = frozenset[tuple[str, str, str, str | None]]
"""Kind, name, table and text of each table and index."""


@cache
def schema_of(*statements: str) -> Schema:
    """Return what SQLite keeps of the statements that make a schema."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements:
            connection.executescript(statement)
        return frozenset(_parts(connection, -1))


def check_place(path: Path) -> None:
    """Raise StudyError if a database at `path`, new or there, is not to be opened to write it."""
    check_no_link(path)
    if path.exists() and not path.is_file():
        raise StudyError(f"{path} is not a regular file; choose another file")
    check_files_beside(path)


def check_files_beside(path: Path) -> None:
    """Raise StudyError if SQLite would do harm with a file beside the one at `path`."""
    for suffix in _BESIDE:
        beside = path.with_name(path.name + suffix)
        try:
            mode = beside.lstat().st_mode
        except (OSError, ValueError):
            continue  # there is none, or opening the file says what is wrong
        if not stat.S_ISREG(mode):
            raise StudyError(f"{beside} is not a regular file; delete it, or choose another file")
    journal = path.with_name(path.name + "-journal")
    if _names_another_file(journal):
        raise StudyError(
            f"{journal} is not from Seedfolio: SQLite would delete a file that it names; delete "
            "it, or choose another file"
        )


def _names_another_file(journal: Path) -> bool:
    # The end of a journal can name the journal of several databases, which SQLite deletes, whatever
    # it is. We never write to several at once.
    try:
        with journal.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - len(_JOURNAL_MAGIC)))
            return file.read() == _JOURNAL_MAGIC and size > len(_JOURNAL_MAGIC)
    except (OSError, ValueError):
        return False


def harden(connection: sqlite3.Connection) -> None:
    """Have SQLite trust nothing in the file; to be called before anything is read from it."""
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_VIEW, False)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def foreign_part(
    connection: sqlite3.Connection, known: Schema, needed: Schema = frozenset()
) -> str | None:
    """Say what in the schema of a file is not ours, or that a needed part is missing.

    Call it before any other statement that reads tables. It raises sqlite3.Error for a file that
    SQLite itself refuses.
    """
    longest = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    connection.set_progress_handler(lambda: 1, _MOST_STEPS)
    try:
        found = _parts(connection, len(known) + 1)
    except (sqlite3.DataError, sqlite3.OperationalError) as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code not in (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG):
            raise
        return "a schema that is far too large"
    finally:
        connection.set_progress_handler(None, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    names = {part[:2] for part in known}
    for part in found:
        if part not in known:
            kind = _KINDS.get(str(part[0]), "a part")
            changed = " with another definition" if part[:2] in names else ""
            return f"{kind} named {part[1]!a:.60}{changed}"
    for kind, name, *_ in sorted(needed.difference(found), key=str):
        return f"no {kind} named {name!a}"
    return None


def damaged_part(connection: sqlite3.Connection) -> str | None:
    """Say what is wrong with the pages of a file whose schema is ours; None if nothing is.

    Then each page is used once, so that no reading is longer than the file.
    """
    # About 0.1 s for fifteen million cells: cheap, compared with results lost in a damaged file.
    (verdict, *_) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return None if verdict == "ok" else " ".join(str(verdict).split())


def _parts(connection: sqlite3.Connection, most: int) -> list[tuple[str, str, str, str | None]]:
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ?"
    return [
        (kind, name, table, text) for kind, name, table, text in connection.execute(query, (most,))
    ]
