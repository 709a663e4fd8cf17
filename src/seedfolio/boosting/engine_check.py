"""The check of an external engine, once for each study: do its arms always play the same?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from seedfolio.boosting.places import StudySource, read_study
from seedfolio.boosting.saved import readable
from seedfolio.engines.check import Check, check_opponent, check_program
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.samples import first_difference, pick_samples
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.study.store import Study

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
        check_opponent(program, place)
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

    EngineError if the check failed, unless `despite_check`.
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
    if not despite_check:
        raise EngineError(
            f"{program.title} failed the check: {'; '.join(check.failures())}; see seedfolio check,"
            " or go on with `despite_check`"
        )
    return replace(program, repeats=repeats or program.specification.study.repeats)


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
            return Check.from_data(data) if same else None
