"""One side of one game: an arm that was drawn for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

from seedfolio.core.display import Brief
from seedfolio.core.seeds import name_of_arm
from seedfolio.engines.interface import Times
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.players.program import Program


class ResignedError(SeedfolioError):
    """The program resigns."""


@dataclass(frozen=True)
class Searched:
    """What a search gives, and what its seat plays: another move in the book. None: it resigns."""

    own: int | None
    played: int | None


class SearchLimits(Protocol):
    """How long a program thinks over one move."""

    @property
    def times(self) -> Times | None:
        """The clocks, for an external engine; None: it has limits of its own."""
        ...

    def choose(self, seat: CompiledSeat, history: Sequence[int]) -> int:
        """Return the move of a seat within the limits."""
        ...


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

    @property
    def score(self) -> str:
        """What the program said of its position with its last move, for adjudication; empty: none.

        See `engines.play.adjudication`.
        """
        ...

    @property
    def opinion(self) -> str:
        """The same for people, with the depth where there is one: `+0.35/12`."""
        ...

    def choose(self, history: Sequence[int], limits: SearchLimits | None = None) -> int:
        """Return the move after `history`; ResignedError if the program resigns instead.

        An external engine has limits of its own, and looks only at the `times`.
        """
        ...

    def searched(self, history: Sequence[int]) -> Searched:
        """Search for a move after `history`, also where the book has one."""
        ...

    def is_in_book(self, history: Sequence[int]) -> bool:
        """Tell whether the move after `history` is from the book."""
        ...

    def named(self, name: str) -> Self:
        """Return the seat under a name that does not tell its arm."""
        ...

    def draw_chance(self, history: Sequence[int]) -> int:
        """Return the outcome of the chance move after `history` in this game."""
        ...

    def follow(self, history: Sequence[int]) -> None:
        """Hear of the moves so far; SpecificationError if the program refuses the last one."""
        ...

    def commands(self, history: Sequence[int]) -> tuple[str, ...]:
        """Return the names of all commands of GTP that an external engine knows."""
        ...

    def ask(self, history: Sequence[int], command: str, *, harmless: bool = False) -> str:
        """Return the engine's answer to one of its own commands.

        Unless it is `harmless`, the engine starts again before its next move.
        """
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
    plain: Program | None = field(default=None, compare=False)
    """The program without a book; None: `program`."""
    heard: list[tuple[str, str]] = field(default_factory=list, compare=False)
    """What it said of its last move under limits: the score, and the same for people."""

    @property
    def name(self) -> str:
        """What people call the arm."""
        return self.called or name_of_arm(self.number)

    @property
    def has_book(self) -> bool:
        """Whether it has a book."""
        return self.program.books is not None

    @property
    def score(self) -> str:
        """What the player thought of its position before its last move, in centipawns."""
        return self.heard[-1][0] if self.heard else ""

    @property
    def opinion(self) -> str:
        """The same for people."""
        return self.heard[-1][1] if self.heard else ""

    def choose(self, history: Sequence[int], limits: SearchLimits | None = None) -> int:
        """Return the move after `history`, of which the player sees only its own view."""
        self.heard.clear()
        if limits is not None:
            return limits.choose(self, history)
        return self.program.choose(history, self.number, self.luck)

    def searched(self, history: Sequence[int]) -> Searched:
        """Search for a move after `history`, also where the book has one."""
        room = self.program.workspace()  # one for both: it takes longer to make than a look-up
        played, from_book = self.program.choose_noting(history, self.number, self.luck, room)
        if not from_book:
            return Searched(played, played)
        plain = self.plain or self.program
        return Searched(plain.choose(history, self.number, self.luck, room), played)

    def is_in_book(self, history: Sequence[int]) -> bool:
        """Tell whether the move after `history` is from the book."""
        return self.program.choose_noting(history, self.number, self.luck)[1]

    def named(self, name: str) -> Self:
        """Return the seat under a name that does not tell its arm."""
        return replace(self, called=name)

    def draw_chance(self, history: Sequence[int]) -> int:
        """Return the outcome of the chance move after `history` in this game."""
        return self.program.game.draw_outcome(history, self.luck)

    def follow(self, history: Sequence[int]) -> None:
        """Do nothing: the player gets all moves with each question."""

    def commands(self, history: Sequence[int]) -> tuple[str, ...]:
        """Return nothing: there is no other program."""
        return ()

    def ask(self, history: Sequence[int], command: str, *, harmless: bool = False) -> str:
        """Refuse: there is no other program."""
        raise SpecificationError("unknown command")

    def close(self) -> None:
        """Do nothing: there is no process."""

    def _summary(self) -> str:
        return f"{self.program!r}, {self.name}"
