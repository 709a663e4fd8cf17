"""A checkpoint: a file beside the study from which learning a book continues."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from seedfolio.core.files import atomic_write, read_regular
from seedfolio.errors import StudyError
from seedfolio.learning.book.decisions import Caution
from seedfolio.learning.book.self_play import Experience
from seedfolio.learning.book.statistics import Rows
from seedfolio.players.books.table import NO_STATE

_CHECKSUM = "checksum"
_MOST_BYTES = 16 * 2**30
"""Far more than the checkpoint of a book needs."""

Arrays = dict[str, NDArray[Any]]


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays and a checksum over all of them; the file changes at once or not at all."""
    whole: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
    whole[_CHECKSUM] = np.array(_digest(whole))
    atomic_write(path, lambda file: np.savez(file, **whole))


def read_arrays(path: Path) -> Arrays:
    """Return all arrays of a file; OSError if it cannot be read, ValueError if it is damaged.

    Files of earlier versions have no checksum.
    """
    content = read_regular(path, _MOST_BYTES)
    try:
        arrays = _parsed(content)
    except Exception as error:  # the readers of both formats raise whatever they meet
        what = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(what) from error
    checksum = arrays.pop(_CHECKSUM, None)
    if checksum is not None and str(checksum) != _digest(arrays):
        raise ValueError("its content does not match its checksum")
    return arrays


def _parsed(content: bytes) -> Arrays:
    arrays: Arrays = {}
    with ZipFile(io.BytesIO(content)) as file:
        for part in file.infolist():
            name = part.filename.removesuffix(".npy")
            if part.compress_type != ZIP_STORED or part.file_size > len(content):
                raise ValueError(f"{name!r} is compressed, or larger than the file")
            if name in arrays:
                raise ValueError(f"{name!r} is there twice")
            arrays[name] = _array(file.read(part))
    return arrays


def _array(data: bytes) -> NDArray[Any]:
    """Return the array that bytes hold; nothing is allocated for what is not there."""
    file = io.BytesIO(data)
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, kind = read(file)
    rest = len(data) - file.tell()
    if kind.kind not in "iuU" or kind.hasobject or len(shape) > 1:
        raise ValueError(f"an array of kind {kind} and shape {shape}")
    length = shape[0] if shape else 1
    if length < 0 or length * kind.itemsize != rest:
        raise ValueError(f"an array of {length} has {rest} bytes")
    found = np.frombuffer(data, kind, length, file.tell())
    return found if shape else found.reshape(())


def _digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return a checksum of the names, kinds and bytes of arrays, in order of their names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


_FORMAT = "seedfolio book 5"
"""Changes when other games are played, or the same games would lead to other decisions."""
_MOST_BOOKS, _MOST_GAMES, _MOST_MOVE = 2**8, 2**32, 2**15
_NO_STATE = np.uint64(NO_STATE)


def save_checkpoint(experience: Experience, path: Path, mark: str) -> None:
    """Write all experience. `mark` identifies the program."""
    arrays: dict[str, Any] = {
        name: column
        for colour, side in enumerate(experience.colours)
        for book, seen in enumerate(side)
        for name, column in zip(_names(colour, book), seen.rows.columns, strict=True)
    }
    arrays |= {"games": np.int64(experience.games), "books": np.int64(len(experience.colours[0]))}
    write_arrays(path, arrays | {"format": _FORMAT, "mark": mark})


def load_checkpoint(
    path: Path, mark: str, caution: Caution | None = None, *, books: int | None = None
) -> Experience:
    """Read what `save_checkpoint` wrote; StudyError if it is unreadable or has another mark.

    `books` is how many of each colour there must be; None: any number.
    """
    try:
        file = read_arrays(path)
        found = str(file["format"]), str(file["mark"])
        if found != (_FORMAT, mark):
            raise StudyError(
                f"{path} is of another program or version; delete it, and the book is learnt again"
            )
        number, games = _number(file, "books", 1, _MOST_BOOKS), _number(file, "games", None)
        if books not in (None, number):
            raise ValueError(f"it has {number} books, not {books}")
        rows = [
            [_rows([file[name] for name in _names(colour, book)]) for book in range(number)]
            for colour in (0, 1)
        ]
        for side in rows:
            if 2 * sum(int(each.games.sum(dtype=np.int64)) for each in side) != games:
                raise ValueError(f"its rows do not add up to {games} games")
        return Experience.of(rows, games, caution)
    except (OSError, ValueError, KeyError) as error:
        raise StudyError(
            f"{path} is not a sound checkpoint of a book ({error}); delete it, and the same "
            "command learns the book again: the games in the study remain"
        ) from error


def _number(file: Arrays, name: str, default: int | None, most: int = _MOST_GAMES) -> int:
    """Return a whole number of the file; files of one book do not say how many there are."""
    if default is not None and name not in file:
        return default
    if file[name].shape != () or file[name].dtype.kind not in "iu":
        raise ValueError(f"{name} is not a number")
    number = int(file[name])
    if not 0 <= number <= most:
        raise ValueError(f"{name} is {number}")
    return number


def _rows(columns: list[NDArray[Any]]) -> Rows:
    """Return the rows of columns; ValueError if no games could have led to them."""
    kinds = Rows.none().columns
    for column, kind in zip(columns, kinds, strict=True):
        if column.dtype.kind not in "iu" or column.shape != columns[0].shape or column.ndim != 1:
            raise ValueError("its columns are not numbers of one length")
        limits = np.iinfo(kind.dtype)
        if len(column) and not limits.min <= int(column.min()) <= int(column.max()) <= limits.max:
            raise ValueError("a number is out of range")
    rows = Rows.of(*columns)
    _check_results(rows)
    for states, moves in ((rows.states, rows.moves), (rows.last, rows.last_moves)):
        if not (np.where(states == _NO_STATE, moves == -1, moves >= 0)).all():
            raise ValueError("a move without a state, or a state without a move")
        if moves.max(initial=-1) >= _MOST_MOVE:
            raise ValueError("a move is out of range")
    return rows


def _check_results(rows: Rows) -> None:
    pairs = (rows.games, rows.points), (rows.natural_games, rows.natural_points)
    for games, points in pairs:
        most = 2 * games.astype(np.int64)
        if (games < 0).any() or (points < 0).any() or (points > most).any():
            raise ValueError("results that no games have")
    if (rows.natural_games > rows.games).any() or (rows.natural_points > rows.points).any():
        raise ValueError("more results than games have")


def _names(colour: int, book: int) -> list[str]:
    """Return the names of the columns of a book in the file."""
    number = f"{colour}-{book + 1}" if book > 0 else f"{colour}"
    return [f"{each.name}{number}" for each in fields(Rows)]
