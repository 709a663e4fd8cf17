"""How a game can end."""

from __future__ import annotations

from enum import StrEnum

from seedfolio.errors import EngineError


class Ending(StrEnum):
    """How a game ended."""

    NORMAL = "normal"
    RESIGNATION = "resignation"
    ILLEGAL_MOVE = "illegal move"
    TIMEOUT = "timeout"
    TIME_LOSS = "loss on time"
    """By the clock of a match, where `timeout` is by the limits of an engine's file."""
    CRASH = "crash"
    PROTOCOL_ERROR = "protocol error"
    MOVE_LIMIT = "move limit"
    ADJUDICATED_WIN = "adjudicated win"
    """By the scores that the engines give: see `engines.play.adjudication`."""
    ADJUDICATED_DRAW = "adjudicated draw"
    VOID = "void"
    """Seedfolio or the referee failed: the game does not count and is played again."""
    UNFINISHED = "unfinished"
    """A person left it."""


FORFEITS = frozenset(
    {
        Ending.ILLEGAL_MOVE,
        Ending.TIMEOUT,
        Ending.TIME_LOSS,
        Ending.CRASH,
        Ending.PROTOCOL_ERROR,
    }
)
"""Endings by a fault of one engine: losses, but counted apart from losses on the board."""
ADJUDICATED = frozenset({Ending.ADJUDICATED_WIN, Ending.ADJUDICATED_DRAW})
SOUND = frozenset({Ending.NORMAL, Ending.RESIGNATION, Ending.MOVE_LIMIT}) | ADJUDICATED
"""Endings after which both engines are fit for another game."""


class EngineFaultError(EngineError):
    """An engine forfeits a game; the message has its command and the end of its stderr."""

    def __init__(self, ending: Ending, problem: str) -> None:
        super().__init__(problem)
        self.ending = ending


class OwnFailureError(EngineError):
    """A game stops or gets no score, and no player is at fault."""
