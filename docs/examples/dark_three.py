"""Three in a row in the dark: neither player sees the other's stones; a coin says who begins."""

import numpy as np
from numba import int64

from seedfolio import CHANCE, Board, Rules, below, compiled, game


@game("dark-three", version=1, summary="three in a row without seeing the other's stones")
def dark_three(size: int = 3) -> Rules:
    """Return the rules on a square board. Moves: the cells, then the two sides of the coin."""
    if not 3 <= size <= 4:
        raise ValueError(f"a board of {size}x{size} is neither 3x3 nor 4x4")
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
    a_stone_somewhere = 2 * area + 4

    # A state is (stones of X, stones of O, those of O that X has found, those of X that O has
    # found, who is to move, whether the last try was refused).

    @compiled
    def start():
        return int64(0), int64(0), int64(0), int64(0), int64(CHANCE), int64(0)

    @compiled
    def mover(state):
        return state[4]

    @compiled
    def has_three(stones):
        found = False
        for three in threes:
            if stones & three == three:
                found = True
        return found

    @compiled
    def moves(state, out, at):
        x, o, found_by_x, found_by_o, turn, _ = state
        if turn == CHANCE:
            out[at] = area
            out[at + 1] = area + 1
            return 2
        n = 0
        if not has_three(x) and not has_three(o) and x | o != (1 << area) - 1:
            closed = x | found_by_x if turn == 0 else o | found_by_o
            for cell in range(area):
                if closed >> cell & 1 == 0:
                    out[at + n] = cell
                    n += 1
        return n

    @compiled
    def play(state, move):
        x, o, found_by_x, found_by_o, turn, _ = state
        if turn == CHANCE:
            return x, o, found_by_x, found_by_o, int64(move - area), int64(0)
        stone = int64(1) << move
        if turn == 0:
            if o & stone != 0:
                return x, o, found_by_x | stone, found_by_o, turn, int64(1)
            return x | stone, o, found_by_x, found_by_o, int64(1), int64(0)
        if x & stone != 0:
            return x, o, found_by_x, found_by_o | stone, turn, int64(1)
        return x, o | stone, found_by_x, found_by_o, int64(0), int64(0)

    @compiled
    def refused(state):
        return state[5] == 1

    @compiled
    def score(state):
        if has_three(state[0]):
            return 2
        return 0 if has_three(state[1]) else 1

    @compiled
    def count(stones):
        n = 0
        for cell in range(area):
            n += stones >> cell & 1
        return n

    # A view is (own stones, the other's that were found, own ones that the other has found, how
    # many stones the other has, who is to move, whether the last try was refused).

    @compiled
    def view(state, colour):
        x, o, found_by_x, found_by_o, turn, again = state
        if colour == 0:
            return x, found_by_x, found_by_o, count(o), turn, again
        return o, found_by_o, found_by_x, count(x), turn, again

    @compiled
    def event(before, move, after, colour):
        # The coin, a refused try and a move of one's own are known; a stone of the other is not.
        if before[4] == CHANCE or after[5] == 1 or before[4] == colour:
            return int64(2 * move + after[5])
        return int64(a_stone_somewhere)

    @compiled
    def complete(view, key, step):
        own, found, found_of_own, number, turn, again = view
        other = found
        drawing = True
        while drawing:
            other = found
            free = area - count(own | found)
            left = number - count(found)
            for cell in range(area):
                if (own | found) >> cell & 1 == 0:
                    # So that all choices of `left` cells among the free ones are equally likely.
                    if below(key, step, free) < left:
                        other |= int64(1) << cell
                        left -= 1
                    free -= 1
                    step += 1
            drawing = has_three(other)  # then the game would be over
        if turn == 0:
            return (own, other, found, found_of_own, turn, again), step
        return (other, own, found_of_own, found, turn, again), step

    @compiled
    def draw(x, o, out):
        for cell in range(area):
            out[cell] = (x >> cell & 1) + 2 * (o >> cell & 1)

    @compiled
    def cells(state, out):
        draw(state[0], state[1], out)

    @compiled
    def cells_seen(state, colour, out):
        if colour == 0:
            draw(state[0], state[2], out)
        else:
            draw(state[3], state[1], out)

    board = Board(size, size, ".XO", colours=("X", "O"))
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        refused=refused,
        score=score,
        view=view,
        event=event,
        complete=complete,
        cells=cells,
        cells_seen=cells_seen,
        chance=True,
        move_names=[
            *(board.cell_name(row, column) for row, column in points),
            "X-begins",
            "O-begins",
        ],
        max_moves=area,
        max_plies=1 + 2 * area,
        board=board,
        player="flat:playouts=100",
    )
