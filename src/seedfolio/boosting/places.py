"""Where studies are kept: in files, or in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seedfolio.errors import StudyError
from seedfolio.programs.interface import Playable
from seedfolio.study.database import IN_MEMORY
from seedfolio.study.files import file_name
from seedfolio.study.store import Study

StudySource = str | Path | Study
"""A file, `:memory:` for a new study in memory, or a study that is open."""


def default_study(program: Playable) -> Path:
    """Return where a study is kept unless the user gives a file."""
    return Path("studies") / f"{file_name(program.study_name)}.study"


@contextmanager
def opened_study(
    program: Playable, given: StudySource | None, identity: Mapping[str, Any]
) -> Iterator[tuple[Study, Path]]:
    """Open the study of a program to write it; yield it with its path.

    None: a file in a folder that is made for it. A study that is open, or in memory, stays open.
    """
    if isinstance(given, Study):
        given.check_identity(identity)
        yield given, given.path
    elif given is not None and Path(given) == IN_MEMORY:
        yield Study.temporary(identity), IN_MEMORY
    else:
        path = made_folder(default_study(program)) if given is None else Path(given)
        with Study.open(path, identity) as opened:
            yield opened, path


@contextmanager
def read_study(source: StudySource) -> Iterator[Study]:
    """Open a study to read it; one that is open stays open."""
    if isinstance(source, Study):
        yield source
    else:
        with Study.read(source) as opened:
            yield opened


def made_folder(path: Path) -> Path:
    """Return `path` after making the folder that holds it; StudyError if that fails."""
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise StudyError(
            f"cannot make the folder {path.parent}: {error.strerror}; name a file with `study`"
        ) from error
    return path
