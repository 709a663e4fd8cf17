"""A player in a game of one seat against the others (see `games.seats`).

The number of an arm of the others is that of a profile. It gives every other seat a seed of its
own, by a hash of the number and the seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import GOLDEN, mix
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.core.user_file import with_option
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound, Player

_SEEDS = np.uint64(2**SYMMETRY_SHIFT - 1)


@compiled
def seed_of_profile(profile: Any, seat: Any) -> Any:
    """Return the seed of a seat in a profile."""
    return mix(mix(uint64(profile) + GOLDEN) + GOLDEN * uint64(seat + 1)) & _SEEDS


def bind(player: Player, game: Game) -> Bound:
    """Return a player for one game; in that of a seat, it plays all seats of the whole game."""
    if game.whole is None:
        return player.bind(game)
    bound = player.bind(game.whole)
    seated = _seated_hidden if game.rules.hides else _seated_open
    choose = seated(bound.choose, game)
    again = choose if bound.again is bound.choose else seated(bound.again, game)
    return replace(bound, choose=choose, again=again)


def check_sides(game: Game) -> None:
    """Raise SpecificationError if a game has more than two sides."""
    if (seats := game.rules.seats) > 2:
        raise SpecificationError(
            f"{game.title} has {seats} seats; name the one that plays against the others, such as "
            f"{with_option(game.source, 'seat=1')}"
        )


@compiled
def _own(seed: Any, moment: Any, seat: Any) -> Any:
    """Return the seed of the seat to move, and the luck of its player."""
    if moment[0] == 0:
        return uint64(seed), moment[3]
    return seed_of_profile(seed, seat), mix(moment[3] + GOLDEN * uint64(seat + 1))


def _seated_open(choose: Callable[..., Any], game: Game) -> Callable[..., Any]:
    assert game.whole is not None
    mover = game.whole.rules.mover

    @compiled
    def choose_for_seat(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        seat = int64(mover(view))
        own, luck = _own(seed, moment, seat)
        return choose(view, own, (seat, moment[1], moment[2], luck), knobs, workspace)

    return choose_for_seat


def _seated_hidden(choose: Callable[..., Any], game: Game) -> Callable[..., Any]:
    @compiled
    def choose_for_seat(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        seen, seat, turn, history = view
        own, luck = _own(seed, moment, seat)
        return choose(seen, own, (seat, turn, history, luck), knobs, workspace)

    return choose_for_seat
