"""What an engine is to a game, whatever protocol it speaks, and what rules a game has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from seedfolio.errors import SeedfolioError

Value = bool | int | float | str
"""What an option of an arm can be set to."""

RESIGN = "resign"


@dataclass(frozen=True)
class Arm:
    """One deterministic form of a program: its number in the study, and what it stands for."""

    number: int
    values: Mapping[str, Value]
    """The seed under `seed`, and each option by its name."""

    @property
    def name(self) -> str:
        """What people call it."""
        return ", ".join(f"{name} {value}" for name, value in self.values.items())


class Engine(Protocol):
    """A program at the board. EngineFaultError for what it answers wrongly, late or not at all."""

    @property
    def identity(self) -> str:
        """The name and version that the program gives itself."""
        ...

    def new_game(self, arm: Arm) -> None:
        """Begin a game as `arm`, whatever was played before."""
        ...

    def told(self, colour: int, move: str) -> None:
        """Take note of a move, which may be one of its own."""
        ...

    def choose(self, colour: int) -> str:
        """Return the move that it plays as `colour`, or RESIGN; it counts as played."""
        ...

    def close(self, polite: bool = True) -> None:
        """End the program; politely, it is told to quit first. Closing twice is harmless."""
        ...

    def kill(self) -> None:
        """End the program at once, from any thread; `close` is still to be called."""
        ...


@dataclass(frozen=True)
class Limits:
    """How long a program may take, in seconds."""

    start: float
    """For its first answer."""
    command: float
    """For a command that needs no thinking."""
    move: float


class IllegalMoveError(SeedfolioError):
    """A move that the rules do not allow."""


class Judge(Protocol):
    """Knows the rules, for one game at a time. OwnFailureError where it cannot do its work."""

    def new_game(self) -> None:
        """Begin at the start."""
        ...

    @property
    def mover(self) -> int:
        """The colour to move."""
        ...

    def play(self, move: str, known: bool) -> None:
        """Take a move; IllegalMoveError if the rules do not allow it.

        One that is `known` has been played after the same moves before.
        """
        ...

    def points(self) -> int | None:
        """Return the half points of the first player if the game is over by the rules."""
        ...

    def close(self) -> None:
        """End what the judge has started."""
        ...

    def kill(self) -> None:
        """End that at once, from any thread; `close` is still to be called."""
        ...
