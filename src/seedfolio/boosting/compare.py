"""Learners side by side: the same games to choose from, the same number of games for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from seedfolio.arena import Arena, Progress, Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.book.learner import (
    BookLearner,
    BookLesson,
    parse_book_learner,
    teach_book,
    with_games,
)
from seedfolio.boosting.boost import learner_row, original_rows, study_path
from seedfolio.boosting.places import kept_beside
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.evaluation.luck import measure_luck
from seedfolio.evaluation.unseen import evaluate, evaluate_original
from seedfolio.games.game import Game
from seedfolio.learning import parse_asking_learner
from seedfolio.learning.teaching import Lesson, Teacher
from seedfolio.players.interface import Player
from seedfolio.programs.load import load_program
from seedfolio.report.table import Row, counted_games, json_rows, success_table, used_games
from seedfolio.study.arms import TrainingArms
from seedfolio.study.store import Study

COMPARED = (
    "auto",
    "auto:exploiters=16",
    "halving",
    "halving:keep=16",
    "best-seed",
    "top",
    "nash",
    "exploiter",
)
_ORIGINAL_ARMS = 200
"""Arms that stand for the original program."""


@dataclass(frozen=True)
class Comparison:
    """Learners compared on one budget."""

    title: str
    budget: int
    opponents: int
    rows: tuple[Row, ...]
    lessons: dict[str, Lesson | BookLesson]
    """By learner."""
    study: Path

    def table(self) -> Table:
        """Return the table for a terminal."""
        return success_table(self.title, self.rows, caption=self.caption)

    @property
    def caption(self) -> str:
        """What the table's numbers mean, in one paragraph."""
        used = used_games({name: each.games for name, each in self.lessons.items()})
        caption = (
            "Mean of both colours against seeds of the original that learning never saw; at K' the "
            "opponent plays the best of K' such seeds. ± is one standard error over the unseen "
            f"seeds ({self.opponents} or more a colour). Every learner could choose "
            f"{counted_games(self.budget)}; used: {used}."
        )
        for name, lesson in self.lessons.items():
            if isinstance(lesson, BookLesson) and lesson.note:
                caption += f" {name} chose {lesson.note}."
        return caption

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return {
            "title": self.title,
            "budget": self.budget,
            "opponents": self.opponents,
            "games": {name: lesson.games for name, lesson in self.lessons.items()},
            "notes": {name: lesson.note for name, lesson in self.lessons.items() if lesson.note},
            "rows": json_rows(self.rows),
        }


def compare(
    game: str | Game,
    player: str | Player | None = None,
    *,
    budget: int = 10_000,
    learners: Sequence[str] = COMPARED,
    opponents: int = 100,
    repeats: int | None = None,
    key: int = 0,
    study: str | Path | None = None,
    arena: Arena | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Give every learner `budget` games to choose, and judge what it learns on unseen seeds.

    All games are kept in the study file, shared with `boost`, and none is played twice; what a book
    has seen is kept beside it. `key` draws what other learners leave to chance.
    """
    if budget < 1:
        raise SpecificationError(f"a budget of {budget} games is too small; give 1 or more")
    if opponents <= CRITERIA[-1]:
        raise SpecificationError(
            f"{opponents} unseen opponents are too few; --opponents takes {CRITERIA[-1] + 1} or "
            "more"
        )
    parsed = [parse_book_learner(text) or parse_asking_learner(text) for text in learners]
    asked = {learner.name: learner for learner in parsed}
    program = load_program(game, player, repeats)
    arena, progress = arena or ThreadArena(), progress or Silent()
    identity = program.identity()  # compiles, so that a mistake shows before anything is written
    path = study_path(program, study)
    with Study.open(path, identity) as opened:
        judges = measure_luck(program, arena, progress), opened, arena, program
        arms = TrainingArms(0, _ORIGINAL_ARMS)
        rows = original_rows(len(arms), *evaluate_original(arms, opponents, *judges, progress))
        teacher = Teacher(opened, arena, program, progress, 1, 1, budget)
        lessons: dict[str, Lesson | BookLesson] = {}
        for name, given in asked.items():
            learner = with_games(given, program, budget)
            if isinstance(learner, BookLearner):
                wanted = budget, opponents, kept_beside(path, learner.name)
                book, evaluation = teach_book(learner, program, *wanted, arena, progress)
                lessons[name] = book
                rows.append(Row(name, book.size, evaluation.success, "learner"))
                continue
            lesson = teacher.teach(learner, key)
            lessons[name], portfolio = lesson, lesson.portfolio
            task = f"{name} against unseen"
            evaluation = evaluate(portfolio, opponents, *judges, task, progress)
            rows.append(learner_row(name, portfolio, evaluation))
    return Comparison(program.title, budget, opponents, tuple(rows), lessons, path)
