"""What a built-in player is: a randomized program that a seed makes deterministic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.games.game import Game


@dataclass(frozen=True)
class Bound:
    """A player bound to a game, ready to be compiled."""

    choose: Callable[..., Any]
    """choose(view, seed, moment, knobs, workspace): the move, from these arguments alone.

    Compiled; all arithmetic is on integers. `view` is what the mover may know. `moment` is
    (colour, turn, history, luck): the mover's colour, how many events it has noticed, their hash,
    and random bits of this game for players that are random although their seed is fixed. The
    others take all randomness from (seed, colour, turn)."""
    again: Callable[..., Any]
    """again(view, seed, moment, knobs, workspace): the next try after a refusal, called straight
    after `choose` or `again` of the same turn with the same workspace, but for its first
    `max_moves` entries."""
    knobs: NDArray[np.int64]
    """The parameters as `choose` reads them, so that other values need no new compilation."""
    workspace: int
    """How many numbers of scratch space one game needs."""
    largest: int = 2**31 - 1
    """No number in the workspace is greater than this, or than the largest move."""
    lanes_knob: int | None = None
    """The knob that says among how many lanes (see core.lanes) to share a game's work, 1 unless
    an arena changes it. None: a game is played by one thread."""


class Player(Protocol):
    """A player with its parameters chosen."""

    @property
    def name(self) -> str:
        """The name of the kind of player: `uct`."""
        ...

    @property
    def version(self) -> int:
        """Goes up whenever a seed plays another move than before in any position."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        ...

    @property
    def text(self) -> str:
        """The short form that `load_player` takes: `uct:simulations=100`."""
        ...

    @property
    def stochastic(self) -> bool:
        """Whether a seed leaves some of its play to chance."""
        ...

    def bind(self, game: Game) -> Bound:
        """Return this player for one game; SpecificationError if it cannot play it."""
        ...


def identity(player: Player) -> dict[str, Any]:
    """What results are tied to: the player's name, version and parameters."""
    return {
        "name": player.name,
        "version": player.version,
        "parameters": dict(player.parameters),
    }
