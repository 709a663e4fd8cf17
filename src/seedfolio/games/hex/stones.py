"""Shared rules of games in which two players place stones on a hexagonal grid in turn.

A state is (stones of the mover, stones of the other, colour to move, whether the other has just
won). With the swap rule the second player may take over the first stone instead of moving.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Point
from seedfolio.games.hex.grid import HexGrid
from seedfolio.games.rules import Rules


@dataclass(frozen=True)
class HexStones:
    """The rules of such a game, and what its random games need. Functions are compiled."""

    rules: Rules
    empty_cells: Any
    """empty_cells(state): the cells without a stone, as a set."""
    opening: Any
    """opening(state, key, step): (state, step, move) once the swap is decided, in a random game.
    The move is the first of the game, if it was made; else -1."""


def hex_stones(
    grid: HexGrid,
    swap: int,
    wins: Callable[..., Any],
    taken: Callable[..., Any],
    *,
    aim: str,
    symmetries: Mapping[str, Callable[[Point], Point]],
) -> HexStones:
    """Return the rules on a grid; ValueError unless swap is 0 or 1.

    wins(stone, own, colour) tells whether a new stone of `own` wins; taken(stones) is the first
    stone after it was taken over. Both are compiled. `aim` tells people how to win.
    """
    if swap not in (0, 1):
        raise ValueError(f"swap={swap} is neither 0 nor 1")
    sets, on_board, write_cells = grid.sets, grid.cells, grid.write_cells
    either, without, single, write = sets.either, sets.without, sets.single, sets.write
    count, pick, is_empty, several = sets.count, sets.pick, sets.is_empty, sets.several
    nothing = sets.make(())
    swap_move = grid.numbers
    may_swap = bool(swap)

    @compiled
    def start() -> Any:
        return nothing, nothing, int64(0), False

    @compiled
    def mover(state: Any) -> Any:
        return state[2]

    @compiled
    def empty_cells(state: Any) -> Any:
        return without(on_board, either(state[0], state[1]))

    @compiled
    def can_swap(state: Any) -> Any:
        # Only the first stone of the first player is there.
        if not may_swap:
            return False
        stones = state[1]
        only_one = is_empty(state[0]) and not is_empty(stones) and not several(stones)
        return state[2] == 1 and only_one

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if state[3]:
            return int64(0)
        n = write(empty_cells(state), out, at)
        if can_swap(state):
            out[at + n] = swap_move
            n += 1
        return n

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        free = empty_cells(state)
        n = count(free)
        if state[3] or n == 0:
            return int64(-1), step
        rank = below(key, step, n + int64(can_swap(state)))
        return (int64(pick(free, rank)) if rank < n else int64(swap_move)), step + 1

    @compiled
    def play(state: Any, move: Any) -> Any:
        mine, theirs, colour, _ = state
        if may_swap and move == swap_move:
            # The mover has no stone, and the other one is no longer that of the first player.
            return mine, taken(theirs), 1 - colour, False
        stone = single(move)
        own = either(mine, stone)
        return theirs, own, 1 - colour, wins(stone, own, colour)

    @compiled
    def cells(state: Any, out: Any) -> None:
        if state[2] == 0:
            write_cells(state[0], state[1], out)
        else:
            write_cells(state[1], state[0], out)

    @compiled
    def opening(state: Any, key: Any, step: Any) -> Any:
        first = int64(-1)
        if may_swap:
            mine, theirs, colour, won = state
            free = empty_cells(state)
            if is_empty(mine) and is_empty(theirs):
                first = int64(pick(free, below(key, step, count(free))))
                step += 1
                theirs, colour = single(first), 1 - colour
                state = mine, theirs, colour, won
            if can_swap(state):
                if below(key, step, count(empty_cells(state)) + 1) == 0:
                    state = mine, taken(theirs), 1 - colour, won
                step += 1
        return state, step, first

    @compiled
    def score(state: Any) -> Any:
        # The player who has just moved has won, if anybody.
        return 2 * state[2] if state[3] else int64(1)

    area = len(grid.board.places)
    names = grid.move_names(swap)
    swaps = " With swap, the second player takes over the first stone." if swap else ""
    rules = Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        random_move=random_move,
        move_names=names,
        max_moves=area,
        max_plies=area + swap,
        board=grid.board,
        how_to_move=f"A move is the cell of a stone, such as c3. {aim}{swaps}",
        symmetries=grid.symmetries(symmetries, len(names)),
        player="rave:simulations=100,bias=0.003",
    )
    return HexStones(rules, empty_cells, opening)
