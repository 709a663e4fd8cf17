"""The learner `book`: it learns in rounds from a budget of games, and keeps a checkpoint."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from seedfolio.book.checkpoint import load_checkpoint, save_checkpoint
from seedfolio.book.mixture import Measuring, mixed_books
from seedfolio.book.self_play import Experience, Round, SelfPlay, round_after
from seedfolio.errors import SpecificationError
from seedfolio.learning.learner import Budget, Learner, Learnt
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session

MOST_BOOKS = 16
MOST_EXPLOITERS = 1000
_GAMES_A_BOOK = 1_000_000
"""Fewer games are better spent on one book than on two (docs/notes/many-books.md)."""
_MOST_BY_DEFAULT = 12
_SAVING = 20
"""Saving checkpoints takes at most one second in 20."""


@dataclass(frozen=True)
class BookLearner(Learner):
    """Learn a book, or several of which one is drawn for each game.

    The result depends on the budget alone, not on whether learning continues from a checkpoint.
    """

    books: int = 0
    """How many are learnt; 0: as many as the budget is best spent on, see `books_for`."""
    exploiters: int = 16
    """They are mixed as does best against an opponent who may choose among this many seeds."""

    def __post_init__(self) -> None:
        if not 0 <= self.books <= MOST_BOOKS:
            raise SpecificationError(
                f"book: books must be 1 to {MOST_BOOKS}, or 0 for as many as pay, not {self.books}"
            )
        if not 1 <= self.exploiters <= MOST_EXPLOITERS:
            raise SpecificationError(
                f"book: exploiters must be 1 to {MOST_EXPLOITERS}, not {self.exploiters}"
            )

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        usual = BookLearner()
        parts = [
            f"{name}={value}"
            for name, value in (("books", self.books), ("exploiters", self.exploiters))
            if value != getattr(usual, name)
        ]
        return f"book:{','.join(parts)}" if parts else "book"

    def check(self, program: Playable, *, whole_matrix: bool = False) -> None:
        """Raise SpecificationError for an external engine."""
        if not program.takes_book:
            raise SpecificationError(
                f"{program.title}: a book is for built-in players; choose another learner"
            )

    def sample(self) -> Learner:
        """Return the learner of one book: a game costs the same with several."""
        return BookLearner(books=1)

    def learn(self, session: Session, budget: Budget) -> Learnt:
        """Learn from the games of the budget in all, including those of the checkpoint."""
        play = SelfPlay(session)
        books = self.books or books_for(budget.games, hides=session.program.hides)
        kept = session.checkpoint(f"books {books}")
        measuring = Measuring.of(budget.games, books)
        experience = _learn(play, Experience.none(books), budget.games - measuring.games, kept)
        plays = mixed_books(play, experience, measuring, self.exploiters)
        return Learnt(plays, experience.games + measuring.games)


def books_for(games: int, *, hides: bool) -> int:
    """Return how many books a budget is best spent on; with hidden information it is one."""
    if hides:
        return 1
    return min(_MOST_BY_DEFAULT, max(1, games // _GAMES_A_BOOK))


def _learn(play: SelfPlay, experience: Experience, budget: int, kept: Path | None) -> Experience:
    """Learn books, with a checkpoint now and then, and when interrupted."""
    mark, books = _mark(play), len(experience.colours[0])
    if kept is not None and kept.exists():
        found = load_checkpoint(kept, mark)
        if found.games <= budget:
            experience = found
        else:
            # More games would give other books; keep the checkpoint for a larger budget.
            kept = None
    # Only whole rounds are saved: a larger budget has the same ones.
    games, safe = experience.games, experience.games
    last: Round | None = None
    whole: Round | None = None
    ready = time.monotonic()
    try:
        with closing(play.rounds(experience, budget)) as rounds:
            for last in rounds:
                if last.games == games + round_after(games, books):
                    whole = last
                games = last.games
                if kept is None or whole is None or whole.games == safe:
                    continue
                if time.monotonic() > ready:
                    began = time.monotonic()
                    save_checkpoint(whole.experience(), kept, mark)
                    safe = whole.games
                    ended = time.monotonic()
                    ready = ended + _SAVING * (ended - began)
    finally:
        if kept is not None and whole is not None and whole.games > safe:
            save_checkpoint(whole.experience(), kept, mark)
    return experience if last is None else last.experience()


def _mark(play: SelfPlay) -> str:
    """Return a text that is different for each program."""
    program = play.program
    return f"{program.identity_of_parts()} {replace(program, books=None).behaviour}"
