"""Two players of one game as one: the first has the first move, the second the other.

So every arena plays games between two programs as it plays those of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled, fingerprint
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound, Player, identity
from seedfolio.players.seated import bind


@dataclass(frozen=True)
class Duel:
    """The player that plays each colour as another player does."""

    first: Player
    second: Player

    name = "duel"
    version = 1
    thinking = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The two players."""
        return {"first": identity(self.first), "second": identity(self.second)}

    @property
    def text(self) -> str:
        """What people see in messages."""
        return f"{self.first.text} against {self.second.text}"

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seeds are fixed."""
        return self.first.stochastic or self.second.stochastic

    def bind(self, game: Game) -> Bound:
        """Return the two players for one game.

        Its knobs are the number of knobs of the first player, those knobs, and those of the second.
        """
        one, other = bind(self.first, game), bind(self.second, game)
        if _is_same(one, other):
            choose = _shared(one.choose)
            again = choose if one.again is one.choose else _shared(one.again)
        else:
            choose, again = _apart(one.choose, other.choose), _apart(one.again, other.again)
        return Bound(
            choose=choose,
            again=again,
            knobs=np.concatenate([np.array([len(one.knobs)], np.int64), one.knobs, other.knobs]),
            workspace=max(one.workspace, other.workspace),
            largest=max(one.largest, other.largest),
        )


def _is_same(one: Bound, other: Bound) -> bool:
    """Tell whether two players have the same code and differ in their knobs only."""
    found = fingerprint(one.choose, one.again)
    return found is not None and found == fingerprint(other.choose, other.again)


def _shared(choose: Any) -> Any:
    """Return the function of both players: compiled once."""

    @compiled
    def either(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        middle = 1 + knobs[0]
        own = knobs[1:middle] if moment[0] == 0 else knobs[middle:]
        return choose(view, seed, moment, own, workspace)

    return either


def _apart(first: Any, second: Any) -> Any:
    """Return the function that is the first player's or the second's."""

    @compiled
    def either(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        middle = 1 + knobs[0]
        if moment[0] == 0:
            return int64(first(view, seed, moment, knobs[1:middle], workspace))
        return int64(second(view, seed, moment, knobs[middle:], workspace))

    return either
