"""Alpha-beta to a fixed depth over a game's evaluation, whose weights the seed changes.

So a seed is a personality: it values things a little differently, and plays the same way each
time. The search deepens move by move, with a table of positions where the game has keys, the most
promising moves first, and loud moves played out. Its move and value are those of plain minimax.
Between moves of the same value the seed draws lots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import mix, move_key
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound, Outlook, check_between
from seedfolio.players.lookahead import (
    QUIET,
    SURE,
    WIN,
    Layout,
    bind_search,
    bind_weights,
    evaluation_of,
)

MAX_DEPTH = 12
MAX_NOISE = 100
_TABLE = 4096
"""The positions that are remembered."""
_DEPTH, _NOISE = 0, 1


@dataclass(frozen=True)
class AlphaBeta:
    """Alpha-beta to `depth` plies, with weights that vary by up to `noise` percent."""

    depth: int = 3
    noise: int = 20

    name: ClassVar[str] = "alphabeta"
    version: ClassVar[int] = 1
    stochastic: ClassVar[bool] = False
    thinking: ClassVar[None] = None  # a ply more is many times the work, not one part more
    summary: ClassVar[str] = "alpha-beta over an evaluation whose weights the seed changes"

    def __post_init__(self) -> None:
        check_between(self.name, "depth", self.depth, 1, MAX_DEPTH)
        check_between(self.name, "noise", self.noise, 0, MAX_NOISE)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        return {"depth": self.depth, "noise": self.noise}

    @property
    def text(self) -> str:
        """The short form that `load_player` takes."""
        extra = "" if self.noise == AlphaBeta().noise else f",noise={self.noise}"
        return f"alphabeta:depth={self.depth}{extra}"

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        evaluation = evaluation_of(game, "alphabeta")
        most = game.rules.max_moves
        # The moves of the root and their values come first, then what was found.
        layout = Layout(
            base=2 * most + 2,
            terms=len(evaluation.weights),
            plies=MAX_DEPTH + QUIET,
            moves=most,
            state=game.state_size,
            table=_TABLE if evaluation.key else 0,
            stops=True,
        )
        judged = game.once(bind_judge, layout)

        @compiled
        def choose(view: Any, seed: Any, moment: Any, knobs: Any, room: Any) -> Any:
            return judged(view, seed, moment, knobs, room)[0]

        return Bound(
            choose=choose,
            again=choose,
            knobs=np.array([self.depth, self.noise], np.int64),
            workspace=layout.end,
            outlook=partial(_outlook, 2 * most, evaluation.scale),
            stop=layout.stop,
        )


def _outlook(found: int, scale: int, room: NDArray[np.int32], moves: int) -> Outlook:
    value, depth = int(room[found]), int(room[found + 1])
    if abs(value) < SURE:
        return Outlook(round(400 * value / scale), depth=depth)
    mate = (WIN - abs(value) + 1) // 2
    return Outlook(mate=mate if value > 0 else -mate, depth=depth)


def bind_judge(game: Game, layout: Layout) -> Any:
    """Return `judged(view, seed, moment, knobs, room)`: the best move and its value.

    It leaves the value and the depth in the workspace, after the moves of the root. If another
    thread stops it, all these are of the last depth that it has finished.
    """
    evaluation = evaluation_of(game, "alphabeta")
    write_weights = bind_weights(evaluation)
    search = bind_search(game, evaluation, layout)
    names = game.functions
    moves, play = names["moves"], names["play"]
    base, most, stop = layout.base, layout.moves, layout.stop
    found = 2 * most

    @compiled
    def bring_best(first: Any, end: Any, room: Any) -> None:
        """Swap the move with the best value of the depth before to the front."""
        best = first
        for k in range(first + 1, end):
            if room[most + k] > room[most + best]:
                best = k
        room[first], room[best] = room[best], room[first]
        room[most + first], room[most + best] = room[most + best], room[most + first]

    @compiled
    def judged(view: Any, seed: Any, moment: Any, knobs: Any, room: Any) -> Any:
        write_weights(seed, knobs[_NOISE], room, base)
        key = move_key(seed, moment[0], moment[1])
        # What other searches have left in the table is never found.
        salt = mix(key ^ moment[2])
        count = int64(moves(view, room, 0))
        for k in range(count):
            room[most + k] = 0
        best, best_value = int64(room[0]), int64(0)
        room[found], room[found + 1], room[stop] = 0, 0, 0
        for depth in range(knobs[_DEPTH]):
            first, first_value, lot = best, int64(-WIN), uint64(0)
            for k in range(count):
                bring_best(k, count, room)
                move = int64(room[k])
                # One more than the best value, so that equal ones are seen to be equal.
                window = int64(-WIN), -(first_value - 1)
                value = -search(play(view, move), int64(depth), window, int64(1), salt, room)
                if room[stop] != 0:
                    return best, best_value
                room[most + k] = value
                drawn = mix(key ^ uint64(move + 1))
                if value > first_value or (value == first_value and drawn > lot):
                    first, first_value, lot = move, value, drawn
            best, best_value = first, first_value
            room[found], room[found + 1] = best_value, depth + 1
        return best, best_value

    return judged
