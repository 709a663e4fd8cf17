"""Hex: connect your two sides of a rhombus (Piet Hein 1942, John Nash 1948).

The first player connects the top with the bottom, the second the left with the right. Exactly one
of them is connected when the board is full, so there is no draw. With `swap=1` the second player
may take over the first stone instead of moving: it changes its colour and is mirrored, so that it
is worth as much to its new owner.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.hex_board import HexBoard
from seedfolio.games.hex_grid import hex_grid
from seedfolio.games.hex_rollout import hex_fill
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

COLOURS = ("X, top to bottom", "O, left to right")


@game("hex", version=1, summary="connect your two sides of a rhombus")
def hex_game(size: int = 9, swap: int = 0) -> Rules:
    """Return the rules on a rhombus of 3 to 11 cells a side."""
    if not 3 <= size <= 11:
        raise ValueError(f"a board of {size}x{size} is not between 3x3 and 11x11")
    if swap not in (0, 1):
        raise ValueError(f"swap={swap} is neither 0 nor 1")
    grid = hex_grid(HexBoard.rhombus(size, COLOURS))
    sets, cells_on_board, write = grid.sets, grid.cells, grid.sets.write
    connected, write_cells = grid.connected, grid.write_cells
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    count, pick, first = sets.count, sets.pick, sets.first
    is_empty, several = sets.is_empty, sets.several
    nothing = sets.make(())
    width = grid.width
    rim = range(size)
    top, bottom = (sets.make(grid.number((row, c)) for c in rim) for row in (0, size - 1))
    left, right = (sets.make(grid.number((r, column)) for r in rim) for column in (0, size - 1))
    swap_move = grid.numbers
    may_swap = bool(swap)
    filled = hex_fill(grid)
    share, first_wins, written = filled.share, filled.first_wins, filled.write

    # A state is (stones of the mover, stones of the other, colour to move, whether the other has
    # just won).

    @compiled
    def start() -> Any:
        return nothing, nothing, int64(0), False

    @compiled
    def mover(state: Any) -> Any:
        return state[2]

    @compiled
    def empty_cells(state: Any) -> Any:
        return without(cells_on_board, either(state[0], state[1]))

    @compiled
    def can_swap(state: Any) -> Any:
        # Only the first stone of the first player is there.
        stones = state[1]
        only_one = is_empty(state[0]) and not is_empty(stones) and not several(stones)
        return may_swap and state[2] == 1 and only_one

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if state[3]:
            return 0
        n = write(empty_cells(state), out, at)
        if can_swap(state):
            out[at + n] = swap_move
            n += 1
        return n

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if state[3]:
            return int64(-1), step
        free = empty_cells(state)
        n = count(free)
        rank = below(key, step, n + int64(can_swap(state)))
        return (int64(pick(free, rank)) if rank < n else int64(swap_move)), step + 1

    @compiled
    def swapped(stones: Any) -> Any:
        """Return the set of one stone, mirrored."""
        cell = int64(first(stones))
        return single(cell % width * width + cell // width)

    @compiled
    def play(state: Any, move: Any) -> Any:
        mine, theirs, colour, _ = state
        if may_swap and move == swap_move:
            return mine, swapped(theirs), 1 - colour, False
        stone = single(move)
        own = either(mine, stone)
        one, other = (top, bottom) if colour == 0 else (left, right)
        won = False
        if not is_empty(both(own, one)) and not is_empty(both(own, other)):
            chain = connected(stone, own)
            won = not is_empty(both(chain, one)) and not is_empty(both(chain, other))
        return theirs, own, 1 - colour, won

    @compiled
    def score(state: Any) -> Any:
        # The player who has just moved has won.
        return 2 * state[2]

    @compiled
    def cells(state: Any, out: Any) -> None:
        if state[2] == 0:
            write_cells(state[0], state[1], out)
        else:
            write_cells(state[1], state[0], out)

    @compiled
    def after_swap(state: Any, key: Any, step: Any) -> Any:
        """Return the state after a swap, if one is drawn, and the next step."""
        if can_swap(state):
            if below(key, step, count(empty_cells(state)) + 1) == 0:
                return play(state, int64(swap_move)), step + 1
            return state, step + 1
        return state, step

    @compiled
    def fill(state: Any, key: Any, step: Any) -> Any:
        """Return (stones of the first player, of the second) on a board filled at random."""
        mine, theirs, colour, _ = state
        new, others = share(empty_cells(state), key, step)
        mine, theirs = either(mine, new), either(theirs, others)
        return (mine, theirs) if colour == 0 else (theirs, mine)

    @compiled
    def rollout(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        # Play goes on until the board is full: the winner stays the same, and is looked for once.
        if state[3]:
            return score(state)
        state, step = after_swap(state, key, step)
        return int64(2) if first_wins(fill(state, key, step)[0]) else int64(0)

    @compiled
    def trace(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if state[3]:
            return score(state), int64(0)
        state, step = after_swap(state, key, step)
        stones, others = fill(state, key, step)
        empty = empty_cells(state)
        n = written(both(stones, empty), int64(0), out, at)
        n += written(both(others, empty), int64(1), out, at + n)
        return (int64(2) if first_wins(stones) else int64(0)), n

    area = size * size
    names = grid.move_names(swap)
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        random_move=random_move,
        rollout=rollout,
        trace=trace,
        move_names=names,
        max_moves=area,
        max_plies=area + swap,
        board=grid.board,
        how_to_move=(
            "A move is the cell of a stone, such as c3. X connects the top with the bottom, O the "
            "left with the right; there is no draw."
            + (" With swap, the second player takes over the first stone." if swap else "")
        ),
        symmetries=grid.symmetries(
            {"half-turn": lambda p: (size - 1 - p[0], size - 1 - p[1])}, len(names)
        ),
    )
