"""Cells of the matrix, stored in runs: consecutive cells of one row or column, one byte a cell.

Runs are only added, never changed, and no cell is in two runs: before storing, known cells are
looked up in both directions, and only new cells are stored. So among the runs of one line, only the
last that begins at or before a cell can contain it.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import StudyError
from seedfolio.study.database import checksum
from seedfolio.study.sqlite_file import Database

UNPLAYED = 255
"""The value of a cell that was not played. It is larger than any result."""

NEAR = 8  # cells of a line that are at most this many seeds apart are looked up together
LONGEST_RUN = 4096  # so that looking up one cell reads one or two pages, never megabytes
GROUPS_AT_ONCE = 200  # groups for each query; some SQLite versions allow only 999 parameters

Direction = Literal["row", "column"]
_DIRECTIONS: tuple[Direction, Direction] = ("row", "column")
Seeds = NDArray[np.int64]  # as SQLite's integers; and in numpy uint64 - int is a float

# For each group of cells, the runs of its line that may contain some of them.
_OVERLAPPING = """
WITH asked (number, line, low, high) AS (VALUES {groups})
SELECT number, start, results, checksum FROM asked CROSS JOIN run
ON along = ? AND fixed = line AND start <= high AND start >= coalesce(
    (SELECT max(start) FROM run WHERE along = ? AND fixed = line AND start <= low), low)
"""
Group = tuple[int, int, int]
"""(the seed of a line, begin, end): its cells from index begin up to, not including, end."""


@dataclass(frozen=True, slots=True)
class CellBlock:
    """Played cells: ``results[i]`` is the result of ``rows[i]`` against ``columns[i]``."""

    rows: Seeds
    columns: Seeds
    results: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        return type(self)(self.rows[which], self.columns[which], self.results[which])

    def lines(self, along: Direction) -> tuple[Seeds, Seeds]:
        """Return the seeds that stay the same along a line, and those that change."""
        return (self.rows, self.columns) if along == "row" else (self.columns, self.rows)


def add(database: Database, cells: CellBlock, new: bool) -> None:
    """Store the new cells; raise StudyError if a known cell has another result.

    With `new` the caller knows that all cells are new, and they are not looked up.
    """
    cells = _without_repeats(cells[_order(cells.rows, cells.columns)])
    if not new:
        known = lookup(database, cells)
        _refuse(cells, known, (known != UNPLAYED) & (known != cells.results))
        cells = cells[known == UNPLAYED]
    row_runs = _spans(cells.rows, cells.columns)
    # A run along a column has at most one cell of each row, so here column runs are no fewer.
    if len(row_runs) * _distinct(cells.rows) <= len(cells):
        _insert(database, "row", row_runs, cells.results)
        return
    by_column = cells[_order(cells.columns, cells.rows)]
    column_runs = _spans(by_column.columns, by_column.rows)
    if len(row_runs) <= len(column_runs):
        _insert(database, "row", row_runs, cells.results)
    else:
        _insert(database, "column", column_runs, by_column.results)


def matrix(database: Database, rows: Seeds, columns: Seeds) -> NDArray[np.uint8]:
    """Return the known results of ``rows`` against ``columns``, both strictly increasing."""

    def found(along: Direction) -> NDArray[np.uint8]:
        if along == "row":
            return _lines(database, "row", rows, columns)
        return _lines(database, "column", columns, rows).T

    # Fewer lines take less time, and often all cells are in runs of one direction.
    first, second = _DIRECTIONS if len(rows) <= len(columns) else _DIRECTIONS[::-1]
    known = found(first)
    if (known != UNPLAYED).all():
        return np.ascontiguousarray(known)
    # No cell is in runs of both directions, and UNPLAYED is larger than any result.
    both: NDArray[np.uint8] = np.minimum(known, found(second), order="C")
    return both


def lookup(database: Database, cells: CellBlock) -> NDArray[np.uint8]:
    """Return the known results of single cells, in any order."""
    known = np.full(len(cells), UNPLAYED, dtype=np.uint8)
    for along in _DIRECTIONS:
        fixed, moving = cells.lines(along)
        order = _order(fixed, moving)
        order = order[known[order] == UNPLAYED]
        known[order] = _cells(database, along, fixed[order], moving[order])
    return known


def count(database: Database) -> int:
    """Return how many cells are stored."""
    query = "SELECT coalesce(sum(length(results)), 0) FROM run"
    (cells,) = database.connection.execute(query).fetchone()
    return int(cells)


def _order(fixed: Seeds, moving: Seeds) -> NDArray[np.intp]:
    """Return the indices that sort cells by line, then along it."""
    same, later = fixed[1:] == fixed[:-1], fixed[1:] > fixed[:-1]
    if (later | (same & (moving[1:] >= moving[:-1]))).all():  # as for the cells of a rectangle
        return np.arange(len(fixed))
    return np.lexsort((moving, fixed))


def _distinct(ordered: Seeds) -> int:
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + 1


def _without_repeats(cells: CellBlock) -> CellBlock:
    """Drop all but the first of equal neighbours; their results must agree."""
    first = np.ones(len(cells), dtype=np.bool_)
    first[1:] = (cells.rows[1:] != cells.rows[:-1]) | (cells.columns[1:] != cells.columns[:-1])
    if first.all():
        return cells
    before = np.roll(cells.results, 1)
    _refuse(cells, before, ~first & (before != cells.results))
    return cells[first]


def _refuse(cells: CellBlock, known: NDArray[np.uint8], clash: NDArray[np.bool_]) -> None:
    if clash.any():
        at = int(np.argmax(clash))
        raise StudyError(
            f"seed {cells.rows[at]} against seed {cells.columns[at]} gave {known[at]} half points "
            f"before and {cells.results[at]} now: the game or the player is not deterministic; "
            "if you changed the player, give it a new version; choose another file"
        )


def _spans(fixed: Seeds, moving: Seeds) -> list[tuple[int, int, int, int]]:
    """Cut cells that are sorted along a direction into runs.

    A run is (the seed of its line, the other seed of its first cell, begin, end). It has the cells
    from index ``begin`` up to, not including, ``end``.
    """
    begins = np.ones(len(fixed), dtype=np.bool_)
    begins[1:] = (fixed[1:] != fixed[:-1]) | (moving[1:] != moving[:-1] + 1)
    begins |= moving % LONGEST_RUN == 0
    at = np.flatnonzero(begins)
    ends = np.append(at, len(fixed))[1:]
    seeds = fixed[at].tolist(), moving[at].tolist()
    return list(zip(*seeds, at.tolist(), ends.tolist(), strict=True))


def _insert(
    database: Database,
    along: Direction,
    spans: list[tuple[int, int, int, int]],
    results: NDArray[np.uint8],
) -> None:
    database.connection.executemany(
        "INSERT INTO run VALUES (?, ?, ?, ?, ?)",
        (
            (along, line, start, run, checksum(f"{along} {line} {start}", run))
            for line, start, begin, end in spans
            for run in (results[begin:end].tobytes(),)
        ),
    )


def _groups(fixed: Seeds, moving: Seeds) -> list[Group]:
    """Cut cells that are sorted along a direction into groups of near cells (see NEAR)."""
    begins = np.ones(len(fixed), dtype=np.bool_)
    begins[1:] = (fixed[1:] != fixed[:-1]) | (moving[1:] > moving[:-1] + NEAR)
    at = np.flatnonzero(begins)
    ends = np.append(at, len(fixed))[1:]
    return list(zip(fixed[at].tolist(), at.tolist(), ends.tolist(), strict=True))


def _cells(database: Database, along: Direction, fixed: Seeds, moving: Seeds) -> NDArray[np.uint8]:
    """Return the results, or UNPLAYED, of cells sorted along that direction, from its runs."""
    known = bytearray([UNPLAYED]) * len(fixed)
    for _, low, found in _found(database, along, _groups(fixed, moving), moving):
        known[low : low + len(found)] = found
    return np.frombuffer(known, dtype=np.uint8)


def _lines(
    database: Database, along: Direction, lines: Seeds, crossing: Seeds
) -> NDArray[np.uint8]:
    """Return the results, or UNPLAYED, of the cells [line, crossing], from runs along the lines."""
    length = len(crossing)
    known = bytearray([UNPLAYED]) * (len(lines) * length)
    groups = [(line, 0, length) for line in lines.tolist()] if length else []
    for number, low, found in _found(database, along, groups, crossing):
        at = number * length + low
        known[at : at + len(found)] = found
    return np.frombuffer(known, dtype=np.uint8).reshape(len(lines), length)


def _found(
    database: Database, along: Direction, groups: list[Group], moving: Seeds
) -> Iterator[tuple[int, int, bytes]]:
    """Look up groups of cells, each with its seeds ``moving[begin:end]`` in increasing order.

    Yield (the number of a group, low, results): the results of that group's cells from
    ``moving[low]`` on.
    """
    seeds = moving.tolist()
    distinct = bool((moving[1:] > moving[:-1]).all())
    for number, start, run in _overlapping(database, along, groups, seeds):
        _, begin, end = groups[number]
        low = bisect_left(seeds, start, begin, end)
        high = bisect_left(seeds, start + len(run), low, end)
        many = high - low
        # A single cell, or consecutive seeds, are a slice of the run; that is many times faster.
        if many == 1 or (distinct and many > 1 and seeds[high - 1] - seeds[low] == many - 1):
            at = seeds[low] - start
            yield number, low, run[at : at + many]
        elif many > 1:
            results = np.frombuffer(run, dtype=np.uint8)
            yield number, low, results[moving[low:high] - start].tobytes()


def _overlapping(
    database: Database, along: Direction, groups: list[Group], seeds: list[int]
) -> Iterator[tuple[int, int, bytes]]:
    """Yield (the number of a group, start, results) for the runs that may contain its cells."""
    for top in range(0, len(groups), GROUPS_AT_ONCE):
        some = groups[top : top + GROUPS_AT_ONCE]
        asked = [
            value
            for number, (line, begin, end) in enumerate(some, top)
            for value in (number, line, seeds[begin], seeds[end - 1])
        ]
        query = _OVERLAPPING.format(groups=", ".join(["(?, ?, ?, ?)"] * len(some)))
        found = database.connection.execute(query, (*asked, along, along))
        for number, start, run, stored in found:
            line = groups[number][0]
            # From a damaged file SQLite may return values of any type.
            typed = isinstance(start, int) and isinstance(run, bytes)
            if not typed or stored != checksum(f"{along} {line} {start}", run):
                what = f"the run along {along} {line} from {start} fails its checksum"
                raise database.damaged(what)
            yield number, start, run
