"""A checkpoint: a file beside the study from which learning a book continues."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from seedfolio.book.decisions import Caution
from seedfolio.book.self_play import Experience
from seedfolio.book.statistics import Rows
from seedfolio.errors import StudyError
from seedfolio.study.files import atomic_write

_FORMAT = "seedfolio book 4"
"""Changes when the same games would lead to other decisions."""


def save_checkpoint(experience: Experience, path: Path, mark: str) -> None:
    """Write all experience. `mark` identifies the program."""
    arrays: dict[str, Any] = {
        name: column
        for colour, side in enumerate(experience.colours)
        for book, seen in enumerate(side)
        for name, column in zip(_names(colour, book), seen.rows.columns, strict=True)
    }
    arrays |= {"games": np.int64(experience.games), "books": np.int64(len(experience.colours[0]))}
    arrays |= {"format": np.array(_FORMAT), "mark": np.array(mark)}
    atomic_write(path, lambda file: np.savez(file, **arrays))


def load_checkpoint(path: Path, mark: str, caution: Caution | None = None) -> Experience:
    """Read what `save_checkpoint` wrote; StudyError if it is unreadable or has another mark."""
    try:
        with np.load(path, allow_pickle=False) as file:
            books = int(file["books"]) if "books" in file else 1
            rows = [
                [Rows.of(*(file[name] for name in _names(colour, book))) for book in range(books)]
                for colour in (0, 1)
            ]
            games = int(file["games"])
            found = str(file["format"]), str(file["mark"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise StudyError(
            f"{path} is not a checkpoint of a book ({error}); delete it to learn again"
        ) from error
    if found != (_FORMAT, mark):
        raise StudyError(f"{path} is of another program or version; delete it to learn again")
    return Experience.of(rows, games, caution)


def _names(colour: int, book: int) -> list[str]:
    """Return the names of the columns of a book in the file."""
    number = f"{colour}-{book + 1}" if book > 0 else f"{colour}"
    return [f"{each.name}{number}" for each in fields(Rows)]
