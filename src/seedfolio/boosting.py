"""The main job: play seeds against each other, learn which to draw, prove it on unseen ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict
from rich.table import Table

from seedfolio.arena import Arena, Progress, Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.book.lesson import BookLearner, parse_book_learner, teach_book
from seedfolio.core.arm_numbers import SYMMETRY_SHIFT
from seedfolio.engines.program import EngineProgram, is_engine_file
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.best_response import BestResponse, best_response_success
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.evaluation.luck import Luck, measure_luck
from seedfolio.evaluation.unseen import Evaluation, evaluate, evaluate_original
from seedfolio.games.interface import Game
from seedfolio.learning import chooses_games, parse_asking_learner, parse_learner
from seedfolio.learning.course import AskingLearner
from seedfolio.learning.learner import Learner
from seedfolio.learning.portfolio import Distribution, Portfolio
from seedfolio.learning.teaching import Teacher
from seedfolio.loading import load_program
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.report.table import Row, json_rows, rows_from_json, success_table
from seedfolio.serving.making import book_file, portfolio_file
from seedfolio.serving.portfolio_file import PortfolioFile
from seedfolio.study.arms import TrainingArms
from seedfolio.study.matrices import training_cells
from seedfolio.study.store import Study

DEFAULT_LEARNERS = ("best-seed", "best-half", "nash", "sparse-nash")
DEFAULT_K, DEFAULT_KT, DEFAULT_OPPONENTS = 500, 100, 100
MOST_GAMES = 10**9
"""More would not fit the memory that learning takes."""
FIXED_SEED = "original, 1 seed"
"""Baseline: a seed drawn once and kept for all games."""
MIXTURE = "original, mixture"
"""Baseline: the original program, which draws a new seed each game."""


class Request(BaseModel):
    """What is asked of a study: how many arms, opponents, and which learners."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int
    kt: int
    opponents: int
    learners: tuple[str, ...]
    budget: int | None = None
    """Games that each learner may choose; None: as many as fill the matrices."""
    symmetries: bool = False
    """Whether arms are drawn under a random symmetry of the board."""

    def check(self) -> list[Learner | AskingLearner | BookLearner]:
        """Return the learners; SpecificationError if this cannot be done.

        With a budget all of them choose their games, else those that always do.
        """
        if self.k < 1:
            raise SpecificationError(f"K = {self.k} arms are too few; --k takes 1 or more")
        if not 1 <= self.kt <= self.k:
            raise SpecificationError(
                f"Kt = {self.kt} is not between 1 and K = {self.k}; change --kt or --k"
            )
        if (games := training_cells(self.k, self.kt) + 2 * self.k * self.opponents) > MOST_GAMES:
            raise SpecificationError(
                f"that would be {games:,} games, more than {MOST_GAMES:,}; choose a smaller --k, "
                "--kt or --opponents"
            )
        if self.opponents <= CRITERIA[-1]:
            raise SpecificationError(
                f"{self.opponents} unseen opponents are too few for an exploiter that picks among "
                f"{CRITERIA[-1]}; --opponents takes {CRITERIA[-1] + 1} or more"
            )
        if self.budget is not None and not 1 <= self.budget <= MOST_GAMES:
            raise SpecificationError(
                f"a budget of {self.budget:,} games is not 1 to {MOST_GAMES:,}; change --budget"
            )
        if not self.learners:
            raise SpecificationError("no learner was named; see seedfolio learners")
        learners = [self._learner(text) for text in self.learners]
        return list({learner.name: learner for learner in learners}.values())

    def _learner(self, text: str) -> Learner | AskingLearner | BookLearner:
        if (book := parse_book_learner(text)) is not None:
            return book
        asks = self.budget or chooses_games(text)
        return parse_asking_learner(text) if asks else parse_learner(text)


@dataclass(frozen=True)
class Boost:
    """The outcome of the main job."""

    title: str
    request: Request
    rows: tuple[Row, ...]
    portfolios: dict[str, PortfolioFile]
    """By learner."""
    study: Path
    luck: Luck

    @property
    def training_games(self) -> int:
        """How many games each learner had to learn from, at most."""
        request = self.request
        return request.budget or training_cells(request.k, request.kt) * self.luck.repeats

    @property
    def caption(self) -> str:
        """What the table's numbers mean, in one paragraph."""
        request = self.request
        caption = (
            "Mean of both colours against seeds of the original that learning never saw; at K' the "
            "opponent plays the best of K' such seeds. 1 seed: drawn once and kept; mixture: the "
            "program as it is, a new seed each game. ± is one standard error over the unseen "
            f"seeds ({request.opponents} or more a colour). Learnt from {self.training_games:,} "
            "games"
        )
        if request.budget is None:
            caption += f": K={request.k} seeds of each colour against Kt={request.kt} of the other"
        else:
            caption += " that each learner chose for itself"
        caption += f", {self.luck.repeats} games a pair." if self.luck.repeats > 1 else "."
        if request.symmetries:
            caption += " Each seed is played under a random symmetry of the board."
        if any(row.best_response is not None for row in self.rows):
            caption += (
                " Best response: an opponent who knows which seeds we draw from, and how often, "
                "and plays as well as can be, not only as a seed does; of the mixture, that of "
                "the K seeds."
            )
        return caption

    def table(self) -> Table:
        """Return the table for a terminal."""
        return success_table(self.title, self.rows, caption=self.caption)

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return {
            "title": self.title,
            "request": self.request.model_dump(mode="json"),
            "repeats": self.luck.repeats,
            "draws": self.luck.draws,
            "rows": json_rows(self.rows),
        }

    def save_portfolios(self) -> dict[str, Path]:
        """Write each portfolio beside the study; return the files by learner."""
        paths = {}
        for name, file in self.portfolios.items():
            paths[name] = self.study.with_name(f"{self.study.stem}-{file_name(name)}.json")
            file.save(paths[name])
        return paths


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


def boost(
    game: str | Game,
    player: str | Player | None = None,
    *,
    k: int | None = None,
    kt: int | None = None,
    opponents: int | None = None,
    learners: Sequence[str] = DEFAULT_LEARNERS,
    budget: int | None = None,
    symmetries: bool = False,
    repeats: int | None = None,
    study: str | Path | None = None,
    arena: Arena | None = None,
    progress: Progress | None = None,
) -> Boost:
    """Boost a player on a game: play `k` seeds of each colour against `kt` of the other, learn.

    They are 500 and 100 unless given. For a program from outside, specified in a file that ends
    in .toml, see `seedfolio.engine_boosting.boost_engine`.

    With a `budget` every learner chooses that many games instead, as some always do; for these it
    is otherwise as many as fill the matrices. With `symmetries` each arm is drawn under a random
    symmetry of the board, which makes the portfolio harder to exploit.

    Without a player it is the one that the game names. Where luck plays a part, each pair of seeds
    plays `repeats` games, DEFAULT_REPEATS unless given.

    Success is measured on `opponents` unseen seeds of each colour, or more. Everything is kept in
    the study file: call it again to go on after an interruption, or with larger numbers to play
    only what is missing.
    """
    if is_engine_file(game):
        raise SpecificationError(f"{game} is a program from outside; use boost_engine")
    request = Request(
        k=DEFAULT_K if k is None else k,
        kt=DEFAULT_KT if kt is None else kt,
        opponents=DEFAULT_OPPONENTS if opponents is None else opponents,
        learners=tuple(learners),
        budget=budget,
        symmetries=symmetries,
    )
    asked = request.check()
    program = load_program(game, player, repeats)
    if symmetries and not program.game.rules.symmetries:
        raise SpecificationError(f"{program.game.title} has no symmetries; leave out --symmetries")
    identity = program.identity()  # compiles, so that a mistake shows before anything is written
    path = study_path(program, study)
    with Study.open(path, identity) as opened:
        playing = arena or ThreadArena()
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
    with study.together():
        for name, file in outcome.portfolios.items():
            study.save_portfolio(name, file.text())
        study.save_evaluation("boost", json.dumps(outcome.as_data()))
    return outcome


def saved_boost(study: Study) -> Boost:
    """Return the last completed outcome kept in a study; StudyError if there is none yet."""
    text = study.evaluations().get("boost")
    if text is None:
        games = study.count() * study.full // 2
        raise StudyError(
            f"{study.path} has {games:,} games but no result yet; run its seedfolio boost command "
            "again to complete it"
        )
    saved = json.loads(text)
    rows = tuple(rows_from_json(saved["rows"]))
    learners = {row.name for row in rows}
    return Boost(
        title=saved["title"],
        request=Request.model_validate(saved["request"]),
        rows=rows,
        portfolios={
            name: PortfolioFile.model_validate_json(file)
            for name, file in study.portfolios().items()
            if name in learners
        },
        study=study.path,
        luck=Luck(saved.get("repeats", 1), saved.get("draws", 0.0)),
    )


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
    teacher = Teacher(study, arena, program, progress, request.k, request.kt, request.budget)
    turns = 0
    if request.symmetries and isinstance(program, Program):
        turns = len(program.game.rules.symmetries)
    for learner in learners:
        if isinstance(learner, BookLearner):
            if isinstance(program, EngineProgram):
                raise SpecificationError("a book is for built-in players; choose another --learner")
            games = request.budget or training_cells(request.k, request.kt) * luck.repeats
            kept = path.with_name(f"{path.stem}-{file_name(learner.name)}.npz")
            asked = games, request.opponents, kept
            lesson, evaluation = teach_book(learner, program, *asked, arena, progress)
            rows.append(Row(learner.name, lesson.size, evaluation.success, "learner"))
            files[learner.name] = book_file(program, learner.name, lesson, evaluation)
            continue
        learnt = teacher.teach(learner)
        if turns:
            learnt = replace(learnt, portfolio=learnt.portfolio.turned(turns))
        task = f"{learner.name} against unseen"
        evaluation = evaluate(learnt.portfolio, request.opponents, *judges, task, progress)
        exact = _best_response(program, learnt.portfolio)
        rows.append(learner_row(learner.name, learnt.portfolio, evaluation, exact))
        files[learner.name] = portfolio_file(program, learner.name, learnt, evaluation, exact)
    return Boost(program.title, request, tuple(rows), files, path, luck)


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


def made_folder(path: Path) -> Path:
    """Return `path`, the folder it is in made; StudyError if that cannot be."""
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise StudyError(
            f"cannot make the folder {path.parent}: {error.strerror}; name a file with --study"
        ) from error
    return path
