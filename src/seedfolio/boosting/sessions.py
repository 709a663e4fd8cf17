"""Opening a session: the study of a program, and the arena that plays it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from seedfolio.arena import Arena, Progress, no_note
from seedfolio.arena.automatic import AUTO, open_arena, open_cluster
from seedfolio.arena.parcel import EngineParcel
from seedfolio.arena.processes import Archive, ProcessArena
from seedfolio.arena.ray_arena import RayArena
from seedfolio.boosting.engine_check import (
    as_checked,
    check_once,
    check_opponents,
    compare_answers,
    keep_check,
)
from seedfolio.boosting.places import StudySource, default_study, opened_study
from seedfolio.engines.check import Check
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.players.program import Program
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
    address: str | None = None
    """Of the cluster, if that is the arena."""


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
    shown = chosen_progress(means.progress)
    with open_arena(
        means.arena,
        threads=means.threads,
        address=means.address,
        progress=shown,
        note=means.note,
    ) as arena:
        if isinstance(arena, RayArena) and isinstance(program, Program):
            arena.need(program)
        identity = program.identity()  # compiles, so that mistakes show before anything is written
        with opened_study(program, study, identity) as (opened, path):
            yield Session(opened, arena, program, shown), path


@contextmanager
def _open_engine(
    program: EngineProgram, study: StudySource | None, means: Means
) -> Iterator[tuple[Session, Path]]:
    shown = chosen_progress(means.progress)
    with open_cluster(
        means.arena, means.threads, means.address, progress=shown, note=means.note
    ) as cluster:
        if cluster != AUTO and not isinstance(cluster, RayArena):
            raise SpecificationError(
                f"{program.title} runs in its own processes; leave out `arena`, or choose ray"
            )
        if isinstance(cluster, RayArena) and (program.opponents or program.begins_elsewhere):
            what = "[[opponents]]" if program.opponents else "[openings]"
            raise SpecificationError(
                f"{program.title} has {what}, which play on this machine only; leave out `arena`"
            )
        known = default_study(program) if study is None else study
        check = check_once(program, known, means.note)
        program = as_checked(program, check, means.repeats, means.despite_check)
        with opened_study(program, study, program.identity()) as (opened, path):
            keep_check(opened, program, check)
            compare_answers(program, opened, check)
            check_opponents(program, opened, means.note)
            with _engine_arena(program, check, means, cluster, opened.engine_games()) as arena:
                yield Session(opened, arena, program, shown), path


@contextmanager
def _engine_arena(
    program: EngineProgram,
    check: Check,
    means: Means,
    cluster: str | Arena,
    archive: Archive,
) -> Iterator[Arena]:
    """Yield an arena for an engine that has been checked: on the cluster, or on this machine."""
    remember = check.remember and not means.despite_check
    reuse = check.reusable or not check.deterministic
    if isinstance(cluster, RayArena):
        deterministic = check.passed and not means.despite_check
        parcel = EngineParcel.of(
            program, remember=remember, reuse=reuse, deterministic=deterministic
        )
        yield cluster.for_engine(program, parcel, archive)
        return
    with ProcessArena(
        program, games=means.threads, remember=remember, reuse=reuse, archive=archive
    ) as arena:
        yield arena
