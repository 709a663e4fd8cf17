"""Table: a random move for every information state, drawn once and for all by the seed.

A seed is a whole table. Its move is a hash of the seed, the colour and the history of all that
this colour has noticed, so it always answers the same history in the same way, and two histories
independently, even where they lead to the same board. In a game with dice the rolls belong to
the history: there it is the openings in which a seed differs from the others.

With `noise` above 0 every move is, with that probability in percent, a fresh random one instead:
a seed then only inclines towards its table.
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
    """A table of random moves, with a percentage of moves that are random anew in every game."""

    noise: int = 0

    name: ClassVar[str] = "table"
    version: ClassVar[int] = 1
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
        """Whether a seed leaves some of its play to chance."""
        return self.noise > 0

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        choose = _bind_choose(game)
        return Bound(
            choose=choose,
            # A refusal is an event: this is another information state, with a move of its own.
            again=choose,
            knobs=np.array([self.noise], np.int64),
            workspace=game.rules.max_moves,
            largest=0,  # nothing but moves
        )


@compiled
def _key(bits: Any, colour: Any, history: Any) -> Any:
    """Return the key of one information state under a seed or under a game's luck."""
    return mix(move_key(bits, colour, 0) + history)


def _bind_choose(game: Game) -> Any:
    """Return `choose` over the rules of a game."""
    moves, complete = game.functions["moves"], game.functions["complete"]

    @compiled
    def choose(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        colour, _, history, luck = moment
        key = _key(seed, colour, history)
        # Any state that fits the view will do: the moves are the same in all of them.
        state, _ = complete(view, mix(key), int64(0))
        count = moves(state, workspace, 0)
        number = below(key, 0, count)
        fresh = _key(luck, colour, history)
        if below(fresh, 0, 100) < knobs[_NOISE]:
            number = below(fresh, 1, count)
        return int64(workspace[number])

    return choose
