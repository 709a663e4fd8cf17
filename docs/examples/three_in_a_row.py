"""Three in a row: place stones in turn; the first row of three wins, a full board is a draw."""

import numpy as np
from numba import int64

from seedfolio import Board, Rules, compiled, game


@game("three-in-a-row", version=1, summary="place stones; three in a row win")
def three_in_a_row(size: int = 3) -> Rules:
    """Return the rules on a square board; with size=3 this is tic-tac-toe."""
    if not 3 <= size <= 6:
        raise ValueError(f"a board of {size}x{size} is not between 3x3 and 6x6")
    area = size * size
    points = [divmod(cell, size) for cell in range(area)]
    threes = np.array(
        [
            sum(1 << (row + i * up) * size + column + i * right for i in range(3))
            for row, column in points
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            if row + 2 * up < size and 0 <= column + 2 * right < size
        ]
    )

    # A state is (stones of the player to move, stones of the other, number of stones). Stones are
    # an integer with bit c set for a stone on cell c.

    @compiled
    def start():
        return int64(0), int64(0), int64(0)

    @compiled
    def mover(state):
        return state[2] % 2

    @compiled
    def lost(state):
        found = False
        for three in threes:
            if state[1] & three == three:
                found = True
        return found

    @compiled
    def moves(state, out, at):
        n = 0
        if not lost(state):
            for cell in range(area):
                if (state[0] | state[1]) & (1 << cell) == 0:
                    out[at + n] = cell
                    n += 1
        return n

    @compiled
    def play(state, move):
        return state[1], state[0] | (1 << move), state[2] + 1

    @compiled
    def score(state):
        return 2 * mover(state) if lost(state) else 1

    @compiled
    def cells(state, out):
        first, second = (state[0], state[1]) if mover(state) == 0 else (state[1], state[0])
        for cell in range(area):
            out[cell] = (first >> cell & 1) + 2 * (second >> cell & 1)

    board = Board(size, size, ".XO", colours=("X", "O"))
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        move_names=[board.cell_name(row, column) for row, column in points],
        max_moves=area,
        max_plies=area,
        board=board,
    )
