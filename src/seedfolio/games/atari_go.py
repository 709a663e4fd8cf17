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
    is_empty, same, several = sets.is_empty, sets.same, sets.several
    nothing = sets.make(())
    points = sets.make(r * width + c for r in range(size) for c in range(size))

    @compiled
    def around(stones: Any) -> Any:
        """Return the points next to any of `stones`."""
        sideways = either(up(stones, 1), down(stones, 1))
        return both(either(sideways, either(up(stones, width), down(stones, width))), points)

    @compiled
    def connected(stones: Any, own: Any) -> Any:
        """Return `stones` with all of `own` that hang together with them."""
        while True:
            grown = either(stones, both(around(stones), own))
            if same(grown, stones):
                return stones
            stones = grown

    @compiled
    def chain_in_atari(stone: Any, own: Any, empty: Any) -> Any:
        """Return the chain of `own` stones through `stone` if it has one liberty, else nothing."""
        chain = stone
        while True:
            near = around(chain)
            if several(both(near, empty)):
                return nothing
            grown = either(chain, both(near, own))
            if same(grown, chain):
                return chain
            chain = grown

    # A state is (stones of the mover, stones of the other, stones in atari, legal moves, colour to
    # move). A chain in atari has one liberty; no chain has none, for the first capture ends the
    # game. Who is in atari says all about captures and suicide, and a move changes it only for
    # its own chain and the chains beside it: `play` looks at those and at no others.

    @compiled
    def start() -> Any:
        return nothing, nothing, nothing, points, int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[4]

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        free = state[3]
        n = 0
        while not is_empty(free):
            point = first(free)
            out[at + n] = point
            free = without(free, single(point))
            n += 1
        return n

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        free = state[3]
        n = count(free)
        if n == 0:
            return int64(-1), step
        return pick(free, below(key, step, n)), step + 1

    @compiled
    def beside_empty(empty: Any) -> Any:
        """Return the points with an empty point beside them, and those with two or more."""
        above, under = up(empty, width), down(empty, width)
        right, left = up(empty, 1), down(empty, 1)
        vertical, horizontal = either(above, under), either(right, left)
        opposite = either(both(above, under), both(right, left))
        return either(vertical, horizontal), either(opposite, both(vertical, horizontal))

    @compiled
    def atari_after(atari: Any, point: Any, ours: Any, theirs: Any, empty: Any, roomy: Any) -> Any:
        """Return the stones in atari after a move of `ours` on `point` that captured nothing."""
        beside = around(point)
        saved = both(both(beside, ours), atari)
        if not is_empty(saved):
            atari = without(atari, connected(saved, both(ours, atari)))
        # A stone with two empty points beside it is not in atari, nor is its chain.
        suspects = without(either(point, both(beside, theirs)), roomy)
        while not is_empty(suspects):
            suspect = single(first(suspects))
            own = ours if same(suspect, point) else theirs
            atari = either(atari, chain_in_atari(suspect, own, empty))
            suspects = without(suspects, suspect)
        return atari

    @compiled
    def play(state: Any, move: Any) -> Any:
        ours, theirs, atari, _, colour = state
        point = single(move)
        ours = either(ours, point)
        if not is_empty(both(around(point), both(theirs, atari))):
            return theirs, ours, atari, nothing, 1 - colour
        empty = without(points, either(ours, theirs))
        open_, roomy = beside_empty(empty)
        atari = atari_after(atari, point, ours, theirs, empty, roomy)
        # On a point without empty neighbours one may capture a chain in atari or join a chain
        # that is not; anything else is suicide. The next to move are `theirs`.
        support = either(both(ours, atari), without(theirs, atari))
        legal = both(empty, either(open_, around(support)))
        return theirs, ours, atari, legal, 1 - colour

    @compiled
    def score(state: Any) -> Any:
        # Captured, or without a legal move: either way the player to move has lost.
        return 2 * state[4]

    @compiled
    def cells(state: Any, out: Any) -> None:
        black, white = (state[0], state[1]) if state[4] == 0 else (state[1], state[0])
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
