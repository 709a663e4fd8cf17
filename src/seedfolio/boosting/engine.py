"""The main job for a program from outside: check it, then boost it as any other."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from seedfolio.arena import Progress, Silent
from seedfolio.arena.processes import ProcessArena
from seedfolio.boosting.boost import (
    DEFAULT_LEARNERS,
    Boost,
    Request,
    complete,
    file_name,
    made_folder,
)
from seedfolio.engines.check import Check, check_program
from seedfolio.engines.program import EngineProgram, load_engine_program
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.study.engine_games import Summary
from seedfolio.study.store import Study

_CHECK = "check"
"""Under this name a study keeps what the check of its program has found."""
_USUAL = 20
"""K, Kt and opponents where neither the file nor the command line says more."""


def boost_engine(
    file: str | Path,
    *,
    k: int | None = None,
    kt: int | None = None,
    opponents: int | None = None,
    learners: Sequence[str] = DEFAULT_LEARNERS,
    budget: int | None = None,
    repeats: int | None = None,
    study: str | Path | None = None,
    games: int | None = None,
    despite_check: bool = False,
    progress: Progress | None = None,
    note: Callable[[str], None] = lambda text: None,
) -> Boost:
    """Boost the program that a TOML file specifies, `games` games at once.

    Sizes that are not given are those of the file. The program is checked first, once for each
    study; EngineError if it fails, unless `despite_check`: then each cell is `repeats` games, and
    nothing is thought to be known from other games.
    `note` is told what goes on before the first game of the study.
    """
    program = load_engine_program(file)
    request = engine_request(program, k, kt, opponents, learners, budget)
    asked = request.check()
    path = made_folder(default_engine_study(program)) if study is None else Path(study)
    program.engine_identity  # noqa: B018 - one that cannot be started is refused at once
    check = _known_check(path, program)
    if check is None:
        note(f"checking {program.title}: a few games to see whether its arms are deterministic")
        check = check_program(program)
    program = _as_checked(program, check, repeats, despite_check)
    with Study.open(path, program.identity()) as opened:
        kept = {"digest": program.specification.digest, **check.as_data()}
        opened.save_evaluation(_CHECK, json.dumps(kept))
        with ProcessArena(
            program,
            games=games,
            remember=check.remember and not despite_check,
            reuse=check.reusable or not check.deterministic,
            archive=opened.engine_games(),
        ) as arena:
            return complete(opened, path, program, request, asked, arena, progress or Silent())


def default_engine_study(program: EngineProgram) -> Path:
    """Return where a study is kept unless the user says otherwise."""
    return Path("studies") / f"{file_name(program.name)}.study"


def engine_request(
    program: EngineProgram,
    k: int | None,
    kt: int | None,
    opponents: int | None,
    learners: Sequence[str],
    budget: int | None,
) -> Request:
    """Return what is asked: what is given, else what the file says, else what is usual."""
    sizes, arms = program.specification.study, program.specification.all_arms
    k = _first_given(k, sizes.k, min(_USUAL, arms.training))
    opponents = _first_given(opponents, sizes.opponents, min(_USUAL, arms.unseen))
    if k > arms.training or opponents > arms.unseen:
        raise SpecificationError(
            f"{program.name} has {arms.training} arms to learn from and {arms.unseen} unseen ones, "
            f"not {k} and {opponents}; lower k or opponents, or add seeds or options to its arms"
        )
    return Request(
        k=k,
        kt=_first_given(kt, sizes.kt, min(_USUAL, k)),
        opponents=opponents,
        learners=tuple(learners),
        budget=budget,
    )


def _first_given(*sizes: int | None) -> int:
    return next(size for size in sizes if size is not None)


def engine_summary(study: Path) -> Summary:
    """Return what the games of a study came to."""
    with Study.read(study) as opened:
        return opened.engine_games().summary()


def _as_checked(
    program: EngineProgram, check: Check, repeats: int | None, despite_check: bool
) -> EngineProgram:
    """Return the program with as many games a cell as what was found calls for."""
    if check.passed and not despite_check:
        if repeats not in (None, 1):
            raise SpecificationError(
                f"{program.title} plays the same game every time; leave out --repeats"
            )
        return program
    if not despite_check:
        raise EngineError(
            f"{program.title} failed the check: {'; '.join(check.failures())}; see seedfolio check,"
            " or go on with --despite-check"
        )
    return replace(program, repeats=repeats or program.specification.study.repeats)


def _known_check(path: Path, program: EngineProgram) -> Check | None:
    """Return what an earlier check of the same program has found, if the study has it."""
    if not path.exists():
        return None
    with Study.read(path) as opened:
        found = opened.evaluations().get(_CHECK)
    if found is None:
        return None
    data = json.loads(found)
    return Check.from_data(data) if data["digest"] == program.specification.digest else None
