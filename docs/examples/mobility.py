"""A player that looks one move ahead: it leaves the opponent as few moves as it can."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import int64

from seedfolio import Bound, SpecificationError, below, compiled, move_key


@dataclass(frozen=True)
class Mobility:
    """Each move counts the opponent's answers to it; `noise` adds up to that many at random."""

    noise: int = 2

    name: ClassVar[str] = "mobility"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not 0 <= self.noise <= 1000:
            raise SpecificationError(f"noise={self.noise} is not between 0 and 1000")

    def bind(self, game) -> Bound:
        """Return this player for one game."""
        if game.rules.hides or game.rules.chance:
            raise SpecificationError(f"mobility must see everything; it cannot play {game.name}")
        moves, play, score = (game.functions[name] for name in ("moves", "play", "score"))
        max_moves = game.rules.max_moves

        @compiled
        def choose(view, seed, moment, knobs, workspace):
            colour, turn = moment[0], moment[1]
            key = move_key(seed, colour, turn)
            count = moves(view, workspace, 0)
            best, fewest, lot = int64(-1), int64(0), int64(0)
            for k in range(count):
                move = int64(workspace[k])
                after = play(view, move)
                answers = int64(moves(after, workspace, max_moves))
                if answers == 0:  # the game is over: a win is better than all else, a loss worse
                    points = int64(score(after))
                    own = points if colour == 0 else 2 - points
                    answers = (1 - own) * 1_000_000
                answers += below(key, 2 * k, knobs[0] + 1)
                drawn = below(key, 2 * k + 1, 1_000_000)  # among equal moves, the seed decides
                if best < 0 or answers < fewest or (answers == fewest and drawn > lot):
                    best, fewest, lot = move, answers, drawn
            return best

        return Bound(
            choose=choose,
            again=choose,
            knobs=np.array([self.noise], np.int64),
            workspace=2 * max_moves,
        )
