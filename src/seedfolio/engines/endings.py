"""How a game between external engines can end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from seedfolio.engines.play.book_side import Proposal, Trail
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
    ADJUDICATED_WIN = "adjudicated win"
    """By the scores that the engines give: see `engines.play.adjudication`."""
    ADJUDICATED_DRAW = "adjudicated draw"
    VOID = "void"
    """Seedfolio or the referee failed: the game does not count and is played again."""


FORFEITS = frozenset({Ending.ILLEGAL_MOVE, Ending.TIMEOUT, Ending.CRASH, Ending.PROTOCOL_ERROR})
"""Endings by a fault of one engine: losses, but counted apart from losses on the board."""
ADJUDICATED = frozenset({Ending.ADJUDICATED_WIN, Ending.ADJUDICATED_DRAW})
SOUND = frozenset({Ending.NORMAL, Ending.RESIGNATION, Ending.MOVE_LIMIT}) | ADJUDICATED
"""Endings after which both engines are fit for another game."""


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game."""

    first: int
    """The number of the first player's arm."""
    second: int
    number: int
    """Which game of its cell, from 0."""
    ending: Ending
    points: int
    """Half points of the first player; meaningless in a void game."""
    moves: tuple[str, ...]
    asked: int = 0
    """The number of moves that engines computed, repeated ones included."""
    seconds: float = 0.0
    detail: str = ""
    """What went wrong, in one line; of a normal game of Go, the score."""
    books: int | None = None
    """With books: a hash of them."""
    left: tuple[Trail, Trail] | None = None
    """With books: where each colour left them."""
    proposed: tuple[Proposal, ...] = ()
    """What arms would have played in place of their books, if they were asked."""
    scores: tuple[str, ...] = ()
    """With adjudication: what the mover said of its position with each move; not kept."""


class EngineFaultError(SeedfolioError):
    """An engine forfeits a game; the message has its command and the end of its stderr."""

    def __init__(self, ending: Ending, problem: str) -> None:
        super().__init__(problem)
        self.ending = ending


class OwnFailureError(SeedfolioError):
    """A game stops or gets no score, and no player is at fault."""
