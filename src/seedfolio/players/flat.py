"""Flat Monte Carlo with determinization, in the manner of Golois (Cazenave 2006).

Every plausible move gets the same number of playouts. Each playout first draws what the player
cannot see, consistent with what it knows and with the move being possible. Then it plays the move
and a random game to the end. If the drawn board refuses the move nevertheless, the playout gives no
result. The player tries the move with the best mean; if that is refused, the next best, without a
new search. In games of perfect information nothing is drawn: this is plain flat Monte Carlo. If
there is only one move, no playouts are made.

The number of playouts is that of a turn, shared by all moves. With `each=1` every move has that
many: the papers say of Golois that thousands "are played for each move", which may mean either.

With `again=1` it searches anew after a refusal, on boards that are consistent with it: the papers
do not say which Golois does. Such a turn takes as many playouts as it has tries.
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
from seedfolio.core.lanes import any_lane, deal, together
from seedfolio.core.randomness import mix, move_key, simulation_key
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound, Thought, check_between

MAX_PLAYOUTS = 1_000_000

# The knobs: number of playouts, number of lanes that share them, the size of the scratch space and
# of that with the candidates, number of move names, whether every move has that many playouts.
# The workspace has four sections: scratch space and candidates, then playouts and points (one
# entry for each move number).
_PLAYOUTS, _LANES, _ROOM, _VISITS, _NAMES, _EACH = range(6)


@dataclass(frozen=True)
class Flat:
    """Flat Monte Carlo with a number of playouts a turn, shared by all plausible moves.

    With `each` = 1 it is the number of playouts of every plausible move. With `again` = 1 it
    searches anew after a refusal.
    """

    playouts: int = 1000
    each: int = 0
    again: int = 0

    name: ClassVar[str] = "flat"
    version: ClassVar[int] = 1
    version_with_repetition: ClassVar[int] = 2
    stochastic: ClassVar[bool] = False
    colours_apart: ClassVar[bool] = True
    thinking: ClassVar[str] = "playouts"
    summary: ClassVar[str] = "flat Monte Carlo; what is hidden is drawn anew for every playout"

    def __post_init__(self) -> None:
        check_between(self.name, "playouts", self.playouts, 1, MAX_PLAYOUTS)
        for name, value in self._switches.items():
            if value not in (0, 1):
                raise SpecificationError(f"flat: {name}={value} is neither 0 nor 1")

    @property
    def _switches(self) -> dict[str, int]:
        """What is named only if it is 1."""
        return {"each": self.each, "again": self.again}

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        on = {name: value for name, value in self._switches.items() if value}
        return {"playouts": self.playouts, **on}

    @property
    def text(self) -> str:
        """The short form that `load_player` takes."""
        return f"flat:{','.join(f'{name}={value}' for name, value in self.parameters.items())}"

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        room, names = game.rules.room, len(game.rules.move_names)
        visits = room + game.rules.max_moves
        choose, again = game.once(_bind)
        return Bound(
            choose=choose,
            again=choose if self.again else again,
            knobs=np.array([self.playouts, 1, room, visits, names, self.each], np.int64),
            workspace=visits + 2 * names,
            largest=game.rules.scale * self.playouts,
            lanes_knob=_LANES,
            thoughts=partial(_thoughts, visits, names, game.rules.scale),
        )


def _thoughts(first: int, names: int, whole: int, workspace: NDArray[np.int32]) -> list[Thought]:
    visits, points = workspace[first : first + names], workspace[first + names : first + 2 * names]
    return [
        Thought(move, int(visits[move]), int(points[move]) / (whole * int(visits[move])))
        for move in map(int, np.flatnonzero(visits))
    ]


def _bind(game: Game) -> tuple[Any, Any]:
    names = game.functions
    play, refused, begin = names["play"], names["refused"], names["begin_rollout"]
    advance, is_over = names["advance_rollout"], names["rollout_is_over"]
    score, share = names["rollout_score"], names["share"]
    recurs = names["recurs"]
    plausible, complete, assume = names["plausible"], names["complete"], names["assume"]

    @compiled
    def candidates(view: Any, key: Any, knobs: Any, workspace: Any) -> Any:
        """Write the plausible moves, which depend only on the view; return how many there are."""
        state, _ = complete(view, key, int64(0))
        return int64(plausible(state, workspace, knobs[_ROOM]))

    @compiled
    def best(count: Any, key: Any, knobs: Any, workspace: Any) -> Any:
        """Return the candidate with the best mean; the key breaks ties."""
        moves, visits = knobs[_ROOM], knobs[_VISITS]
        chosen, value, lot = int64(-1), int64(-1), uint64(0)
        for k in range(count):
            move = int64(workspace[moves + k])
            mean = int64(-1)  # for a move that every drawn board refused
            played = int64(workspace[visits + move])
            if played > 0:
                mean = (int64(workspace[visits + knobs[_NAMES] + move]) << 32) // played
            drawn = mix(key ^ uint64(move + 1))
            if chosen < 0 or mean > value or (mean == value and drawn > lot):
                chosen, value, lot = move, mean, drawn
        return chosen

    @compiled
    def choose(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        colour = moment[0]
        key = move_key(seed, colour, moment[1])
        moves, visits = knobs[_ROOM], knobs[_VISITS]
        points = visits + knobs[_NAMES]
        count = candidates(view, key, knobs, workspace)
        for k in range(2 * knobs[_NAMES]):
            workspace[visits + k] = 0
        lanes, playouts = knobs[_LANES], knobs[_PLAYOUTS] if count > 1 else int64(0)
        playouts *= count if knobs[_EACH] > 0 else int64(1)
        next_, random, move, under_way = int64(0), key, int64(0), False
        state, step = complete(view, key, int64(0))
        run = begin(state, key, step)
        while any_lane(under_way or next_ < playouts, lanes):
            playout, next_ = deal(not under_way, next_, lanes)
            if not under_way and playout < playouts:
                random = simulation_key(key, playout)
                move = int64(workspace[moves + playout % count])
                state, step = complete(assume(view, move), random, int64(0))
                after = play(state, move)
                under_way = not refused(after)
                if recurs(after, int64(1), workspace):
                    under_way = False
                    workspace[visits + move] += 1
                    workspace[points + move] += share(int64(1), colour)
                run = begin(after, random, step)
            if under_way:
                run = advance(run, random, workspace, int64(0))
                if is_over(run):
                    under_way = False
                    result = score(run)
                    workspace[visits + move] += 1
                    workspace[points + move] += share(result, colour)
        for k in range(2 * knobs[_NAMES]):
            workspace[visits + k] = together(int64(workspace[visits + k]), lanes)
        return best(count, key, knobs, workspace)

    @compiled
    def again(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        key = move_key(seed, moment[0], moment[1])
        count = candidates(view, key, knobs, workspace)
        return best(count, key, knobs, workspace)

    return choose, again
