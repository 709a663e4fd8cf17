"""What a learner is: from a session and a budget of games to a portfolio or a book."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from seedfolio.core.display import Brief
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session


@dataclass(frozen=True, repr=False)
class Budget(Brief):
    """How many games a learner may use."""

    games: int
    matrix: tuple[int, int] | None = None
    """K and Kt of the whole matrices that matrix learners take. None: they choose their games, as
    the others do."""
    key: int = 0
    """64 bits: the only source of a learner's own randomness."""


@dataclass(frozen=True)
class Certificate:
    """Bounds of a success between 0 and 1."""

    lower: float
    upper: float


@dataclass(frozen=True, repr=False)
class Learnt(Brief):
    """What a learner made of its games."""

    plays: Portfolio | BookPortfolio
    games: int
    """How many it has used."""
    matrix: tuple[int, int] | None = None
    """K and Kt of the matrix; None where the learner chose its games."""
    value: tuple[Certificate, Certificate] | None = None
    """For each colour, proven bounds of the value of the matrix game, from learners that solve
    one."""
    confidence: tuple[Certificate, Certificate] | None = None
    """For each colour, where the success against the original lies with 95% confidence, from
    learners that choose their games."""
    note: str = ""
    """What the learner chose, and why, for people."""


class Learner(ABC):
    """A way to learn which arms, or which moves, to play. Both colours are treated alike."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The canonical text that `find_learner` turns back into this learner."""

    @abstractmethod
    def learn(self, session: Session, budget: Budget) -> Learnt:
        """Learn from at most the games of the budget; games that the study has count, too."""

    def check(self, program: Playable, *, whole_matrix: bool = False) -> None:
        """Raise SpecificationError if the learner cannot learn for this program."""
        return

    def sample(self) -> Learner:
        """Return a learner of about the same speed that needs few games: mostly itself."""
        return self

    def settled(self, program: Playable, games: int) -> Learner:
        """Return the learner that this one uses with that many games: mostly itself."""
        return self
