"""Interfaces: an engine as a player, whatever its protocol, and the judge of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from seedfolio.errors import SeedfolioError

Value = bool | int | float | str
"""A value of an option of an arm."""

RESIGN = "resign"
IGNORES_QUIT = "it runs on for two seconds after quit, and is then killed"
FLOODS_ERRORS = "it writes more than 256 KiB to its standard error after one command"


@dataclass(frozen=True)
class Arm:
    """One deterministic form of an engine: its number in the study, its seed and options."""

    number: int
    values: Mapping[str, Value]
    """The seed under `seed`, and each option by its name."""
    whose: str = ""
    """The name of the program, if that is an opponent's."""

    @property
    def name(self) -> str:
        """The name for users."""
        values = (f"{name} {value}" for name, value in self.values.items())
        return ", ".join(filter(None, [self.whose, *values]))


@dataclass(frozen=True)
class Times:
    """What the clocks show before a move, in seconds."""

    left: tuple[float, float]
    """Of both colours; of a time a move, that time."""
    increment: float = 0.0
    moves: int | None = None
    """In how many moves the time must last; None: in the whole game."""
    each: bool = False
    """Whether it is a time a move, which does not add up."""


class Engine(Protocol):
    """An engine as a player. EngineFaultError for a wrong, late or missing answer."""

    @property
    def identity(self) -> str:
        """The name and version that the engine reports."""
        ...

    def new_game(self, arm: Arm) -> None:
        """Begin a new game as `arm`."""
        ...

    def told(self, colour: int, move: str) -> None:
        """Receive a move, of either colour."""
        ...

    def choose(self, colour: int) -> str:
        """Return the move of the engine as `colour`, or RESIGN; the move counts as played."""
        ...

    def close(self, polite: bool = True) -> None:
        """End the engine; if `polite`, ask it to quit first. Closing twice is harmless."""
        ...

    def kill(self) -> None:
        """End the engine at once, from any thread; call `close` afterwards."""
        ...

    @property
    def habits(self) -> frozenset[str]:
        """What it does that disturbs games without ending one: IGNORES_QUIT, FLOODS_ERRORS."""
        ...

    @property
    def score(self) -> str:
        """What it said of its own position with its last move, a number; empty: nothing."""
        ...

    @property
    def opinion(self) -> str:
        """The same for people, with the depth where there is one: `+0.35/12`."""
        ...


@dataclass(frozen=True)
class Limits:
    """How long an engine may take, in seconds."""

    start: float
    """For the first answer."""
    command: float
    """For a command that needs no thinking."""
    move: float

    def of_move(self, times: Times | None, colour: int) -> float:
        """Return how long a move may take: with a clock, until this is long over."""
        return self.move if times is None else times.left[colour] + self.command


class IllegalMoveError(SeedfolioError):
    """A move that the rules do not allow."""


class Judge(Protocol):
    """Knows the rules, for one game at a time. OwnFailureError if the judge fails."""

    def new_game(self) -> None:
        """Begin at the start."""
        ...

    @property
    def mover(self) -> int:
        """The colour to move."""
        ...

    def play(self, move: str, known: bool) -> None:
        """Play a move; IllegalMoveError if the rules do not allow it.

        `known` says that the move was legal after the same moves in an earlier game.
        """
        ...

    def points(self) -> int | None:
        """Return the half points of the first player, or None before the game is over."""
        ...

    @property
    def score(self) -> str:
        """The score as GTP writes it, after `points` has counted; empty in games without one."""
        ...

    def number(self, move: str) -> int:
        """Return the number of a move in this position, for books; IllegalMoveError if none."""
        ...

    def name(self, number: int) -> str:
        """Return the move with a number in this position; IllegalMoveError if there is none."""
        ...

    def numbers(self) -> Sequence[int]:
        """Return the numbers of all moves that may be legal now."""
        ...

    def close(self) -> None:
        """End all processes of the judge."""
        ...

    def kill(self) -> None:
        """End them at once, from any thread; call `close` afterwards."""
        ...
