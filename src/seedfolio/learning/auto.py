"""The default learner: the strongest play that a number of games allows, with nothing to choose."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.duels import HalvingDuels
from seedfolio.learning.learner import Budget, Learner, Learnt, in_range
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session

_BY_PROGRAM = -1  # of built-in ones 5,000, by measurement: docs/notes/book-or-seeds.md
_ALONE = "one seed is for strangers: the best of 16 opponents beats it; see auto:exploiters=16"


@dataclass(frozen=True)
class Auto(HalvingDuels):
    """Learn a book if there are enough games for one, else which arms to draw: `HalvingDuels`.

    With `book` games or more it learns a book, which is stronger against strangers and exploiters
    on average over the built-in games; 0 never does. Unless given, the program says: 5,000, of an
    external engine 1,000. With `exploiters` or `arms` it always learns arms, and so does an
    exploration.
    """

    book: int = _BY_PROGRAM

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.book != _BY_PROGRAM:
            in_range("auto: book must be {} games", self.book, 0)

    def learn(self, session: Session, budget: Budget) -> Learnt:
        """Learn a book if there are enough games for one, else which arms to draw."""
        book = self.settled(session.program, budget.games)
        if book is self:
            learnt = super().learn(session, budget)
            alone = self.exploiters == 1 and learnt.note
            return replace(learnt, note=f"{learnt.note}; {_ALONE}") if alone else learnt
        fewest = self._fewest(session.program)
        note = f"a book, as it has {fewest:,} games or more; auto:book=0 chooses seeds"
        return replace(book.learn(session, budget), note=note)

    def settled(self, program: Playable, games: int) -> Learner:
        """Return the book learner if a book is stronger; never if the parameters ask for arms."""
        of_arms = self.exploiters > 0 or self.arms > 0
        if of_arms or not program.book.possible or not 0 < self._fewest(program) <= games:
            return self
        return BookLearner()

    def _fewest(self, program: Playable) -> int:
        """Return with how many games or more it learns a book."""
        return program.book.pays_from if self.book == _BY_PROGRAM else self.book
