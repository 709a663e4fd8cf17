"""Table: a random move for every information state, fixed by the seed.

A seed is a whole table. Its move is a hash of the seed, the colour and the history of what this
colour has noticed. So a seed always plays the same move after the same history, and independent
moves after different histories, even if they lead to the same board. In a game with dice the rolls
are part of the history, so seeds differ mainly in their openings.

With `noise` above 0, each move is a fresh random move with that probability in percent. A seed then
only tends towards its table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below, mix, move_key
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound

# The only knob.
_NOISE = 0


@dataclass(frozen=True)
class Table:
    """A table of random moves; `noise` is the percentage of moves drawn afresh in every game."""

    noise: int = 0

    name: ClassVar[str] = "table"
    version: ClassVar[int] = 1
    thinking: ClassVar[None] = None
    colours_apart: ClassVar[bool] = True
    summary: ClassVar[str] = "a random move for every information state, fixed by the seed"

    def __post_init__(self) -> None:
        if not 0 <= self.noise <= 100:
            raise SpecificationError(f"table: noise={self.noise} is not between 0 and 100 percent")

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        return {"noise": self.noise}

    @property
    def text(self) -> str:
        """The short form that `load_player` takes."""
        return f"table:noise={self.noise}"

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seed is fixed."""
        return self.noise > 0

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        choose = game.once(_bind_choose)
        return Bound(
            choose=choose,
            # A refusal is an event, so this is a new information state with its own move.
            again=choose,
            knobs=np.array([self.noise], np.int64),
            workspace=game.rules.max_moves,
            largest=0,  # the workspace holds only moves
        )


@compiled
def _key(bits: Any, colour: Any, history: Any) -> Any:
    """Return the key of one information state, from a seed or from a game's luck."""
    return mix(move_key(bits, colour, 0) + history)


def _bind_choose(game: Game) -> Any:
    """Return `choose` over the rules of a game."""
    moves, complete = game.functions["moves"], game.functions["complete"]

    @compiled
    def choose(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        colour, _, history, luck = moment
        key = _key(seed, colour, history)
        # Any state with this view has the same moves.
        state, _ = complete(view, mix(key), int64(0))
        count = moves(state, workspace, 0)
        number = below(key, 0, count)
        fresh = _key(luck, colour, history)
        if below(fresh, 0, 100) < knobs[_NOISE]:
            number = below(fresh, 1, count)
        return int64(workspace[number])

    return choose
