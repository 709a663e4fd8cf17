"""Phantom four in a row: players drop discs into columns and do not see the other's discs.

The players take turns, the first player X, the second O. A disc falls to the lowest free cell of
its column. The first four in a row, straight or diagonal, win; a full board without them is a
draw. A player sees where its own discs land, so it knows the other's discs below them. A drop into
a full column is refused: the player now knows all discs of that column, and tries another column in
the same turn. The other player does not notice the refusal, but knows when a turn is over and a
disc was dropped. A player may not try a column that it knows to be full. At the end both players
see the whole board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.core.words import ONE, ZERO, popcount
from seedfolio.games.board import permutation
from seedfolio.games.hidden_stones import hidden_rules, hidden_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, Symmetry

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
    first_row, table = ways_to_stack(columns)

    @compiled
    def open_columns(state: Any) -> Any:
        """Return the columns that the mover may try, as a set of the bottom row."""
        taken = (state[0] | state[2]) >> top
        return ZERO if is_over(state) else top_row & ~taken

    @compiled
    def height(discs: Any, column: Any) -> Any:
        return popcount(discs & (first_column << uint64(column)))

    @compiled
    def play(state: Any, move: Any) -> Any:
        # Landed or refused, the mover now knows the other's discs in this column.
        shown = state[1] & (first_column << uint64(move))
        level = height(state[0] | state[1], move)
        if level == rows:
            return refuse(state, shown)
        return place(state, ONE << uint64(level * columns + move), shown)

    @compiled
    def room(seen: Any, column: Any) -> Any:
        """Return how many hidden discs fit on top of the seen discs of a column.

        At most three: four on top of each other would have ended the game.
        """
        return min(rows - height(seen, column), LENGTH - 1)

    @compiled
    def ways(ones: Any, twos: Any, threes: Any, discs: Any) -> Any:
        """Return the number of ways to stack discs on columns with room for 1, 2 and 3."""
        return int64(table[first_row[twos, threes] + ones, discs])

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
            # The ways without a further disc on this column come first.
            alike = ways(ones, twos, threes, hidden)
            while rank >= alike:
                rank -= alike
                discs |= ONE << uint64(level * columns + column)
                level += 1
                hidden -= 1
                alike = ways(ones, twos, threes, hidden)
        return discs

    @compiled
    def known_to_other(own: Any, other: Any) -> Any:
        """Return our discs that the other must know: those below one of its own discs."""
        covered = other
        for _ in range(rows - 1):
            covered |= covered >> uint64(columns)
        return own & covered

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        """Draw the columns of the other's unknown discs uniformly from all ways to stack them.

        If the other would have four in a row, draw again: the game would have ended. We assume
        that the other knows only those of our discs that lie below its own.
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
        number = ways(ones, twos, threes, hidden)
        other = known
        while popcount(other) < discs:
            rank = below(key, step, number)
            step += 1
            other = known | stack_hidden(seen, hidden, rank, (ones, twos, threes))
            if has_row(other):
                other = known
        return (own, other, known, known_to_other(own, other), colour, status), step

    return hidden_rules(
        shared,
        open_columns,
        play,
        complete,
        move_names=list(shared.board.letters[:columns]),
        max_moves=columns,
        # Each full column but the last is refused at most once, to the player without its top disc.
        max_plies=area + columns - 1,
        how_to_move=(
            "A move is the column that your disc falls into: c. You do not see the other's "
            "discs: a try in a full column is refused, and you try again. Four in a row win."
        ),
        symmetries=[Symmetry("left-right", permutation(columns, lambda m: columns - 1 - m))],
    )


def ways_to_stack(columns: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return (first, ways), the numbers of ways to stack discs on at most `columns` columns.

    ways[first[b, c] + a, n] is the number for n discs on a columns with room for one disc, b with
    room for two and c with room for three. The tables are small, to fit a GPU's small memories.
    """
    first = np.zeros((columns + 1, columns + 1), np.int16)
    rows: list[NDArray[np.int16]] = []
    for twos, threes in np.ndindex(first.shape):
        first[twos, threes] = len(rows)
        for ones in range(columns + 1 - twos - threes):
            counts = np.ones(1, np.int16)
            for room in ones * [1] + twos * [2] + threes * [3]:
                counts = np.convolve(counts, np.ones(room + 1, np.int16))
            rows.append(np.pad(counts, (0, 3 * columns + 1 - len(counts))))
    return first, np.array(rows, np.int16)
