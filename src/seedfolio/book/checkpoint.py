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

_FORMAT = "seedfolio book 3"
"""Changes when the same games would lead to other decisions."""


def save_checkpoint(experience: Experience, path: Path, mark: str) -> None:
    """Write all experience. `mark` identifies the program and its opponents."""
    arrays: dict[str, Any] = {
        f"{each.name}{colour}": getattr(seen.rows, each.name)
        for colour, seen in enumerate(experience.colours)
        for each in fields(Rows)
    }
    arrays |= {"games": np.int64(experience.games), "first_seed": np.int64(experience.first_seed)}
    arrays |= {"format": np.array(_FORMAT), "mark": np.array(mark)}
    atomic_write(path, lambda file: np.savez_compressed(file, **arrays))


def load_checkpoint(path: Path, mark: str, caution: Caution | None = None) -> Experience:
    """Read what `save_checkpoint` wrote; StudyError if it is unreadable or has another mark."""
    try:
        with np.load(path, allow_pickle=False) as file:
            first, second = (
                Rows(*(file[f"{each.name}{colour}"] for each in fields(Rows))) for colour in (0, 1)
            )
            games, first_seed = int(file["games"]), int(file["first_seed"])
            found = str(file["format"]), str(file["mark"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise StudyError(
            f"{path} is not a checkpoint of a book ({error}); delete it to learn again"
        ) from error
    if found != (_FORMAT, mark):
        raise StudyError(f"{path} is of another program or version; delete it to learn again")
    return Experience.of((first, second), games, first_seed, caution)
