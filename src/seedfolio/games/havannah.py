"""Havannah: place stones on a hexagon; a ring, a bridge or a fork wins (Christian Freeling, 1979).

A ring is a loop of stones around one or more cells, whatever these hold. A bridge connects two of
the six corners. A fork connects three of the six sides; corners belong to no side. A full board
without any of them is a draw. With `swap=1` the second player may take over the first stone
instead of moving.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.games.havannah_rollout import havannah_rollout
from seedfolio.games.hex_board import HexBoard, hexagon_symmetries, rim_of_hexagon
from seedfolio.games.hex_grid import HexGrid, hex_grid
from seedfolio.games.hex_stones import hex_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules


@game("havannah", version=1, summary="stones on a hexagon: form a ring, a bridge or a fork")
def havannah(base: int = 5, swap: int = 0) -> Rules:
    """Return the rules on a hexagon with `base` cells on each side, 4 to 10."""
    if not 4 <= base <= 10:
        raise ValueError(f"base={base} is not between 4 and 10")
    grid = hex_grid(HexBoard.hexagon(base, ("X", "O")), first=2 * base)
    stones = hex_stones(grid, swap, _win_check(grid, base), _same)
    opening = stones.opening
    random_games = havannah_rollout(grid, base)
    played_out, traced = random_games.rollout, random_games.trace

    @compiled
    def score(state: Any) -> Any:
        # The player who has just moved has won, if anybody.
        return 2 * state[2] if state[3] else int64(1)

    @compiled
    def rollout(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if state[3]:
            return score(state)
        state, step, _ = opening(state, key, step)
        return played_out(state[:3], key, step, out, at)[0]

    @compiled
    def trace(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if state[3]:
            return score(state), int64(0)
        state, step, first = opening(state, key, step)
        points, played = traced(state[:3], key, step, out, at)
        if first >= 0:
            out[at + played] = 2 * first
            played += 1
        return points, played

    area = len(grid.board.places)
    names = grid.move_names(swap)
    return Rules(
        start=stones.start,
        mover=stones.mover,
        moves=stones.moves,
        play=stones.play,
        score=score,
        cells=stones.cells,
        random_move=stones.random_move,
        rollout=rollout,
        trace=trace,
        scratch=random_games.scratch,
        move_names=names,
        max_moves=area,
        max_plies=area + swap,
        board=grid.board,
        how_to_move=(
            "A move is the cell of a stone, such as c3. A ring of stones around any cells, a "
            "bridge between two corners or a fork to three sides wins; corners belong to no side."
            + (" With swap, the second player takes over the first stone." if swap else "")
        ),
        symmetries=grid.symmetries(hexagon_symmetries(base), len(names)),
        player="rave:simulations=100",
    )


@compiled
def _same(stones: Any) -> Any:
    return stones


def _win_check(grid: HexGrid, base: int) -> Any:
    """Return wins(stone, own, colour): whether a new stone makes a ring, bridge or fork of `own`.

    It does not depend on the colour.
    """
    sets, around, connected = grid.sets, grid.around, grid.connected
    both, without, same = sets.both, sets.without, sets.same
    count, is_empty, several = sets.count, sets.is_empty, sets.several
    up, down = sets.up, sets.down
    cells = grid.cells
    corner_cells, sides = rim_of_hexagon(base)
    corners = sets.make(grid.number(place) for place in corner_cells)
    side0, side1, side2, side3, side4, side5 = (
        sets.make(grid.number(place) for place in side) for side in sides
    )
    border = sets.make(grid.number(place) for part in (corner_cells, *sides) for place in part)
    _, far, near, *_ = grid.steps

    @compiled
    def touches(group: Any, side: Any) -> Any:
        return int64(not is_empty(both(group, side)))

    @compiled
    def has_fork(group: Any) -> Any:
        sides = touches(group, side0) + touches(group, side1) + touches(group, side2)
        sides += touches(group, side3) + touches(group, side4) + touches(group, side5)
        return sides >= 3

    @compiled
    def has_ring(group: Any) -> Any:
        # A stone of the group with six neighbours in it is the middle of a filled ring.
        sideways = both(up(group, 1), down(group, 1))
        slanting = both(both(up(group, near), down(group, near)), sideways)
        if not is_empty(both(both(up(group, far), down(group, far)), both(slanting, group))):
            return True
        # Otherwise a ring is around some other cell, which has no way to the border.
        rest = without(cells, group)
        return not same(connected(both(rest, border), rest), rest)

    @compiled
    def wins(stone: Any, own: Any, colour: Any) -> Any:
        beside = both(around(stone), own)
        if is_empty(beside):
            return False
        group = connected(stone, own)
        if several(both(group, corners)) or has_fork(group):
            return True
        # The smallest ring has six stones, and each of them two neighbours in it.
        return several(beside) and count(group) >= 6 and has_ring(group)

    return wins
