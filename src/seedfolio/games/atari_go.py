"""Atari-Go (capture Go): Go in which the first capture wins.

Stones and liberties as in Go. Nobody passes, and suicide is illegal unless it captures. A player
without a legal move loses: every move left would be suicide, and passing is not allowed. So
there are no draws, and no ko, since the first capture ends the game. Black moves first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from numba import int64

from seedfolio.core.bits import bit_sets
from seedfolio.core.compiling import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import GO_LETTERS, Board, Point, permutation, square_symmetries
from seedfolio.games.interface import Rules, Symmetry, game


@game("atari-go", version=1, summary="Go in which the first capture wins")
def atari_go(size: int = 7) -> Rules:
    """Return the rules on a square board of 5 to 9 lines.

    A move is row * (size + 1) + column: a column without points to the right of the board keeps
    neighbours from wrapping around its edge.
    """
    if not 5 <= size <= 9:
        raise ValueError(f"a board of {size}x{size} is not between 5x5 and 9x9")
    width = size + 1
    sets = bit_sets(size * width)
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    up, down, count, pick, first = sets.up, sets.down, sets.count, sets.pick, sets.first
    is_empty, same = sets.is_empty, sets.same
    nothing = sets.make(())
    points = sets.make(r * width + c for r in range(size) for c in range(size))

    @compiled
    def around(stones: Any) -> Any:
        """Return the points next to any of `stones`."""
        sideways = either(up(stones, 1), down(stones, 1))
        return both(either(sideways, either(up(stones, width), down(stones, width))), points)

    @compiled
    def chain_without_liberty(stone: Any, own: Any, empty: Any) -> Any:
        """Tell whether the chain of `own` stones through `stone` has no liberty in `empty`."""
        chain = stone
        while True:
            near = around(chain)
            if not is_empty(both(near, empty)):
                return False
            grown = either(chain, both(near, own))
            if same(grown, chain):
                return True
            chain = grown

    @compiled
    def captures(point: Any, theirs: Any, empty: Any) -> Any:
        """Tell whether a stone on `point` takes the last liberty of a chain of `theirs`."""
        left = without(empty, point)
        # Only a neighbour without an empty point beside it can belong to such a chain.
        suspects = without(both(around(point), theirs), around(left))
        while not is_empty(suspects):
            suspect = single(first(suspects))
            if chain_without_liberty(suspect, theirs, left):
                return True
            suspects = without(suspects, suspect)
        return False

    @compiled
    def legal(state: Any) -> Any:
        """Return the points where the mover may play; none once a capture has been made."""
        ours, theirs, _, captured = state
        if captured:
            return nothing
        empty = without(points, either(ours, theirs))
        result = both(empty, around(empty))
        tight = without(empty, result)
        while not is_empty(tight):
            point = single(first(tight))
            own = either(ours, point)
            if captures(point, theirs, empty) or not chain_without_liberty(
                point, own, without(empty, point)
            ):
                result = either(result, point)
            tight = without(tight, point)
        return result

    # A state is (stones of the mover, stones of the other, colour to move, has captured).

    @compiled
    def start() -> Any:
        return nothing, nothing, int64(0), False

    @compiled
    def mover(state: Any) -> Any:
        return state[2]

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        free = legal(state)
        n = 0
        while not is_empty(free):
            point = first(free)
            out[at + n] = point
            free = without(free, single(point))
            n += 1
        return n

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        free = legal(state)
        n = count(free)
        if n == 0:
            return int64(-1), step
        return pick(free, below(key, step, n)), step + 1

    @compiled
    def play(state: Any, move: Any) -> Any:
        ours, theirs, colour, _ = state
        point = single(move)
        captured = captures(point, theirs, without(points, either(ours, theirs)))
        return theirs, either(ours, point), 1 - colour, captured

    @compiled
    def score(state: Any) -> Any:
        # Captured, or without a legal move: either way the player to move has lost.
        return 2 * state[2]

    @compiled
    def cells(state: Any, out: Any) -> None:
        black, white = (state[0], state[1]) if state[2] == 0 else (state[1], state[0])
        for row in range(size):
            for column in range(size):
                point = single(row * width + column)
                stone = 0
                if not is_empty(both(black, point)):
                    stone = 1
                elif not is_empty(both(white, point)):
                    stone = 2
                out[row * size + column] = stone

    board = Board(size, size, ".XO", GO_LETTERS, colours=("Black", "White"))

    def move_name(move: int) -> str:
        row, column = divmod(move, width)
        return board.cell_name(row, column) if column < size else ""

    def image(turn: Callable[[Point], Point], move: int) -> int | None:
        row, column = divmod(move, width)
        if column == size:
            return None
        row, column = turn((row, column))
        return row * width + column

    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        random_move=random_move,
        move_names=[move_name(m) for m in range(size * width)],
        max_moves=size * size,
        max_plies=size * size,
        board=board,
        symmetries=[
            Symmetry(name, permutation(size * width, partial(image, turn)))
            for name, turn in square_symmetries(size).items()
        ],
    )
