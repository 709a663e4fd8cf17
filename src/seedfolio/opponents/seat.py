"""One side of one game: an arm that was drawn for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from seedfolio.core.display import Brief
from seedfolio.core.seeds import name_of_arm
from seedfolio.errors import SeedfolioError
from seedfolio.players.program import Program


class ResignedError(SeedfolioError):
    """The program resigns."""


class Seat(Protocol):
    """One side of one game. A history is all moves so far by number, tries and chance included."""

    @property
    def number(self) -> int:
        """The number of the arm."""
        ...

    @property
    def name(self) -> str:
        """What people call the arm."""
        ...

    @property
    def has_book(self) -> bool:
        """Whether it has a book."""
        ...

    def choose(self, history: Sequence[int]) -> int:
        """Return the move after `history`; ResignedError if the program resigns instead."""
        ...

    def is_in_book(self, history: Sequence[int]) -> bool:
        """Tell whether the move after `history` is from the book."""
        ...

    def draw_chance(self, history: Sequence[int]) -> int:
        """Return the outcome of the chance move after `history` in this game."""
        ...

    def close(self) -> None:
        """End the process of the seat, if there is one; it starts again when needed."""
        ...


@dataclass(frozen=True, repr=False)
class CompiledSeat(Brief):
    """An arm of a built-in program, and the chance of the game."""

    program: Program
    number: int
    """The number of the arm: its seed, plus that of a symmetry in the upper bits."""
    luck: int = 0
    """64 random bits, for chance in the rules and for players with more randomness."""
    called: str = ""
    """What people call it, if not by its arm."""

    @property
    def name(self) -> str:
        """What people call the arm."""
        return self.called or name_of_arm(self.number)

    @property
    def has_book(self) -> bool:
        """Whether it has a book."""
        return self.program.books is not None

    def choose(self, history: Sequence[int]) -> int:
        """Return the move after `history`, of which the player sees only its own view."""
        return self.program.choose(history, self.number, self.luck)

    def is_in_book(self, history: Sequence[int]) -> bool:
        """Tell whether the move after `history` is from the book."""
        return self.program.choose_noting(history, self.number, self.luck)[1]

    def draw_chance(self, history: Sequence[int]) -> int:
        """Return the outcome of the chance move after `history` in this game."""
        return self.program.game.draw_outcome(history, self.luck)

    def close(self) -> None:
        """Do nothing: there is no process."""

    def _summary(self) -> str:
        return f"{self.program!r}, {self.name}"
