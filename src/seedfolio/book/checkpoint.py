"""A checkpoint: what learning a book needs to go on, in a file beside the study."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from seedfolio.book.self_play import Experience
from seedfolio.book.statistics import Rows
from seedfolio.errors import StudyError
from seedfolio.study.files import atomic_write

_FORMAT = "seedfolio book 3"
"""Another one where the same games would be decided on otherwise."""


def save_checkpoint(experience: Experience, path: Path, mark: str) -> None:
    """Write all that was seen. `mark` says of what program, and against whom."""
    arrays: dict[str, Any] = {
        f"{each.name}{colour}": getattr(seen.rows, each.name)
        for colour, seen in enumerate(experience.colours)
        for each in fields(Rows)
    }
    arrays |= {"games": np.int64(experience.games), "first_seed": np.int64(experience.first_seed)}
    arrays |= {"format": np.array(_FORMAT), "mark": np.array(mark)}
    atomic_write(path, lambda file: np.savez_compressed(file, **arrays))


def load_checkpoint(path: Path, mark: str) -> Experience:
    """Read what `save_checkpoint` wrote; StudyError if it cannot be read or has another mark."""
    try:
        with np.load(path, allow_pickle=False) as file:
            first, second = (
                Rows(*(file[f"{each.name}{colour}"] for each in fields(Rows))) for colour in (0, 1)
            )
            games, first_seed = int(file["games"]), int(file["first_seed"])
            found = str(file["format"]), str(file["mark"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise StudyError(
            f"{path} does not hold what a book has learnt ({error}); delete it to learn anew"
        ) from error
    if found != (_FORMAT, mark):
        raise StudyError(f"{path} is of another program or version; delete it to learn anew")
    return Experience.of((first, second), games, first_seed)
