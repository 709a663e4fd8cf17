"""Opening a session: the study of a program, and the arena that plays it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from seedfolio.arena import Arena, Run
from seedfolio.arena.choice import AUTO, is_cluster, open_arena
from seedfolio.arena.processes import Archive, ProcessArena
from seedfolio.arena.ray.arena import RayArena
from seedfolio.boosting.saved import readable
from seedfolio.core.files import file_name
from seedfolio.engines.play.check import Check, check_opponent, check_program
from seedfolio.engines.play.samples import first_difference, pick_samples
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import EngineError, SpecificationError, StudyError
from seedfolio.players.program import Program
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session
from seedfolio.study.sqlite_file import IN_MEMORY
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


_CHECK = "check"
"""The name under which a study keeps the result of its engine's check."""
_OPPONENTS = "checked opponents"
_COMPARED = 3
"""Answers of an earlier run that are asked for again."""


def check_once(program: EngineProgram, study: StudySource, note: Callable[[str], None]) -> Check:
    """Return the check of an engine in its study; without one, check it now."""
    program.engine_identity  # noqa: B018 - raises at once if the engine does not start
    known = known_check(study, program)
    if known is not None:
        return known
    note(f"checking {program.title}: a few games to see whether its arms are deterministic")
    return check_program(program, note)


def check_opponents(program: EngineProgram, study: Study, note: Callable[[str], None]) -> None:
    """Check the other programs of a study, once: EngineError if one does not repeat its game."""
    if not program.opponents:
        return
    digest = hashlib.sha256(json.dumps(program.identity_of_parts()).encode()).hexdigest()
    if study.evaluations().get(_OPPONENTS) == json.dumps(digest):
        return
    for place, name in enumerate(program.opponents):
        note(f"checking the opponent {name}: the same game three times")
        check_opponent(program, place, noisy=program.noisy)
    study.save_evaluation(_OPPONENTS, json.dumps(digest))


def compare_answers(program: EngineProgram, study: Study, check: Check) -> None:
    """Raise EngineError if the engine answers otherwise than in the games of its study."""
    if not check.passed or program.repeats > 1:
        return
    games = study.engine_games().games()
    samples = pick_samples(program, games, _COMPARED, by_moves=check.by_moves)
    if found := first_difference(program, samples):
        raise EngineError(
            f"the engine answers differently than when {study.path} was made: was it rebuilt? "
            f"({found}); start a new study with `study`, or bring back the engine as it was"
        )


def keep_check(study: Study, program: EngineProgram, check: Check) -> None:
    """Keep the check of an engine in its study."""
    kept = {"digest": program.specification.digest, **check.as_data()}
    study.save_evaluation(_CHECK, json.dumps(kept))


def as_checked(
    program: EngineProgram, check: Check, repeats: int | None, despite_check: bool
) -> EngineProgram:
    """Return the program with the number of games a cell that its check requires.

    EngineError if the check failed, unless `despite_check`; a noisy engine plays several.
    """
    if check.passed and not despite_check:
        if repeats not in (None, 1):
            raise SpecificationError(
                f"{program.title} plays the same game every time; leave out `repeats`"
            )
        return program
    if check.fault and (not despite_check or check.moves == 0):
        # An engine that does not get through its first game has nothing to learn from.
        raise EngineError(
            f"{program.title} failed the check: {check.failures()[0]}; correct the engine or its "
            "specification"
        )
    if not despite_check and not check.noisy:
        raise EngineError(
            f"{program.title} failed the check: {'; '.join(check.failures())}; see seedfolio check,"
            " or go on with `despite_check`"
        )
    by_noise = program.specification.study.repeats or check.repeats
    return replace(program, repeats=repeats or by_noise, noisy=check.noisy)


def known_check(study: StudySource, program: EngineProgram) -> Check | None:
    """Return the result of an earlier check of the same engine, if the study has one."""
    if not isinstance(study, Study) and not Path(study).exists():
        return None
    with read_study(study) as opened:
        found = opened.evaluations().get(_CHECK)
        if found is None:
            return None
        with readable(opened):
            data = json.loads(found)
            same = data["digest"] == program.specification.digest
            return TypeAdapter(Check).validate_python(data) if same else None


@contextmanager
def open_session(
    program: Playable,
    study: StudySource | None,
    run: Run,
    *,
    repeats: int | None = None,
    despite_check: bool = False,
) -> Iterator[tuple[Session, Path]]:
    """Open the study of a program, or make it; yield the session and the path of the study.

    The default path is in the folder `studies`. A study in memory stays open. An external engine
    that failed its check plays `repeats` games a cell, if it is to play `despite_check`.
    """
    if isinstance(program, EngineProgram):  # the one place where it matters what a program is
        with _open_engine(
            program, study, run, repeats=repeats, despite_check=despite_check
        ) as opened:
            yield opened
        return
    if despite_check:
        raise SpecificationError("leave out `despite_check`: built-in players are deterministic")
    with open_arena(run) as arena:
        if isinstance(arena, RayArena) and isinstance(program, Program):
            arena.need(program)
        identity = program.identity()  # compiles, so that mistakes show before anything is written
        with opened_study(program, study, identity) as (opened, path):
            yield Session(opened, arena, program, run.progress), path


@contextmanager
def _open_engine(
    program: EngineProgram,
    study: StudySource | None,
    run: Run,
    *,
    repeats: int | None,
    despite_check: bool,
) -> Iterator[tuple[Session, Path]]:
    cluster: AbstractContextManager[Arena | None] = nullcontext()
    if is_cluster(run):
        cluster = open_arena(run)
    elif isinstance(run.arena, RayArena):
        cluster = nullcontext(run.arena)
    elif run.arena != AUTO:
        raise SpecificationError(
            f"{program.title} runs in its own processes; leave out `arena`, or choose ray"
        )
    with cluster as nodes:
        others = program.known is None and program.opponents
        if nodes is not None and (others or program.traits.begins_elsewhere):
            what = "[[opponents]]" if others else "[openings]"
            raise SpecificationError(
                f"{program.title} has {what}, which play on this machine only; leave out `arena`"
            )
        known = default_study(program) if study is None else study
        check = check_once(program, known, run.note)
        program = as_checked(program, check, repeats, despite_check)
        with opened_study(program, study, program.identity()) as (opened, path):
            keep_check(opened, program, check)
            compare_answers(program, opened, check)
            check_opponents(program, opened, run.note)
            archive = opened.engine_games()
            with _engine_arena(
                program, check, run, nodes, archive, despite_check=despite_check
            ) as arena:
                yield Session(opened, arena, program, run.progress), path


@contextmanager
def _engine_arena(
    program: EngineProgram,
    check: Check,
    run: Run,
    cluster: Arena | None,
    archive: Archive,
    *,
    despite_check: bool,
) -> Iterator[Arena]:
    """Yield an arena for an engine that has been checked: on the cluster, or on this machine."""
    remember = check.remember and not despite_check
    reuse = check.reusable or not check.deterministic
    if isinstance(cluster, RayArena):
        deterministic = check.passed and not despite_check
        yield cluster.for_engine(
            program, archive, remember=remember, reuse=reuse, deterministic=deterministic
        )
        return
    with ProcessArena(
        program, games=run.threads, remember=remember, reuse=reuse, archive=archive
    ) as arena:
        yield arena
