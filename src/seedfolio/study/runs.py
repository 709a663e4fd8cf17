"""Cells of the matrix in runs: consecutive cells of one row or one column, a byte a cell.

Runs are only ever added, and no cell lies in two of them: what is known is looked up first, in
both directions, and only cells that are new are stored. So of the runs along one line only the
last that begins at or before a cell can hold it.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import StudyError
from seedfolio.study.database import Database, checksum

UNPLAYED = 255
"""Stands in a matrix for a cell that was not played; the half points of one are fewer."""

NEAR = 8  # seeds; cells of a line that are no further apart are looked up together
LONGEST_RUN = 4096  # so that looking up one cell reads one page or two, never megabytes
CELLS_AT_ONCE = 1 << 20  # read before they are put into the matrix: some 50 MB at work

Direction = Literal["row", "column"]
_DIRECTIONS: tuple[Direction, Direction] = ("row", "column")
Seeds = NDArray[np.int64]  # SQLite's integers; and in numpy uint64 - int gives a float

_OVERLAPPING = """
SELECT start, results, checksum FROM run
WHERE along = ?1 AND fixed = ?2 AND start <= ?4 AND start >= coalesce(
    (SELECT max(start) FROM run WHERE along = ?1 AND fixed = ?2 AND start <= ?3), ?3)
"""


@dataclass(frozen=True, slots=True)
class Cells:
    """Played cells: ``results[i]`` is that of ``rows[i]`` against ``columns[i]``."""

    rows: Seeds
    columns: Seeds
    results: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        return type(self)(self.rows[which], self.columns[which], self.results[which])

    def sorted_along(self, along: Direction) -> Self:
        """Return the cells row after row, or column after column."""
        keys = (self.columns, self.rows) if along == "row" else (self.rows, self.columns)
        return self[np.lexsort(keys)]

    def lines(self, along: Direction) -> tuple[Seeds, Seeds]:
        """Return the seeds that stay the same along a line, and those that change."""
        return (self.rows, self.columns) if along == "row" else (self.columns, self.rows)


def add(database: Database, cells: Cells, new: bool) -> None:
    """Store the cells that are new; raise StudyError where one is known with another result.

    With `new` all of them are, as somebody has looked.
    """
    cells = _without_repeats(cells.sorted_along("row"))
    for along in _DIRECTIONS:
        cells = cells.sorted_along(along)
        if new:
            continue
        known = _known(database, along, *cells.lines(along))
        _refuse(cells, known, (known != UNPLAYED) & (known != cells.results))
        cells = cells[known == UNPLAYED]
    by_row = cells.sorted_along("row")
    row_runs, column_runs = _spans(*by_row.lines("row")), _spans(*cells.lines("column"))
    if len(row_runs) <= len(column_runs):
        _insert(database, "row", row_runs, by_row.results)
    else:
        _insert(database, "column", column_runs, cells.results)


def matrix(database: Database, rows: Seeds, columns: Seeds) -> NDArray[np.uint8]:
    """Return what is known of ``rows`` against ``columns``, both strictly increasing."""
    known = np.full((len(rows), len(columns)), UNPLAYED, dtype=np.uint8)
    if known.size:
        _fill(database, "row", rows, columns, known)
        _fill(database, "column", columns, rows, known.T)
    return known


def lookup(database: Database, cells: Cells) -> NDArray[np.uint8]:
    """Return what is known of single cells, in any order."""
    known = np.full(len(cells), UNPLAYED, dtype=np.uint8)
    for along in _DIRECTIONS:
        fixed, moving = cells.lines(along)
        order = np.lexsort((moving, fixed))
        order = order[known[order] == UNPLAYED]
        known[order] = _known(database, along, fixed[order], moving[order])
    return known


def count(database: Database) -> int:
    """Return how many cells are stored."""
    query = "SELECT coalesce(sum(length(results)), 0) FROM run"
    (cells,) = database.connection.execute(query).fetchone()
    return int(cells)


def _without_repeats(cells: Cells) -> Cells:
    """Drop all but the first of equal neighbours; they must agree."""
    first = np.ones(len(cells), dtype=np.bool_)
    first[1:] = (cells.rows[1:] != cells.rows[:-1]) | (cells.columns[1:] != cells.columns[:-1])
    before = np.roll(cells.results, 1)
    _refuse(cells, before, ~first & (before != cells.results))
    return cells[first]


def _refuse(cells: Cells, known: NDArray[np.uint8], clash: NDArray[np.bool_]) -> None:
    if clash.any():
        at = int(np.argmax(clash))
        raise StudyError(
            f"seed {cells.rows[at]} against seed {cells.columns[at]} gave {known[at]} half points "
            f"before and {cells.results[at]} now: the game or the player is not deterministic; "
            "give a changed player a new version, and choose another file"
        )


def _spans(fixed: Seeds, moving: Seeds) -> list[tuple[int, int, int, int]]:
    """Cut cells that are sorted along a direction into runs.

    Each is (the seed of its line, the other seed in its first cell, begin, end), where the run
    takes the cells from index ``begin`` up to, not including, ``end``.
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


def _known(database: Database, along: Direction, fixed: Seeds, moving: Seeds) -> NDArray[np.uint8]:
    """Return the results, or UNPLAYED, of cells sorted along that direction."""
    known = bytearray([UNPLAYED]) * len(fixed)
    seeds = moving.tolist()
    for line, begin, end in _groups(fixed, moving):
        for start, run in _overlapping(database, along, line, seeds[begin], seeds[end - 1]):
            low = bisect_left(seeds, start, begin, end)
            high = bisect_left(seeds, start + len(run), low, end)
            if low == high:
                continue
            first, last = seeds[low] - start, seeds[high - 1] - start
            if last - first == high - low - 1:
                known[low:high] = run[first : last + 1]
            else:
                known[low:high] = bytes(run[seed - start] for seed in seeds[low:high])
    return np.frombuffer(known, dtype=np.uint8)


def _groups(fixed: Seeds, moving: Seeds) -> list[tuple[int, int, int]]:
    """Cut cells that are sorted along a direction into groups of one line that lie near each other.

    Each is (the seed of its line, begin, end).
    """
    begins = np.ones(len(fixed), dtype=np.bool_)
    begins[1:] = (fixed[1:] != fixed[:-1]) | (moving[1:] > moving[:-1] + NEAR)
    at = np.flatnonzero(begins)
    ends = np.append(at, len(fixed))[1:]
    return list(zip(fixed[at].tolist(), at.tolist(), ends.tolist(), strict=True))


def _overlapping(
    database: Database, along: Direction, fixed: int, first: int, last: int
) -> Iterator[tuple[int, bytes]]:
    """Yield (start, results) of the runs of one line that may hold seeds in [first, last]."""
    found = database.connection.execute(_OVERLAPPING, (along, fixed, first, last))
    for start, run, stored in found:
        # What SQLite returns from a damaged file may be of any type.
        typed = isinstance(start, int) and isinstance(run, bytes)
        if not typed or stored != checksum(f"{along} {fixed} {start}", run):
            raise database.damaged(f"the run along {along} {fixed} from {start} fails its checksum")
        yield start, run


def _fill(
    database: Database,
    along: Direction,
    lines: Seeds,
    crossing: Seeds,
    known: NDArray[np.uint8],
) -> None:
    """Put the runs of one direction into ``known``, indexed [line, crossing]."""
    first, last = int(crossing[0]), int(crossing[-1])
    indices: list[int] = []
    starts: list[int] = []
    runs: list[bytes] = []
    cells = 0
    for index, line in enumerate(lines.tolist()):
        for start, run in _overlapping(database, along, line, first, last):
            indices.append(index)
            starts.append(start)
            runs.append(run)
            cells += len(run)
        if cells >= CELLS_AT_ONCE:
            _scatter(indices, starts, runs, crossing, known)
            indices, starts, runs, cells = [], [], [], 0
    _scatter(indices, starts, runs, crossing, known)


def _scatter(
    indices: list[int],
    starts: list[int],
    runs: list[bytes],
    crossing: Seeds,
    known: NDArray[np.uint8],
) -> None:
    lengths = np.array([len(run) for run in runs], dtype=np.int64)
    results = np.frombuffer(b"".join(runs), dtype=np.uint8)
    line = np.repeat(np.array(indices, dtype=np.intp), lengths)
    offsets = np.cumsum(lengths) - lengths
    seeds = np.repeat(np.array(starts, dtype=np.int64) - offsets, lengths) + np.arange(len(results))
    at = np.searchsorted(crossing, seeds)
    at[at == len(crossing)] = 0
    wanted = crossing[at] == seeds
    known[line[wanted], at[wanted]] = results[wanted]
