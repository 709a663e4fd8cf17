"""How a game between external engines can end: a closed set."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from seedfolio.errors import SeedfolioError


class Ending(StrEnum):
    """How a game ended."""

    NORMAL = "normal"
    RESIGNATION = "resignation"
    ILLEGAL_MOVE = "illegal move"
    TIMEOUT = "timeout"
    CRASH = "crash"
    PROTOCOL_ERROR = "protocol error"
    MOVE_LIMIT = "move limit"
    VOID = "void"
    """Our own failure, or the referee's: the game is not scored, and played again."""


FORFEITS = frozenset({Ending.ILLEGAL_MOVE, Ending.TIMEOUT, Ending.CRASH, Ending.PROTOCOL_ERROR})
"""Endings by a fault of one program: lost, but counted apart from losses on the board."""


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One game as it was played."""

    first: int
    """The number of the first player's arm."""
    second: int
    number: int
    """Which game of its cell, from 0."""
    ending: Ending
    points: int
    """Half points of the first player; of no meaning in a void game."""
    moves: tuple[str, ...]
    asked: int = 0
    """Moves that an engine was asked for, again or for the first time."""
    seconds: float = 0.0
    detail: str = ""
    """What went wrong, in one line."""


class EngineFaultError(SeedfolioError):
    """A program did what forfeits a game; the message names its command and quotes its stderr."""

    def __init__(self, ending: Ending, problem: str) -> None:
        super().__init__(problem)
        self.ending = ending


class OwnFailureError(SeedfolioError):
    """What keeps a game from being played or scored without a fault of the players."""
