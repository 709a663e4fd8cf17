"""What learning needs to go on, in a file beside the study."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from seedfolio.book.self_play import Learning
from seedfolio.book.statistics import Rows
from seedfolio.errors import StudyError
from seedfolio.study.files import atomic_write

_FORMAT = "seedfolio book 3"
"""Another one where the same games would be decided on otherwise."""


def save_learning(learning: Learning, path: Path, mark: str) -> None:
    """Write all that was seen. `mark` says of what program, and against whom."""
    arrays: dict[str, Any] = {
        f"{each.name}{colour}": getattr(learnt.rows, each.name)
        for colour, learnt in enumerate(learning.colours)
        for each in fields(Rows)
    }
    arrays |= {"games": np.int64(learning.games), "first_seed": np.int64(learning.first_seed)}
    arrays |= {"format": np.array(_FORMAT), "mark": np.array(mark)}
    atomic_write(path, lambda file: np.savez_compressed(file, **arrays))


def load_learning(path: Path, mark: str) -> Learning:
    """Read what `save_learning` wrote; StudyError if it cannot be read or has another mark."""
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
    return Learning.of((first, second), games, first_seed)
