"""The learner called `book`: a budget of games, learnt in rounds, kept beside the study."""

from __future__ import annotations

import hashlib
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from seedfolio.arena import Arena, Playable, Progress
from seedfolio.book.checkpoint import load_learning, save_learning
from seedfolio.book.mixture import measuring_games, mixed_books, pool_size
from seedfolio.book.self_play import Learning, Teacher, round_after
from seedfolio.book.variation import chosen_books, games_to_vary
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.books import judge
from seedfolio.evaluation.unseen import Evaluation
from seedfolio.learning import book_parameters
from seedfolio.learning.auto import Auto
from seedfolio.players.program import Program
from seedfolio.portfolios.book import ORIGINAL, MixedBook, one_book, packed

MOST_BOOKS = 16
_KEEPING = 20
"""Keeping what was seen takes one in so many seconds, or less."""
_Other = TypeVar("_Other")
"""Another learner, or this one."""


@dataclass(frozen=True)
class BookLearner:
    """Learn a book, or several of which one is drawn for each game."""

    books: int = 1
    reason: str = ""
    """Why there is a book, where another learner has chosen it."""

    def __post_init__(self) -> None:
        if not 1 <= self.books <= MOST_BOOKS:
            raise SpecificationError(
                f"learner book: {self.books} books are not 1 to {MOST_BOOKS}; change books"
            )

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        return "book" if self.books == 1 else f"book:books={self.books}"


def parse_book_learner(text: str) -> BookLearner | None:
    """Return the learner of books that `text` names; None if it names another one."""
    given = book_parameters(text)
    return None if given is None else BookLearner(int(given.get("books", BookLearner.books)))


def with_games(learner: _Other, program: Playable, games: int) -> _Other | BookLearner:
    """Return the learner that a learner comes to with so many games: `auto` may choose a book."""
    if not isinstance(program, Program):
        return learner  # one from outside has no book
    if not isinstance(learner, Auto) or not learner.prefers_book(games):
        return learner
    return BookLearner(
        reason=f"a book, as it has {learner.book:,} games or more; auto:book=0 chooses a seed"
    )


@dataclass(frozen=True)
class BookLesson:
    """What was learnt."""

    books: tuple[MixedBook, MixedBook]
    games: int
    note: str = ""
    """Why there is a book, where another learner has chosen it."""

    @property
    def size(self) -> str:
        """How many entries the first and the second player have."""
        return f"{len(self.books[0])}+{len(self.books[1])}"


def teach_book(
    learner: BookLearner,
    program: Program,
    budget: int,
    opponents: int,
    kept: Path | None,
    arena: Arena,
    progress: Progress,
) -> tuple[BookLesson, Evaluation]:
    """Learn, and judge on unseen opponents what was learnt; see `learn_books`."""
    lesson = learn_books(learner, program, budget, kept, arena, progress)
    single = replace(program, repeats=1)
    evaluation = judge(single, lesson.books, opponents, arena, progress)
    return replace(lesson, note=learner.reason), evaluation


def learn_books(
    learner: BookLearner,
    program: Program,
    budget: int,
    kept: Path | None,
    arena: Arena,
    progress: Progress,
) -> BookLesson:
    """Learn from `budget` games in all, going on from what is kept in the file `kept`.

    What is learnt depends on the budget alone, not on whether it goes on. The second book and those
    that follow have files of their own beside it.
    """
    single = replace(program, repeats=1).with_books(packed((ORIGINAL, ORIGINAL)))
    teacher = Teacher(single, arena, progress)
    if learner.books == 1:
        measured = games_to_vary(budget)
        learning = _learn(teacher, Learning.begin(), budget - measured, kept)
        first, second = chosen_books(teacher, learning, budget)
        return BookLesson((one_book(first), one_book(second)), learning.games + measured)
    pool = pool_size(budget // learner.books)
    share = max(1, budget // learner.books - measuring_games(pool))

    def one(teacher: Teacher, number: int) -> Learning:
        file = kept
        if kept is not None and number > 0:
            # Whom it meets depends on the share, too.
            file = kept.with_name(f"{kept.stem}-{number + 1}-of-{share}{kept.suffix}")
        return _learn(teacher, Learning.begin(number * share), share, file)

    return BookLesson(*mixed_books(teacher, one, learner.books, pool))


def _learn(teacher: Teacher, learning: Learning, budget: int, kept: Path | None) -> Learning:
    """Learn one book, keeping what was seen now and then, and when interrupted."""
    mark = _mark(teacher)
    if kept is not None and kept.exists():
        found = load_learning(kept, mark)
        if found.games <= budget:
            learning = found
        else:
            # From more games another book would come; they are there for a larger budget.
            kept = None
    # What is kept ends with a whole round, as those of a larger budget do.
    whole, safe = learning, learning.games
    ready = time.monotonic()
    try:
        with closing(teacher.rounds(learning, budget)) as rounds:
            for now in rounds:
                if now.games == learning.games + round_after(learning.games):
                    whole = now
                learning = now
                if kept is not None and whole.games > safe and time.monotonic() > ready:
                    began = time.monotonic()
                    save_learning(whole, kept, mark)
                    safe = whole.games
                    ended = time.monotonic()
                    ready = ended + _KEEPING * (ended - began)
    finally:
        if kept is not None and whole.games > safe:
            save_learning(whole, kept, mark)
    return learning


def _mark(teacher: Teacher) -> str:
    """Return what tells apart what may not be mixed up: programs, and whom they meet."""
    program = teacher.program
    mark = f"{program.identity_of_parts()} {replace(program, books=None).behaviour}"
    if teacher.opponents is None:
        return mark
    seeds = b"".join(each.tobytes() for each in teacher.opponents)
    return f"{mark} {hashlib.sha256(seeds).hexdigest()}"
