"""The learner called `book`: a budget of games, learnt in rounds, kept beside the study."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from seedfolio.arena import Arena, Progress
from seedfolio.book.book import ORIGINAL, MixedBook, one_book, packed
from seedfolio.book.judging import judge
from seedfolio.book.learning import Learning, Teacher, learn, load_learning, save_learning
from seedfolio.book.mixing import measuring_games, mixed_books, pool_size
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.unseen import Evaluation
from seedfolio.learning import book_parameters
from seedfolio.players.program import Program

MOST_BOOKS = 16
_ROUNDS = 64
"""The first rounds are this part of the budget, or larger."""
_SMALLEST_ROUND = 1_000
_LARGEST_FIRST_ROUND = 65_536
_KEEP_SECONDS = 60.0


@dataclass(frozen=True)
class BookLearner:
    """Learn a book, or several of which one is drawn for each game."""

    books: int = 1

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
    return None if given is None else BookLearner(**{k: int(v) for k, v in given.items()})


@dataclass(frozen=True)
class BookLesson:
    """What was learnt."""

    books: tuple[MixedBook, MixedBook]
    games: int

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
    return lesson, judge(single, lesson.books, opponents, arena, progress)


def learn_books(
    learner: BookLearner,
    program: Program,
    budget: int,
    kept: Path | None,
    arena: Arena,
    progress: Progress,
    clock: Callable[[], float] = time.monotonic,
) -> BookLesson:
    """Learn from `budget` games in all, going on from what is kept in the file `kept`."""
    single = replace(program, repeats=1).with_books(packed((ORIGINAL, ORIGINAL)))
    teacher = Teacher(single, arena, progress)
    if learner.books == 1:
        learning = _one(teacher, budget, kept, clock)
        first, second = teacher.books(learning)
        return BookLesson((one_book(first), one_book(second)), learning.games)
    pool = pool_size(budget // learner.books)
    share = max(1, budget // learner.books - measuring_games(pool))
    learning = _one(teacher, share, kept, clock)
    sizes = learner.books, share, first_round(share), pool
    return BookLesson(*mixed_books(teacher, learning, *sizes))


def first_round(budget: int) -> int:
    """Return how many games the first rounds have."""
    return max(_SMALLEST_ROUND, min(_LARGEST_FIRST_ROUND, budget // _ROUNDS))


def _one(teacher: Teacher, budget: int, kept: Path | None, clock: Callable[[], float]) -> Learning:
    """Learn one book, keeping what was seen now and then, at the end, and when interrupted."""
    identity = teacher.program.identity_of_parts()
    mark = f"{identity} {replace(teacher.program, books=None).behaviour}"
    learning = Learning.begin()
    if kept is not None and kept.exists():
        found = load_learning(kept, mark)
        # From more games than these another book would come than from a new start.
        learning = found if found.games <= budget else learning
    last = clock()

    def after(now: Learning) -> bool:
        nonlocal learning, last
        learning = now
        if kept is not None and clock() - last > _KEEP_SECONDS:
            save_learning(learning, kept, mark)
            last = clock()
        return True

    begun = learning.games
    try:
        learn(teacher, learning, budget, first_round(budget), after)
    finally:
        if kept is not None and learning.games > begun:
            save_learning(learning, kept, mark)
    return learning
