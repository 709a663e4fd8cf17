"""The learner `book`: it learns in rounds from a budget of games, and keeps a checkpoint."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from seedfolio.errors import SpecificationError
from seedfolio.learning.book.checkpoint import load_checkpoint, save_checkpoint
from seedfolio.learning.book.mixture import Measuring, holding_book, mixed_books
from seedfolio.learning.book.self_play import Experience, Round, SelfPlay
from seedfolio.learning.book.several_moves import ONE_MOVE, MoveVariety
from seedfolio.learning.duels import HalvingDuels
from seedfolio.learning.learner import Budget, Learner, Learnt, in_range
from seedfolio.portfolios.book.book import BookPortfolio, one_book
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session

MOST_BOOKS = 16
MOST_MOVES = 16
MOST_EXPLOITERS = 1000
_GAMES_A_BOOK = 1_000_000
"""Fewer games are better spent on one book than on two (docs/notes/books.md)."""
_MOST_BY_DEFAULT = 12
_GAMES_TO_VARY = 4_000_000
"""From here on one book varies its moves, in place of several that do not (docs/notes/books.md)."""
_VARIED_MOVES = 12
_BEYOND_ARMS = 2**20
"""Books are learnt against arms from this number on, which have not chosen those behind them."""
_SLACKS = 0.10, 0.06, 0.03
"""By how much the lower bound of a move's success may be below the best one: at our first turn, the
second, later."""
_HALF_TILT, _TILT_WITH_RIVAL = 20.0, 60.0
"""The tilt of a book with half of the hold, and where it meets a rival."""
_LEAST_TILT = 0.01
_SAVING = 20
"""Saving checkpoints takes at most one second in 20."""


@dataclass(frozen=True)
class BookLearner(Learner):
    """Learn a book, or several of which one is drawn for each game.

    The result depends on the budget alone, not on whether learning continues from a checkpoint.
    """

    short = "book"

    books: int = 0
    """How many are learnt; 0: as many as the budget is best spent on, see `books_for`."""
    exploiters: int = 16
    """They are mixed as does best against an opponent who may choose among this many seeds."""
    behind: int = 0
    """1: the best arm plays on where the book of an engine ends; 0: a fresh one each game."""
    moves: int = 0
    """Between how many moves a book draws at our first turn, at most; fewer at later turns. 0: as
    many as the budget is best spent on, see `moves_for`; one if `books` is given."""
    hold: float = 0.0
    """How hard one book is to learn against, from 0, where only success against the original
    counts, to 1, see `holding`; above 0 it draws between all moves of the program."""

    def __post_init__(self) -> None:
        if self.books:
            in_range("book: books must be {}, or 0 for as many as pay", self.books, 1, MOST_BOOKS)
        in_range("book: exploiters must be {}", self.exploiters, 1, MOST_EXPLOITERS)
        if self.moves:
            in_range("book: moves must be {}, or 0 for as many as pay", self.moves, 1, MOST_MOVES)
        in_range("book: hold must be {}", self.hold, 0, 1)
        if self.hold and (self.books > 1 or self.moves or self.behind):
            raise SpecificationError(
                "book: hold is for one book that draws between all moves of the program; leave out "
                "books, moves and behind"
            )
        if self.behind not in (0, 1):
            raise SpecificationError(f"book: behind must be 0 or 1, not {self.behind}")

    def check(self, program: Playable, *, whole_matrix: bool = False) -> None:
        """Raise SpecificationError if the program cannot have such a book."""
        if not program.book.possible:
            raise SpecificationError(
                f"{program.title}: the game has too many different moves for a book; choose "
                "another learner"
            )
        if self.behind and (self.books > 1 or not program.traits.slow):
            raise SpecificationError(
                f"{program.title}: book:behind=1 is for one book of an external engine"
            )
        if (self.moves > 1 or self.hold) and program.traits.slow:
            which = "book:hold" if self.hold else "book:moves"
            raise SpecificationError(
                f"{program.title}: {which} takes too many games of an external engine; choose "
                "the learner book"
            )
        if self.books > 1 and program.traits.slow:
            raise SpecificationError(
                f"{program.title}: several books take too many games of an external engine; "
                "choose the learner book"
            )

    def sample(self) -> Learner:
        """Return the learner of one book: a game costs about the same with several."""
        return BookLearner(books=1, moves=self.moves, hold=self.hold)

    def learn(self, session: Session, budget: Budget) -> Learnt:
        """Learn from the games of the budget in all, including those of the checkpoint."""
        if self.behind:
            return self._with_arms(session, budget)
        if self.hold:
            return self._holding(session, budget)
        program = session.program
        # With hidden information one book of one move a state is best. An engine is slow: it never
        # has the games for more. A book that varies its moves plays many lines by itself.
        simple = program.traits.hides or program.traits.slow
        moves = self.moves or (1 if simple or self.books else moves_for(budget.games))
        books = self.books or (1 if simple or moves > 1 else books_for(budget.games))
        play = SelfPlay(session, program.book.turned, variety=_variety(moves, learning=True))
        measuring = Measuring.of(budget.games, books)
        varied = "" if moves == 1 else f" moves {moves}"
        kept = session.checkpoint(f"books {books}{varied}")
        nothing = Experience.none(books, play.pace.caution)
        experience = _learn(play, nothing, budget.games - measuring.games, kept)
        # Against strangers the best moves do best.
        drawn = moves if self.exploiters > 1 else max(1, self.moves)
        played = _variety(drawn, learning=False)
        plays = mixed_books(play, experience, measuring, self.exploiters, played)
        return Learnt(plays, experience.games + measuring.games)

    def _holding(self, session: Session, budget: Budget) -> Learnt:
        """Learn a book that holds against an opponent who learns."""
        tilt, met = holding(session.program, self.hold)
        play = SelfPlay(
            session, session.program.book.turned, variety=MoveVariety(tilt=tilt), met=met
        )
        kept = session.checkpoint(f"books 1 hold {self.hold:g}")
        experience = _learn(play, Experience.none(1, play.pace.caution), budget.games, kept)
        books = [
            one_book(holding_book(each, experience.caution, average=met > 0))
            for (each,) in experience.colours
        ]
        return Learnt(BookPortfolio(books[0], books[1], play.symmetric), experience.games)

    def _with_arms(self, session: Session, budget: Budget) -> Learnt:
        """Learn which arm of each colour to play, then a book that it follows."""
        share = games_for_arms(budget.games)
        arms = HalvingDuels(exploiters=1)
        chosen = arms.learn(session, Budget(share, key=budget.key))
        behind = chosen.plays.distributions
        play = SelfPlay(session, session.program.book.turned, behind, _BEYOND_ARMS)
        kept = session.checkpoint(f"{self.name}-{share}")
        start = Experience.none(caution=play.pace.caution)
        experience = _learn(play, start, max(2, budget.games - share), kept)
        plays = mixed_books(play, experience, Measuring.of(budget.games, 1), self.exploiters)
        return Learnt(plays, chosen.games + experience.games)


def books_for(games: int) -> int:
    """Return how many books of one move a state to learn, in a game without secrets."""
    return min(_MOST_BY_DEFAULT, max(1, games // _GAMES_A_BOOK))


def moves_for(games: int) -> int:
    """Return between how many moves one book should draw at first, in a game without secrets."""
    return 1 if games < _GAMES_TO_VARY else _VARIED_MOVES


def holding(program: Playable, hold: float) -> tuple[float, float]:
    """Return the tilt of a book that holds, and in which share of its games it meets its rival.

    Trials chose both (docs/notes/books.md). Where nothing is hidden the program's own variety is
    what holds, and a rival gains nothing; where something is, the rival finds the weak lines.
    """
    alone = program.traits.one_sided or bool(program.opponents)
    if program.traits.hides and not alone:
        return _TILT_WITH_RIVAL, hold
    return max(_LEAST_TILT, _HALF_TILT * (1 - hold) / hold), 0.0


def _variety(moves: int, *, learning: bool) -> MoveVariety:
    """Return the moves that a book draws between.

    While it is learnt, games draw at later turns, too, so that other moves become known.
    """
    if moves == 1:
        return ONE_MOVE
    second, later = max(1, 2 * moves // 3), max(1, moves // 3)
    return MoveVariety(_SLACKS, (moves, second, later if learning else 1))


def games_for_arms(games: int) -> int:
    """Return how many games of a budget choose the arms behind a book: up to a third.

    A power of two, so that a somewhat larger budget has the same arms and continues their book.
    """
    return 1 << max(0, (games // 3).bit_length() - 1)


def _learn(play: SelfPlay, experience: Experience, budget: int, kept: Path | None) -> Experience:
    """Learn books, with a checkpoint now and then, and when interrupted."""
    mark, books = _mark(play), len(experience.colours[0])
    if kept is not None and kept.exists():
        found = load_checkpoint(kept, mark, experience.caution, books=books)
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
                if last.games == games + play.pace.round_after(games, books):
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
    """Return a text for the program, the variety and its rounds, and the arms behind a book.

    A checkpoint with another mark is not continued.
    """
    program = play.session.program.single()
    mark = f"{program.identity_of_parts()} {program.behaviour}"
    if play.variety.tilt > 0:
        mark += f" tilted by {play.variety.tilt:g}, meeting its rival in {play.met:g}"
    elif play.variety != ONE_MOVE:
        mark += f" drawing {play.variety.moves} within {play.variety.slacks}"
        mark += f" in rounds of 1/{play.pace.growth}"
    return mark if play.behind is None else f"{mark} before {play.behind.arms}"
