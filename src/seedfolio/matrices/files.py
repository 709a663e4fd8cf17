"""Matrices in files: CSV, NumPy's formats, tournaments as PGN or as their program's output."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable
from math import nan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.files import read_regular
from seedfolio.errors import SpecificationError
from seedfolio.matrices.payoffs import Payoffs, as_numbers
from seedfolio.matrices.tournaments import Tally, read_output, read_pgn

_MOST_BYTES = 2**31
_MISSING = {"", "-", "?", "*", "nan", "na", "none", "null"}
_FIRST = {"row", "first", "white", "player 1", "player1"}
_SECOND = {"column", "second", "black", "player 2", "player2"}
_SUCCESS = {"result", "score", "success", "payoff"}
_RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
_HALF_POINTS = re.compile(r"half points of (\d+)")
_UNPLAYED = 255
_ENDINGS = (".csv", ".tsv", ".npz", ".npy", ".pgn", ".txt", ".log")
_Limits = tuple[float | None, float | None]


def is_matrix_name(path: str | Path) -> bool:
    """Tell whether a name is that of a matrix in a file."""
    return Path(path).suffix.lower() in _ENDINGS


def read_payoffs(path: Path, limits: _Limits = (None, None)) -> Payoffs:
    """Read a matrix; its ending says what it is. SpecificationError in one line if that fails."""
    readers: dict[str, Callable[[bytes, Path, _Limits], Payoffs]] = {
        ".csv": _csv,
        ".tsv": _csv,
        ".npz": _numpy,
        ".npy": _numpy,
        ".pgn": lambda content, path, _: read_pgn(content, str(path)),
        ".txt": lambda content, path, _: read_output(content, str(path)),
        ".log": lambda content, path, _: read_output(content, str(path)),
    }
    read = readers.get(path.suffix.lower())
    if read is None:
        raise SpecificationError(
            f"{path} is no matrix: name a file that ends in .csv, .tsv, .npz, .npy, .pgn, or the "
            "output of a tournament in .txt or .log"
        )
    try:
        content = read_regular(path, _MOST_BYTES)
    except OSError as error:
        raise SpecificationError(f"cannot read {path}: {error.strerror}") from error
    return read(content, path, limits)


def _csv(content: bytes, path: Path, limits: _Limits) -> Payoffs:
    text = content.decode("utf-8-sig", errors="replace")
    first = text.partition("\n")[0]
    delimiter = max("\t;,", key=first.count)  # of equals, the first: a comma only with none
    delimiter = delimiter if delimiter in first else ","
    try:
        lines = [
            (number, [cell.strip() for cell in line])
            for number, line in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), 1)
            if any(cell.strip() for cell in line) and not line[0].startswith("#")
        ]
    except csv.Error as error:
        raise SpecificationError(f"{path} is not CSV: {error}") from None
    if not lines:
        raise SpecificationError(f"{path} is empty; it needs a line of names, and a line a player")
    heading = [cell.lower() for cell in lines[0][1]]
    if {*heading} & _FIRST and {*heading} & _SECOND:
        return _listed(lines, heading, path, limits)
    return _wide(lines, path, limits)


_Lines = list[tuple[int, list[str]]]


def _wide(lines: _Lines, path: Path, limits: _Limits) -> Payoffs:
    """Read names above and beside a matrix; or, if the first cell is a number, a matrix alone."""
    corner = lines[0][1][0]
    named = corner.lower() in _MISSING or not _is_cell(corner)
    columns = lines[0][1][1:] if named else None
    body = lines[1:] if named else lines
    rows = [cells[0] for _, cells in body] if named else None
    width = len(lines[0][1]) - named
    values = np.full((len(body), width), nan)
    games = np.zeros((len(body), width), np.int64)
    for row, (number, cells) in enumerate(body):
        own = cells[1:] if named else cells
        if len(own) != width:
            raise SpecificationError(
                f"{path} line {number} has {len(own)} results, and the first line has {width}"
            )
        for column, cell in enumerate(own):
            try:
                values[row, column], games[row, column] = _cell(cell)
            except ValueError:
                raise SpecificationError(
                    f"{path} line {number}: {cell[:40]!r} is neither a number, nor points/games "
                    "such as 5.5/10, nor empty"
                ) from None
    if values.size == 0:
        raise SpecificationError(f"{path} has no results below its names")
    if half := _HALF_POINTS.search(corner):
        values /= int(half[1])
        limits = 0.0, 1.0
    known = games if games.any() else None
    return Payoffs.of(str(path), as_numbers(values), (rows, columns), known, limits)


def _is_cell(text: str) -> bool:
    try:
        _cell(text)
    except ValueError:
        return False
    return True


def _cell(text: str) -> tuple[float, int]:
    """Return the mean of a cell and its games, 0 if unknown; ValueError if it is neither."""
    if text.lower() in _MISSING:
        return nan, 0
    points, slash, games = text.partition("/")
    if not slash:
        return float(text), 0
    count = int(games)
    if count < 0:
        raise ValueError
    return (float(points) / count, count) if count else (nan, 0)


def _listed(lines: _Lines, heading: list[str], path: Path, limits: _Limits) -> Payoffs:
    """Read a line for each pair of players, or for each game."""

    def place(names: set[str]) -> int | None:
        return next((k for k, name in enumerate(heading) if name in names), None)

    first, second, count = place(_FIRST), place(_SECOND), place({"games"})
    points, success = place({"points"}), place(_SUCCESS)
    won = success if points is None else points
    both = points is not None and success is not None
    if first is None or second is None or won is None or both:
        raise SpecificationError(
            f"{path}: a list of results has columns row, column, and either points, the sum of "
            "some games, or success, their mean; and games if a line has several"
        )
    tally = Tally()
    for number, cells in lines[1:]:
        try:
            games = 1 if count is None else int(cells[count])
            told = cells[won]
            each = _RESULTS[told] if told in _RESULTS else float(told)
            if games < 1 or not np.isfinite(each):
                raise ValueError
            tally.add(cells[first], cells[second], each * (games if points is None else 1), games)
        except (IndexError, ValueError):
            raise SpecificationError(
                f"{path} line {number} is not a result: {','.join(cells)[:60]!r}"
            ) from None
    return tally.payoffs(str(path), limits)


def _numpy(content: bytes, path: Path, limits: _Limits) -> Payoffs:
    """Read an array, or an archive of `matrix`, and if there are such `games`, `rows`, `columns`.

    A study's export has `half_points` and `full` in place of `matrix`.
    """
    try:
        loaded = np.load(io.BytesIO(content), allow_pickle=False)
        arrays = {name: loaded[name] for name in loaded} if hasattr(loaded, "files") else None
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise SpecificationError(f"{path} is not of NumPy: {str(error)[:80]}") from None
    if arrays is None:
        return Payoffs.of(str(path), as_numbers(loaded), limits=limits)
    rows, columns = (
        None if name not in arrays else arrays[name].ravel().tolist()
        for name in ("rows", "columns")
    )
    names = rows, columns
    if "half_points" in arrays and "full" in arrays:
        points = as_numbers(arrays["half_points"])
        points[points == _UNPLAYED] = nan
        return Payoffs.of(str(path), points / int(arrays["full"]), names, limits=(0.0, 1.0))
    one = next(iter(arrays.values())) if len(arrays) == 1 else None
    matrix = arrays.get("matrix", one)
    if matrix is None:
        raise SpecificationError(f"{path} has several arrays, and none is called matrix")
    values = as_numbers(matrix)
    games: NDArray[np.int64] | None = None
    if "games" in arrays:
        if arrays["games"].shape != values.shape or arrays["games"].dtype.kind not in "iu":
            raise SpecificationError(f"{path}: games needs a whole number for each cell of matrix")
        games = arrays["games"].astype(np.int64)
        values[games == 0] = nan
    return Payoffs.of(str(path), values, names, games, limits)
