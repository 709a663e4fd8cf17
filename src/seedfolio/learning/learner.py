"""What a learner is: from a session and a budget of games to a portfolio or a book."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from inspect import signature
from math import inf
from typing import ClassVar, Literal

from seedfolio.core.display import Brief
from seedfolio.errors import SpecificationError
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session

Number = int | float


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

    short: ClassVar[str]
    """Its name without parameters."""

    @classmethod
    def parameters(cls) -> dict[str, Number]:
        """Return its parameters, all numbers, with their defaults."""
        return {name: each.default for name, each in signature(cls).parameters.items()}

    @property
    def name(self) -> str:
        """The canonical text that `find_learner` turns back into this learner."""
        given = [(name, getattr(self, name), usual) for name, usual in self.parameters().items()]
        options = ",".join(f"{name}={value}" for name, value, usual in given if value != usual)
        return f"{self.short}:{options}" if options else self.short

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


def in_range(
    wanted: str,
    value: Number,
    low: Number,
    high: Number = inf,
    *,
    ends: Literal["[]", "(]", "()"] = "[]",
    advice: str = "",
) -> None:
    """Raise SpecificationError unless a parameter is in its range; a round end is not part of it.

    `wanted` says what the learner needs, with {} in place of the range: "exp3: k must be {}".
    """
    above = low < value if ends[0] == "(" else low <= value
    below = value < high if ends[1] == ")" else value <= high
    if above and below:
        return
    words = {
        "[]": f"{low} or more" if high == inf else f"{low} to {high}",
        "(]": f"above {low} and at most {high}",
        "()": f"between {low} and {high}",
    }
    text = f"{wanted.format(words[ends])}, not {value}"
    raise SpecificationError(f"{text}; {advice}" if advice else text)
