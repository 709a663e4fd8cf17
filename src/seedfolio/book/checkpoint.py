"""A checkpoint: a file beside the study from which learning a book continues."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.array_file import Arrays, read_arrays, write_arrays
from seedfolio.book.decisions import Caution
from seedfolio.book.self_play import Experience
from seedfolio.book.statistics import Rows
from seedfolio.errors import StudyError
from seedfolio.players.book_table import NO_STATE

_FORMAT = "seedfolio book 4"
"""Changes when the same games would lead to other decisions."""
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
