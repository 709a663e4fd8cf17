"""Where studies are kept."""

from __future__ import annotations

from pathlib import Path

from seedfolio.errors import StudyError
from seedfolio.programs.interface import Playable
from seedfolio.study.files import file_name


def default_study(program: Playable) -> Path:
    """Return where a study is kept unless the user gives a file."""
    return Path("studies") / f"{file_name(program.study_name)}.study"


def study_path(program: Playable, given: str | Path | None) -> Path:
    """Return where a study is kept: the file given, else one in a folder that is made for it."""
    return made_folder(default_study(program)) if given is None else Path(given)


def made_folder(path: Path) -> Path:
    """Return `path` after making the folder that holds it; StudyError if that fails."""
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise StudyError(
            f"cannot make the folder {path.parent}: {error.strerror}; name a file with `study`"
        ) from error
    return path
