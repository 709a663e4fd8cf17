"""Seedfolio: make any randomized game program stronger by learning which seeds to play.

The names below are loaded when first used, so that `import seedfolio` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seedfolio.boosting.boost import Boost, boost
    from seedfolio.boosting.engine import boost_engine
    from seedfolio.errors import SeedfolioError
    from seedfolio.games import load_game
    from seedfolio.players import load_player
    from seedfolio.players.program import Program
    from seedfolio.serving.opponent import Original, load_boosted

_HOMES = {
    "Boost": "seedfolio.boosting.boost",
    "boost": "seedfolio.boosting.boost",
    "boost_engine": "seedfolio.boosting.engine",
    "SeedfolioError": "seedfolio.errors",
    "load_game": "seedfolio.games",
    "load_player": "seedfolio.players",
    "Program": "seedfolio.players.program",
    "Original": "seedfolio.serving.opponent",
    "load_boosted": "seedfolio.serving.opponent",
}

__all__ = [
    "Boost",
    "Original",
    "Program",
    "SeedfolioError",
    "boost",
    "boost_engine",
    "load_boosted",
    "load_game",
    "load_player",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'seedfolio' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
