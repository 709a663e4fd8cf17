"""The game between two arms, move by move, as a study plays it."""

from __future__ import annotations

import numpy as np

from seedfolio.core.randomness import luck_key
from seedfolio.games.rules import CHANCE
from seedfolio.players.program import Program
from seedfolio.serving.opponent import ArmInPlay


def replay(program: Program, first: int, second: int) -> list[int]:
    """Return all moves of the game of arm `first`, the first player, against arm `second`.

    With chance, a cell has several games; this is the first.
    """
    luck = int(luck_key(np.uint64(first), np.uint64(second), 0))
    arms = ArmInPlay(program, first, luck), ArmInPlay(program, second, luck)
    history: list[int] = []
    while (position := program.game.position(history)).moves:
        if position.mover == CHANCE:
            history.append(arms[0].draw_chance(history))
        else:
            history.append(arms[position.mover].choose(history))
    return history
