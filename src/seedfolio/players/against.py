"""A known opponent of a built-in program: another player of its game, perhaps with what was learnt.

Where a program meets an opponent, a game is one of a duel, and the arms of the opponent are
opposing arms (see `core.seeds`). What the opponent draws for a game, an arm or a book, its number
decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import mix
from seedfolio.games.game import Game
from seedfolio.players.books.table import Books
from seedfolio.players.interface import Bound, Player, identity
from seedfolio.players.seated import bind

_WHICH_ARM = np.uint64(0x9FB21C651E98DF25)
_SURE = 2**63 - 1

Weights = Mapping[int, float]


@dataclass(frozen=True)
class KnownOpponent:
    """The opponent that a built-in program is learnt and evaluated against."""

    name: str
    player: Player
    """It draws its arms, if they are those of a portfolio."""
    digest: str | None = None
    """Of what was learnt; None: it is an original."""
    books: Books | None = field(default=None, compare=False)
    symmetric: bool = True
    """Whether it plays alike on a board and its images."""

    @property
    def label(self) -> str:
        """What distinguishes it in the name of a file."""
        name = self.name.replace("(", "").replace(")", "")
        return name if self.digest is None else f"{name} {self.digest[:8]}"

    def identity(self, game: Game) -> dict[str, Any]:
        """Return all on which its games depend."""
        return {"name": self.name, "player": identity(self.player, game), "plays": self.digest}


@dataclass(frozen=True)
class Drawing:
    """The player of a portfolio: for each game it draws an arm of another player."""

    player: Player
    drawn: tuple[Weights, Weights]
    """The weights of arms as first and as second player."""

    name = "drawing"
    version = 1
    thinking = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The player; what is drawn has a digest elsewhere."""
        return {"player": identity(self.player)}

    @property
    def text(self) -> str:
        """What people see in messages."""
        return f"{self.player.text} of a portfolio"

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seeds are fixed."""
        return self.player.stochastic

    def bind(self, game: Game) -> Bound:
        """Return the player for one game.

        Its knobs are the numbers of arms of both colours, for each arm its bound and itself, and
        the knobs of the player.
        """
        inner = bind(self.player, game)
        tables = [_table(weights) for weights in self.drawn]
        sizes = np.array([len(each) // 2 for each in tables], np.int64)
        return Bound(
            choose=_drawing(inner.choose),
            again=_drawing(inner.again),
            knobs=np.concatenate([sizes, *tables, inner.knobs]),
            workspace=inner.workspace,
            largest=inner.largest,
        )


def _table(weights: Weights) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return each arm after the bound of the 63 random bits that draw it."""
    sums = list(accumulate(weights.values()))
    bounds = [min(_SURE, int(each / sums[-1] * 2**63)) for each in sums[:-1]]
    return np.array([[*bounds, _SURE], list(weights)], np.int64).T.ravel()


@compiled
def _drawn_arm(number: Any, colour: Any, knobs: Any) -> Any:
    """Return the arm that an opposing arm is in its game as `colour`."""
    at = int64(2) + (int64(2) * knobs[0] if colour == 1 else int64(0))
    random = int64(mix(uint64(number) ^ _WHICH_ARM) >> uint64(1))
    while random > knobs[at]:
        at += 2
    return uint64(knobs[at + 1])


def _drawing(choose: Any) -> Any:
    @compiled
    def choose_as_drawn(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        own = knobs[2 + 2 * (knobs[0] + knobs[1]) :]
        return choose(view, _drawn_arm(seed, moment[0], knobs), moment, own, workspace)

    return choose_as_drawn
