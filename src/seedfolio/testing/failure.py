"""How a check fails: one sentence with the game, the rule broken and the moves that show it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SeedfolioError
from seedfolio.games.interface import Game


class ConformanceError(SeedfolioError, AssertionError):
    """A game breaks a rule that every game keeps."""


def broken(game: Game, rule: str, history: NDArray[np.int64] | None = None) -> ConformanceError:
    """Return the error for `game`; `history` is the moves after which the rule is broken."""
    if history is None:
        return ConformanceError(f"{game.title}: {rule}")
    played = " ".join(game.move_name(int(move)) for move in history)
    return ConformanceError(f"{game.title}: {rule}, {f'after {played}' if played else 'at start'}")
