"""Phantom tic-tac-toe: tic-tac-toe in which nobody sees the other's stones.

The players take turns to place stones on a 3x3 board, the first player X, the second O. A try on a
taken cell is refused, and the player tries another cell in the same turn. The other player does not
notice the refusal, but knows when a turn is over and a stone was placed. A player may not try a
cell that it knows to be taken. The first row of three, straight or diagonal, wins; a full board
without one is a draw. At the end both players see the whole board.

These are the rules of OpenSpiel's `phantom_ttt`. Until the end of the game, a player knows exactly
what its information state there contains.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.core.words import ONE, ZERO, popcount, select
from seedfolio.games.board import Point, permutation, square_symmetries
from seedfolio.games.hidden_stones import hidden_rules, hidden_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, Symmetry

SIZE = 3
AREA = SIZE * SIZE
EVERYWHERE = np.uint64((1 << AREA) - 1)


@game(
    "phantom-tic-tac-toe",
    version=1,
    summary="three in a row; nobody sees the other's stones",
)
def phantom_tic_tac_toe() -> Rules:
    """Return the rules. Move `c` tries cell c."""
    shared = hidden_stones(SIZE, SIZE, 3)
    refuse, place = shared.refuse, shared.place
    is_over, has_row = shared.is_over, shared.has_row

    @compiled
    def places(state: Any) -> Any:
        """Return the cells that the mover may try."""
        return ZERO if is_over(state) else EVERYWHERE & ~(state[0] | state[2])

    @compiled
    def play(state: Any, move: Any) -> Any:
        stone = ONE << uint64(move)
        if state[1] & stone != ZERO:
            return refuse(state, stone)
        return place(state, stone, ZERO)

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        """Draw the cells of the other's unknown stones; assume that the other knows none of ours.

        If the other would have three in a row, draw again: the game would have ended.
        """
        own, known, stones, colour, status = view
        hidden = stones - popcount(known)
        other = known
        while popcount(other) < stones:
            free = EVERYWHERE & ~(own | known)
            other = known
            for _ in range(hidden):
                stone = ONE << uint64(select(free, below(key, step, popcount(free))))
                step += 1
                free &= ~stone
                other |= stone
            if has_row(other):
                other = known
        return (own, other, known, ZERO, colour, status), step

    def image(turn: Callable[[Point], Point], move: int) -> int:
        row, column = turn(divmod(move, SIZE))
        return row * SIZE + column

    return hidden_rules(
        shared,
        places,
        play,
        complete,
        move_names=[shared.board.cell_name(*divmod(cell, SIZE)) for cell in range(AREA)],
        max_moves=AREA,
        # Every stone but the last may cause one refused try.
        max_plies=2 * AREA - 1,
        how_to_move=(
            "A move is a cell: b2. You do not see the other's stones: a try on a taken cell is "
            "refused, and you try again. Three in a row win."
        ),
        symmetries=[
            Symmetry(name, permutation(AREA, partial(image, turn)))
            for name, turn in square_symmetries(SIZE).items()
        ],
        small=True,
    )
