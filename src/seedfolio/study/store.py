"""The study: every played cell, every portfolio and every evaluation of one experiment.

When a method returns, its changes are on disk; they survive ``kill -9`` and power loss.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.files import check_no_link
from seedfolio.core.program_files import is_portfolio_name
from seedfolio.errors import StudyError
from seedfolio.study import database, runs
from seedfolio.study.engine_games import EngineGames
from seedfolio.study.identity import JSON, canonical, cell_size, first_difference, parse_identity
from seedfolio.study.lock import WriterLock
from seedfolio.study.runs import UNPLAYED, CellBlock
from seedfolio.study.sqlite_file import IN_MEMORY, Database

__all__ = ["JSON", "UNPLAYED", "Study"]

_SEED_LIMIT = 2**63  # SQLite integers are below this


class Study:
    """One experiment on disk. Use ``Study.open`` to write it, ``Study.read`` to read it.

    Every method raises StudyError if reading or writing fails or the file is damaged. A cell has
    ``repeats`` games, and ``full`` points if all are won: 2 for each game without payoffs.

    >>> import numpy as np
    >>> from seedfolio import Study
    >>> seeds = np.arange(2, dtype=np.uint64)
    >>> with Study.open("a.study", {"game": "mine"}) as study:
    ...     study.record(seeds, seeds[::-1], np.array([2, 0], np.uint8))
    >>> with Study.read("a.study") as study:
    ...     study.count(), study.results(seeds, seeds).tolist()
    (2, [[255, 2], [0, 255]])
    """

    def __init__(self, opened: Database, lock: WriterLock | None) -> None:
        """Take over an open database and its lock. Callers use ``open`` or ``read`` instead."""
        self._database = opened
        self._lock = lock
        texts = self._texts("identity")
        if len(texts) != 1:
            raise opened.damaged("its identity is missing")
        self._identity = texts[0][1]
        try:
            self.repeats, self.full = cell_size(self.identity)
        except ValueError as error:
            raise opened.damaged(str(error)) from None

    @classmethod
    def open(cls, path: str | Path, identity: Mapping[str, JSON]) -> Self:
        """Create the study at ``path``, or continue it if it has the same identity.

        Only one process at a time may open a study this way; others get a StudyError at once, as
        for a symbolic link.
        """
        check_no_link(Path(path))
        path = Path(os.path.realpath(path))
        database.exists(path)  # raises for other files, before the lock is written beside them
        lock = WriterLock(path)
        try:
            if not database.exists(path):
                database.create(path, _sound(path, identity))
            opened = database.open_for_writing(path)
            try:
                study = cls(opened, lock)
                study.check_identity(identity)
            except BaseException:
                opened.connection.close()
                raise
        except BaseException:
            lock.release()
            raise
        return study

    @classmethod
    def temporary(cls, identity: Mapping[str, JSON]) -> Self:
        """Return a study in memory, which is gone when it is closed.

        >>> from seedfolio import Study, boost, load_program
        >>> program = load_program("domineering:4x4", "uct:simulations=5")
        >>> with Study.temporary(program.identity()) as study:
        ...     boosted = boost(program.game, program.player, k=8, opponents=17, study=study)
        ...     study.count()
        1594
        """
        return cls(database.open_in_memory(_sound(IN_MEMORY, identity)), None)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Open an existing study, of any identity, to read it.

        Another process may be writing it. Each call sees all that was written before the call.
        """
        path = Path(os.path.realpath(path))
        if is_portfolio_name(path):
            raise StudyError(f"{path} is a portfolio; name the .study file that it comes from")
        if not database.exists(path):
            raise StudyError(
                f"there is no study at {path}; name the .study file that boost has written"
            )
        opened = database.open_for_reading(path)
        try:
            return cls(opened, None)
        except BaseException:
            opened.connection.close()
            raise

    def close(self) -> None:
        """Close the study; closing twice is harmless."""
        if self._lock is None:
            self._database.connection.close()
            return
        try:
            # If another process is reading, SQLite would not move its log into the file on close.
            with suppress(sqlite3.Error):
                self._database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._database.connection.close()
        finally:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The path of the file, with symbolic links of its folders resolved."""
        return self._database.path

    @property
    def in_memory(self) -> bool:
        """Whether nothing of the study is on disk."""
        return self.path == IN_MEMORY

    @property
    def identity(self) -> dict[str, Any]:
        """The identity given when the study was created: its game, player and so on."""
        return parse_identity(self._identity)

    def record(
        self,
        rows: NDArray[np.uint64],
        columns: NDArray[np.uint64],
        results: NDArray[np.uint8],
        *,
        new: bool = False,
    ) -> None:
        """Store cells: ``results[i]`` is the result of ``rows[i]``, moving first, against
        ``columns[i]``, in half points of all games of the cell, from 0 to ``full``.

        Store all cells or, if this raises, none. A cell that is already known must have the same
        result; otherwise StudyError names the cell. A caller who has checked, since opening the
        study, that none of the cells is known can set ``new``; that saves looking them up. Best
        with 100 to 100,000 cells a call.
        """
        cells = CellBlock(_seeds(rows), _seeds(columns), _half_points(results, self.full))
        if not len(cells.rows) == len(cells.columns) == len(cells.results):
            raise ValueError("rows, columns and results must have equal lengths")
        if len(cells):
            with self._database.transaction():
                runs.add(self._database, cells, new)

    def results(self, rows: NDArray[np.uint64], columns: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Return the matrix of ``rows`` (moving first) against ``columns``, in half points.

        Cells not played are UNPLAYED. Arms may be in any order, and may repeat.
        """
        row_seeds, column_seeds = _seeds(rows), _seeds(columns)
        if _increasing(row_seeds) and _increasing(column_seeds):
            return self._matrix(row_seeds, column_seeds)
        row_seeds, row_at = np.unique(row_seeds, return_inverse=True)
        column_seeds, column_at = np.unique(column_seeds, return_inverse=True)
        return self._matrix(row_seeds, column_seeds)[np.ix_(row_at, column_at)]

    def lookup(self, rows: NDArray[np.uint64], columns: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Return the result of ``rows[i]`` against ``columns[i]`` for every i, or UNPLAYED."""
        cells = runs.CellBlock(_seeds(rows), _seeds(columns), np.zeros(len(rows), np.uint8))
        with self._database.guard():
            return runs.lookup(self._database, cells)

    def missing(self, rows: NDArray[np.uint64], columns: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return which cells of ``rows`` against ``columns`` are not yet played."""
        missing: NDArray[np.bool_] = self.results(rows, columns) == UNPLAYED
        return missing

    def count(self) -> int:
        """Return the number of stored cells."""
        with self._database.guard():
            return runs.count(self._database)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Save everything that the block saves, or nothing of it."""
        with self._database.transaction():
            yield

    def save_portfolio(self, name: str, text: str) -> None:
        """Save a portfolio, as JSON text; it replaces one of the same name."""
        self._save("portfolio", name, text)

    def portfolios(self) -> dict[str, str]:
        """Return all portfolios by name, sorted by name."""
        return dict(self._texts("portfolio"))

    def save_evaluation(self, name: str, text: str) -> None:
        """Save an evaluation, as JSON text; it replaces one of the same name."""
        self._save("evaluation", name, text)

    def evaluations(self) -> dict[str, str]:
        """Return all evaluations by name, sorted by name."""
        return dict(self._texts("evaluation"))

    def engine_games(self) -> EngineGames:
        """Return the games and answers of external engines."""
        return EngineGames(self._database, writable=self._lock is not None or self.in_memory)

    def log_request(self, text: str) -> None:
        """Save a request to the study, as JSON text, unless it repeats the last one."""
        requests = self.requests()
        if requests[-1:] != [text]:
            self._save("request", len(requests) + 1, text)

    def requests(self) -> list[str]:
        """Return all requests, oldest first."""
        return [text for _, text in self._texts("request")]

    def _matrix(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.uint8]:
        with self._database.guard():
            return runs.matrix(self._database, rows, columns)

    def _save(self, table: str, key: str | int, text: str) -> None:
        with self._database.transaction() as connection:
            stored = (key, text, database.checksum(str(key), text.encode()))
            connection.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", stored)

    def _texts(self, table: str) -> list[tuple[Any, str]]:
        with self._database.guard() as connection:
            stored = connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
        for key, text, checksum in stored:
            if not isinstance(text, str) or checksum != database.checksum(str(key), text.encode()):
                raise self._database.damaged(f"{table} {key} fails its checksum")
        return [(key, text) for key, text, _ in stored]

    def check_identity(self, asked: Mapping[str, JSON]) -> None:
        """Raise StudyError if this is the study of something else."""
        if difference := first_difference(self.identity, json.loads(canonical(asked))):
            key, stored, wanted = difference
            if key == "sample games":  # the last key: all else is the same
                raise StudyError(
                    f"{self.path}: the rules or the player play differently than when this study "
                    "was made: raise the version, or choose another study"
                )
            raise StudyError(
                f"{self.path} is a different study: {key} is {stored} there, "
                f"{wanted} here; choose another file"
            )


def _seeds(array: NDArray[np.uint64]) -> NDArray[np.int64]:
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError("seeds must be a one-dimensional array of integers")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < _SEED_LIMIT:
        raise ValueError("seeds must be from 0 to 2**63 - 1")
    return array.astype(np.int64)


def _increasing(seeds: NDArray[np.int64]) -> bool:
    return bool((seeds[1:] > seeds[:-1]).all())


def _half_points(array: NDArray[np.uint8], full: int) -> NDArray[np.uint8]:
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError("results must be a one-dimensional array of integers")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) <= full:
        raise ValueError(f"results must be half points from 0 to {full}")
    return array.astype(np.uint8)


def _sound(path: Path, identity: Mapping[str, JSON]) -> str:
    """Return the text of a new study's identity; StudyError if no study can have it."""
    try:
        cell_size(identity)
    except ValueError as error:
        raise StudyError(f"cannot create {path} with {error}; change `repeats`") from None
    return canonical(identity)
