"""The check of an external engine, once for each study: do its arms always play the same?"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from seedfolio.boosting.places import StudySource, read_study
from seedfolio.boosting.saved import readable
from seedfolio.engines.check import Check, check_program
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.study.store import Study

_CHECK = "check"
"""The name under which a study keeps the result of its engine's check."""


def check_once(program: EngineProgram, study: StudySource, note: Callable[[str], None]) -> Check:
    """Return the check of an engine in its study; without one, check it now."""
    program.engine_identity  # noqa: B018 - raises at once if the engine does not start
    known = _known_check(study, program)
    if known is not None:
        return known
    note(f"checking {program.title}: a few games to see whether its arms are deterministic")
    return check_program(program)


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
    if not despite_check:
        raise EngineError(
            f"{program.title} failed the check: {'; '.join(check.failures())}; see seedfolio check,"
            " or go on with `despite_check`"
        )
    return replace(program, repeats=repeats or program.specification.study.repeats)


def _known_check(study: StudySource, program: EngineProgram) -> Check | None:
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
