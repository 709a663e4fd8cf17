"""Where studies and portfolios are kept."""

from __future__ import annotations

import re
from pathlib import Path

from seedfolio.errors import StudyError
from seedfolio.players.program import Program


def default_study(program: Program) -> Path:
    """Return where a study is kept unless the user says otherwise."""
    name = file_name(f"{program.game.text}-{program.player.text}")
    return Path("studies") / f"{name}.study"


def study_path(program: Program, given: str | Path | None) -> Path:
    """Return where a study is kept: where the user says, else in a folder that is made for it."""
    return made_folder(default_study(program)) if given is None else Path(given)


def file_name(text: str) -> str:
    """Return a text as part of a file's name."""
    # A minus sign stays beside the hyphen, so that komi=-3.5 and komi=3.5 are two files.
    return re.sub(r"[^a-z0-9.-]+", "-", text.lower())


def kept_beside(study: Path, learner: str) -> Path:
    """Return the file in which a learner that has one keeps what it has seen."""
    return study.with_name(f"{study.stem}-{file_name(learner)}.npz")


def made_folder(path: Path) -> Path:
    """Return `path`, the folder it is in made; StudyError if that cannot be."""
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise StudyError(
            f"cannot make the folder {path.parent}: {error.strerror}; name a file with --study"
        ) from error
    return path
