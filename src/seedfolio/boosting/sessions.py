"""Opening a session: the study of a program, and the arena that plays it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from seedfolio.arena import Arena, Progress, no_note
from seedfolio.arena.automatic import AUTO, find_arena
from seedfolio.arena.processes import ProcessArena
from seedfolio.boosting.engine_check import as_checked, check_once, keep_check
from seedfolio.boosting.places import StudySource, default_study, opened_study
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.programs.interface import Playable
from seedfolio.report.progress import chosen_progress
from seedfolio.study.session import Session


@dataclass(frozen=True)
class Means:
    """How a session plays. Nothing here changes its results, except `repeats`."""

    arena: str | Arena = AUTO
    """An arena, or the name of one."""
    threads: int | None = None
    """Number of threads of the arena; for an external engine, the number of games at once."""
    repeats: int | None = None
    """Games a cell of an external engine that failed its check."""
    despite_check: bool = False
    """Whether to continue with an external engine that failed its check."""
    progress: Progress | bool | None = None
    """True or False: show it or not; None: in a terminal and in a notebook."""
    note: Callable[[str], None] = no_note
    """Receives a line on what happens before the first game."""


@contextmanager
def open_session(
    program: Playable, study: StudySource | None, means: Means
) -> Iterator[tuple[Session, Path]]:
    """Open the study of a program, or make it; yield the session and the path of the study.

    The default path is in the folder `studies`. A study in memory stays open.
    """
    if isinstance(program, EngineProgram):  # the one place where it matters what a program is
        with _open_engine(program, study, means) as opened:
            yield opened
        return
    if means.despite_check:
        raise SpecificationError("leave out `despite_check`: built-in players are deterministic")
    arena = find_arena(means.arena, means.threads, means.note)
    identity = program.identity()  # compiles, so that a mistake shows before anything is written
    with opened_study(program, study, identity) as (opened, path):
        yield Session(opened, arena, program, chosen_progress(means.progress)), path


@contextmanager
def _open_engine(
    program: EngineProgram, study: StudySource | None, means: Means
) -> Iterator[tuple[Session, Path]]:
    if means.arena != AUTO:
        raise SpecificationError(f"{program.title} runs in its own processes; leave out `arena`")
    known = default_study(program) if study is None else study
    check = check_once(program, known, means.note)
    program = as_checked(program, check, means.repeats, means.despite_check)
    with opened_study(program, study, program.identity()) as (opened, path):
        keep_check(opened, program, check)
        with ProcessArena(
            program,
            games=means.threads,
            remember=check.remember and not means.despite_check,
            reuse=check.reusable or not check.deterministic,
            archive=opened.engine_games(),
        ) as arena:
            yield Session(opened, arena, program, chosen_progress(means.progress)), path
