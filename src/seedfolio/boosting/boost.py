"""The main job: play seeds against each other, learn which to draw, prove it on unseen ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from seedfolio.arena import Arena, Progress, Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.book.learner import BookLearner, teach_book, with_games
from seedfolio.boosting.places import default_study, file_name, kept_beside, made_folder, study_path
from seedfolio.boosting.portfolio_files import book_file, portfolio_file
from seedfolio.boosting.request import (
    DEFAULT_CHOOSING,
    DEFAULT_K,
    DEFAULT_KT,
    DEFAULT_LEARNERS,
    DEFAULT_OPPONENTS,
    MOST_GAMES,
    Request,
    with_budget,
)
from seedfolio.boosting.result import (
    FIXED_SEED,
    MIXTURE,
    Boost,
    save_boost,
    saved_boost,
    saved_matrices,
)
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.engines.program import EngineProgram, is_engine_file
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.best_response import BestResponse, best_response_success
from seedfolio.evaluation.luck import measure_luck
from seedfolio.evaluation.unseen import Evaluation, evaluate, evaluate_original
from seedfolio.games.game import Game
from seedfolio.learning.exploration import AskingLearner
from seedfolio.learning.learner import Learner
from seedfolio.learning.teaching import Teacher
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.load import load_program
from seedfolio.report.table import Row
from seedfolio.study.arms import TrainingArms
from seedfolio.study.matrices import training_cells
from seedfolio.study.store import Study

__all__ = [
    "DEFAULT_CHOOSING",
    "DEFAULT_K",
    "DEFAULT_KT",
    "DEFAULT_LEARNERS",
    "DEFAULT_OPPONENTS",
    "FIXED_SEED",
    "MIXTURE",
    "MOST_GAMES",
    "Boost",
    "Request",
    "boost",
    "complete",
    "default_study",
    "file_name",
    "learner_row",
    "made_folder",
    "original_rows",
    "saved_boost",
    "saved_matrices",
    "study_path",
]


def boost(
    game: str | Game,
    player: str | Player | None = None,
    *,
    k: int | None = None,
    kt: int | None = None,
    opponents: int | None = None,
    learners: Sequence[str] | None = None,
    budget: int | None = None,
    minutes: float | None = None,
    symmetries: bool = False,
    repeats: int | None = None,
    study: str | Path | None = None,
    arena: Arena | None = None,
    progress: Progress | None = None,
    note: Callable[[str], None] = lambda text: None,
) -> Boost:
    """Boost a player on a game: play `k` seeds of each colour against `kt` of the other, learn.

    They are 500 and 100 unless given. For a program from outside, specified in a file that ends
    in .toml, see `seedfolio.boosting.engine.boost_engine`.

    With a `budget` every learner chooses that many games instead, as some always do (for these it
    is otherwise as many as fill the matrices), and the `k` arms only stand for the original. With
    `minutes` it is as many as all learners together can play in about that time, by the speed
    measured first; `note` is told, and the study keeps the number. The learners are
    DEFAULT_LEARNERS unless given, with a budget or minutes `auto`. With `symmetries` each arm is
    drawn under a random symmetry of the board, which makes the portfolio harder to exploit.

    Without a player it is the one that the game names. Where luck plays a part, each pair of seeds
    plays `repeats` games, DEFAULT_REPEATS unless given.

    Success is measured on `opponents` unseen seeds of each colour, or more. Everything is kept in
    the study file: call it again to go on after an interruption, or with larger numbers to play
    only what is missing.
    """
    if is_engine_file(game):
        raise SpecificationError(f"{game} is a program from outside; use boost_engine")
    if budget is not None and minutes is not None:
        raise SpecificationError("a budget is games, or minutes; leave out --budget or --minutes")
    chooses = budget is not None or minutes is not None
    if learners is None:
        learners = DEFAULT_CHOOSING if chooses else DEFAULT_LEARNERS
    request = Request(
        k=DEFAULT_K if k is None else k,
        kt=DEFAULT_KT if kt is None else kt,
        opponents=DEFAULT_OPPONENTS if opponents is None else opponents,
        learners=tuple(learners),
        budget=budget,
        symmetries=symmetries,
        minutes=minutes,
    )
    asked = request.check()
    program = load_program(game, player, repeats)
    if symmetries and not program.game.rules.symmetries:
        raise SpecificationError(f"{program.game.title} has no symmetries; leave out --symmetries")
    identity = program.identity()  # compiles, so that a mistake shows before anything is written
    path = study_path(program, study)
    with Study.open(path, identity) as opened:
        playing = arena or ThreadArena()
        request = with_budget(request, asked, opened, program, playing, note)
        return complete(opened, path, program, request, asked, playing, progress or Silent())


def complete(
    study: Study,
    path: Path,
    program: Program | EngineProgram,
    request: Request,
    learners: list[Learner | AskingLearner | BookLearner],
    arena: Arena,
    progress: Progress,
) -> Boost:
    """Do all that is asked of a study and not done yet; keep the outcome in it."""
    study.log_request(request.model_dump_json())
    outcome = _run(study, path, program, request, learners, arena, progress)
    choose = all(isinstance(each, (AskingLearner, BookLearner)) for each in learners)
    save_boost(study, outcome, matrices=not choose)
    return outcome


def _run(
    study: Study,
    path: Path,
    program: Program | EngineProgram,
    request: Request,
    learners: list[Learner | AskingLearner | BookLearner],
    arena: Arena,
    progress: Progress,
) -> Boost:
    arms = TrainingArms(0, request.k)
    luck = measure_luck(program, arena, progress)
    judges = luck, study, arena, program
    fixed, mixture = evaluate_original(arms, request.opponents, *judges, progress)
    drawn = Distribution.of(arms.seeds(), np.full(request.k, 1 / request.k))
    exact = _best_response(program, Portfolio(drawn, drawn))
    rows = original_rows(request.k, fixed, mixture, exact)
    files = {}
    notes = {}
    teacher = Teacher(study, arena, program, progress, request.k, request.kt, request.budget)
    turns = 0
    if request.symmetries and isinstance(program, Program):
        turns = len(program.game.rules.symmetries)
    games = request.budget or training_cells(request.k, request.kt) * luck.repeats
    for asked in learners:
        learner, name = with_games(asked, program, games), asked.name
        if isinstance(learner, BookLearner):
            if isinstance(program, EngineProgram):
                raise SpecificationError("a book is for built-in players; choose another --learner")
            wanted = games, request.opponents, kept_beside(path, learner.name)
            lesson, evaluation = teach_book(learner, program, *wanted, arena, progress)
            if lesson.note:
                notes[name] = lesson.note
            rows.append(Row(name, lesson.size, evaluation.success, "learner"))
            files[name] = book_file(program, name, lesson, evaluation)
            continue
        learnt = teacher.teach(learner)
        if learnt.note:
            notes[name] = learnt.note
        if turns:
            learnt = replace(learnt, portfolio=learnt.portfolio.turned(turns))
        task = f"{name} against unseen"
        evaluation = evaluate(learnt.portfolio, request.opponents, *judges, task, progress)
        exact = _best_response(program, learnt.portfolio)
        rows.append(learner_row(name, learnt.portfolio, evaluation, exact))
        files[name] = portfolio_file(program, name, learnt, evaluation, exact)
    return Boost(program.title, request, tuple(rows), files, path, luck, notes)


def original_rows(
    arms: int, fixed: Evaluation, mixture: Evaluation, exact: BestResponse | None = None
) -> list[Row]:
    """Return the rows of the original program, for which `arms` of each colour stand."""
    return [
        Row(FIXED_SEED, "1+1", fixed.success, "baseline"),
        Row(MIXTURE, f"{arms}+{arms}", mixture.success, "baseline", _mean(exact)),
    ]


def learner_row(
    name: str, portfolio: Portfolio, evaluation: Evaluation, exact: BestResponse | None = None
) -> Row:
    """Return the row of a portfolio."""
    detail = f"{len(portfolio.first)}+{len(portfolio.second)}"
    return Row(name, detail, evaluation.success, "learner", _mean(exact))


def _best_response(program: Program | EngineProgram, portfolio: Portfolio) -> BestResponse | None:
    """Return the exact success against a best response where it can be computed."""
    if isinstance(program, EngineProgram):
        return None
    turned = any(seed >> SYMMETRY_SHIFT for colour in (0, 1) for seed in portfolio[colour].seeds)
    if not program.game.rules.small or program.has_luck or turned:
        return None
    return best_response_success(program, portfolio)


def _mean(exact: BestResponse | None) -> float | None:
    return None if exact is None else exact.mean
