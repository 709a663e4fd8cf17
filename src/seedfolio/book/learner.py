"""The learner `book`: it learns in rounds from a budget of games, and keeps a checkpoint."""

from __future__ import annotations

import hashlib
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from seedfolio.book.checkpoint import load_checkpoint, save_checkpoint
from seedfolio.book.mixture import measuring_games, mixed_books, pool_size
from seedfolio.book.self_play import Experience, SelfPlay
from seedfolio.book.variation import chosen_books, games_to_vary
from seedfolio.errors import SpecificationError
from seedfolio.learning.learner import Budget, Learner, Learnt
from seedfolio.learning.registry import find_learner
from seedfolio.portfolios.book import BookPortfolio, one_book
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session

MOST_BOOKS = 16
_ARMS = "auto:book=0"
"""The learner that chooses arms behind a book."""
_BEYOND_ARMS = 2**20
"""Books are learnt against arms from this number on, which have not chosen those behind them."""
_SAVING = 20
"""Saving checkpoints takes at most one second in 20."""


@dataclass(frozen=True)
class BookLearner(Learner):
    """Learn a book, or several of which one is drawn for each game.

    The result depends on the budget alone, not on whether learning continues from a checkpoint. The
    second and later books have separate checkpoints.
    """

    books: int = 1
    behind: int = 0
    """1: the best arm plays on where the book of an engine ends; 0: a fresh one each game."""

    def __post_init__(self) -> None:
        if self.behind not in (0, 1):
            raise SpecificationError(f"book: behind must be 0 or 1, not {self.behind}")
        if not 1 <= self.books <= MOST_BOOKS:
            raise SpecificationError(f"book: books must be 1 to {MOST_BOOKS}, not {self.books}")

    @property
    def name(self) -> str:
        """The canonical text of this learner."""
        if self.behind:
            return "book:behind=1"
        return "book" if self.books == 1 else f"book:books={self.books}"

    def check(self, program: Playable, *, whole_matrix: bool = False) -> None:
        """Raise SpecificationError if the game has too many different moves."""
        if not program.takes_book:
            raise SpecificationError(
                f"{program.title}: the game has too many different moves for a book; choose "
                "another learner"
            )
        if self.behind and (self.books > 1 or not program.slow):
            raise SpecificationError(
                f"{program.title}: book:behind=1 is for one book of an external engine"
            )
        if self.books > 1 and program.slow:
            raise SpecificationError(
                f"{program.title}: several books take too many games of an external engine; "
                "choose the learner book"
            )

    def sample(self) -> Learner:
        """Return the learner of one book: a game costs the same with several."""
        return BookLearner()

    def learn(self, session: Session, budget: Budget) -> Learnt:
        """Learn from the games of the budget in all, including those of the checkpoint."""
        turned = session.program.turns_books
        if self.behind:
            return self._with_arms(session, budget)
        play, kept = SelfPlay(session, turned), session.checkpoint(self.name)
        nothing = Experience.none(caution=play.pace.caution)
        if self.books == 1:
            measured = 0 if session.program.slow else games_to_vary(budget.games)
            experience = _learn(play, nothing, budget.games - measured, kept)
            first, second = chosen_books(play, experience, budget.games if measured else 0)
            sides = one_book(first), one_book(second)
            return Learnt(BookPortfolio(*sides, turned), experience.games + measured)
        pool = pool_size(budget.games // self.books)
        share = max(1, budget.games // self.books - measuring_games(pool))

        def one(play: SelfPlay, number: int) -> Experience:
            file = kept
            if kept is not None and number > 0:
                # Its opponents depend on the share, too.
                file = kept.with_name(f"{kept.stem}-{number + 1}-of-{share}{kept.suffix}")
            start = Experience.none(number * share, play.pace.caution)
            return _learn(play, start, share, file)

        mixtures, games = mixed_books(play, one, self.books, pool)
        return Learnt(BookPortfolio(*mixtures, turned), games)

    def _with_arms(self, session: Session, budget: Budget) -> Learnt:
        """Learn which arm of each colour to play, then a book that it follows."""
        share = games_for_arms(budget.games)
        chosen = find_learner(_ARMS).learn(session, Budget(share, key=budget.key))
        behind = chosen.plays.distributions
        play = SelfPlay(session, session.program.turns_books, behind=behind)
        kept = session.checkpoint(f"{self.name}-{share}")
        start = Experience.none(_BEYOND_ARMS, play.pace.caution)
        experience = _learn(play, start, max(2, budget.games - share), kept)
        first, second = play.books(experience)
        plays = BookPortfolio(one_book(first), one_book(second), play.symmetric, behind)
        return Learnt(plays, chosen.games + experience.games)


def games_for_arms(games: int) -> int:
    """Return how many games of a budget choose the arms behind a book: up to a third.

    A power of two, so that a somewhat larger budget has the same arms and continues their book.
    """
    return 1 << max(0, (games // 3).bit_length() - 1)


def _learn(play: SelfPlay, experience: Experience, budget: int, kept: Path | None) -> Experience:
    """Learn one book, with a checkpoint now and then, and when interrupted."""
    mark = _mark(play)
    if kept is not None and kept.exists():
        found = load_checkpoint(kept, mark, play.pace.caution)
        if found.games <= budget:
            experience = found
        else:
            # More games would give another book; keep the checkpoint for a larger budget.
            kept = None
    # Only whole rounds are saved: a larger budget has the same ones.
    whole, safe = experience, experience.games
    ready = time.monotonic()
    try:
        with closing(play.rounds(experience, budget)) as rounds:
            for now in rounds:
                if now.games == experience.games + play.pace.round_after(experience.games):
                    whole = now
                experience = now
                if kept is not None and whole.games > safe and time.monotonic() > ready:
                    began = time.monotonic()
                    save_checkpoint(whole, kept, mark)
                    safe = whole.games
                    ended = time.monotonic()
                    ready = ended + _SAVING * (ended - began)
    finally:
        if kept is not None and whole.games > safe:
            save_checkpoint(whole, kept, mark)
    return experience


def _mark(play: SelfPlay) -> str:
    """Return a text that is different for each program and its opponents."""
    program = play.session.program.single()
    mark = f"{program.identity_of_parts()} {program.behaviour}"
    if play.behind is not None:
        mark += f" before {play.behind.arms}"
    if play.opponents is None:
        return mark
    seeds = b"".join(each.tobytes() for each in play.opponents)
    return f"{mark} {hashlib.sha256(seeds).hexdigest()}"
