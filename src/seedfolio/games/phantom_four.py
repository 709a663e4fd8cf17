"""Phantom four in a row: discs are dropped into columns, and nobody sees the other's discs.

The players drop discs in turn, the first player X, the second O; a disc falls to the lowest free
cell of its column. The first four in a row, straight or diagonal, win; a full board without them
is a draw. A player sees where its own discs come to rest, hence that the discs below them that
are not its own are the other's. A drop into a full column is refused: the player has learnt that
the column is full, hence all of its discs, and tries another one in the same turn; the other
player is not told of it, but knows that a disc has been dropped whenever a turn is over. A column
that a player knows to be full cannot be tried. At the end both players see the whole board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.bits import ONE, ZERO, lowest, popcount, select
from seedfolio.core.compiling import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Board, permutation
from seedfolio.games.hidden_stones import hidden_stones
from seedfolio.games.interface import Rules, Symmetry, game

LENGTH = 4


@game("phantom-four", version=1, summary="drop discs, four in a row; nobody sees the other's")
def phantom_four(rows: int = 6, columns: int = 7) -> Rules:
    """Return the rules on 4 to 8 rows and columns. Move `c` tries column c."""
    if not (4 <= rows <= 8 and 4 <= columns <= 8):
        raise ValueError(f"a board of {rows}x{columns} is not between 4x4 and 8x8")
    area = rows * columns
    shared = hidden_stones(rows, columns, LENGTH)
    refuse, place = shared.refuse, shared.place
    is_over, has_row = shared.is_over, shared.has_row
    top = np.uint64(area - columns)
    top_row = np.uint64((1 << columns) - 1)
    first_column = np.uint64(sum(1 << row * columns for row in range(rows)))
    ways = ways_to_stack(columns)

    @compiled
    def open_columns(state: Any) -> Any:
        """Return the columns that the mover may try, as a set of the bottom row."""
        taken = (state[0] | state[2]) >> top
        return ZERO if is_over(state) else top_row & ~taken

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        free = open_columns(state)
        n = 0
        while free != ZERO:
            out[at + n] = lowest(free)
            free &= free - ONE
            n += 1
        return n

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        free = open_columns(state)
        n = popcount(free)
        if n == 0:
            return int64(-1), step
        return select(free, below(key, step, n)), step + 1

    @compiled
    def height(discs: Any, column: Any) -> Any:
        return popcount(discs & (first_column << uint64(column)))

    @compiled
    def play(state: Any, move: Any) -> Any:
        # Landed or refused, the mover now knows what of the other's lies in this column.
        shown = state[1] & (first_column << uint64(move))
        level = height(state[0] | state[1], move)
        if level == rows:
            return refuse(state, shown)
        return place(state, ONE << uint64(level * columns + move), shown)

    @compiled
    def room(seen: Any, column: Any) -> Any:
        """Return how many hidden discs fit: their stack rests on the floor or on a disc of ours.

        Four on each other would have ended the game.
        """
        return min(rows - height(seen, column), LENGTH - 1)

    @compiled
    def stack_hidden(seen: Any, hidden: Any, rank: Any, counts: Any) -> Any:
        """Return the hidden discs in way number `rank` to stack them on the columns.

        `counts` says how many columns have room for one, two and three discs.
        """
        ones, twos, threes = counts
        discs = ZERO
        for column in range(columns):
            space = room(seen, column)
            ones -= space == 1
            twos -= space == 2
            threes -= space == 3
            level = height(seen, column)
            size = 0
            while rank >= ways[ones, twos, threes, hidden - size]:
                rank -= int64(ways[ones, twos, threes, hidden - size])
                discs |= ONE << uint64((level + size) * columns + column)
                size += 1
            hidden -= size
        return discs

    @compiled
    def known_to_other(own: Any, other: Any) -> Any:
        """Return our discs that the other must know of: those with a disc of its own above."""
        covered = other
        for _ in range(rows - 1):
            covered |= covered >> uint64(columns)
        return own & covered

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        """Draw the columns of the other's unknown discs, among all ways to stack them.

        A row of the other would have ended the game, so ways with one are drawn again. Of our
        discs, the other is taken to know those below its own only.
        """
        own, known, discs, colour, status = view
        seen = own | known
        hidden = discs - popcount(known)
        ones, twos, threes = int64(0), int64(0), int64(0)
        for column in range(columns):
            space = room(seen, column)
            ones += space == 1
            twos += space == 2
            threes += space == 3
        counts = (ones, twos, threes)
        other = known
        while popcount(other) < discs:
            rank = below(key, step, int64(ways[ones, twos, threes, hidden]))
            step += 1
            other = known | stack_hidden(seen, hidden, rank, counts)
            if has_row(other):
                other = known
        return (own, other, known, known_to_other(own, other), colour, status), step

    board = Board(rows, columns, ".XO", colours=("X", "O"))
    return Rules(
        start=shared.start,
        mover=shared.mover,
        moves=moves,
        play=play,
        score=shared.score,
        cells=shared.cells,
        random_move=random_move,
        view=shared.view,
        event=shared.event,
        complete=complete,
        refused=shared.refused,
        cells_seen=shared.cells_seen,
        move_names=list(board.letters[:columns]),
        max_moves=columns,
        # A full column is refused once, to the player who does not own its top disc; not the last.
        max_plies=area + columns - 1,
        board=board,
        symmetries=[Symmetry("left-right", permutation(columns, lambda m: columns - 1 - m))],
        player="table",
    )


def ways_to_stack(columns: int) -> NDArray[np.int16]:
    """Return ways[a, b, c, n]: the number of ways to stack n discs on a + b + c columns.

    Of them, a have room for one disc, b for two and c for three.
    """
    ways = np.zeros((*(3 * [columns + 1]), 3 * columns + 1), np.int16)
    ways[0, 0, 0, 0] = 1
    for counts in np.ndindex(*(3 * [columns + 1])):
        if 0 < sum(counts) <= columns:
            kind = next(k for k in range(3) if counts[k])
            fewer = tuple(n - (k == kind) for k, n in enumerate(counts))
            for size in range(kind + 2):  # on one of these columns, after the others
                ways[counts][size:] += ways[fewer][: 3 * columns + 1 - size]
    return ways
