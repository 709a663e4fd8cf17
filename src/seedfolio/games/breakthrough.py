"""Breakthrough: pawns step forward, straight or diagonally, and capture diagonally only.

The first to reach the opposite row, or to capture every pawn, wins; there is always a legal
move and never a draw. Invented by Dan Troyka. The first player starts at the bottom (row 1).
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.bits import bit_sets
from seedfolio.core.compiling import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Board, permutation
from seedfolio.games.interface import Rules, Symmetry, game

# A move is 4 * target + direction for the first player, 4 * (cells + target) + direction for the
# second. Directions as seen on the drawing: 0 to the left, 1 straight, 2 to the right. (Four
# rather than three: a shift is faster than a division.)


@game("breakthrough", version=1, summary="race pawns to the far row; capture diagonally")
def breakthrough(rows: int = 8, columns: int = 8, pawn_rows: int = 2) -> Rules:
    """Return the rules on 5 to 8 rows and columns, each side with `pawn_rows` rows of pawns."""
    if not (5 <= rows <= 8 and 5 <= columns <= 8):
        raise ValueError(f"a board of {rows}x{columns} is not between 5x5 and 8x8")
    if not 1 <= pawn_rows <= (rows - 1) // 2:
        raise ValueError(f"{pawn_rows} rows of pawns a side do not fit {rows} rows")
    area = rows * columns
    sets = bit_sets(area)
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    up, down, count, pick, first = sets.up, sets.down, sets.count, sets.pick, sets.first
    is_empty = sets.is_empty
    pawns = pawn_rows * columns
    first_pawns = sets.make(range(pawns))
    second_pawns = sets.make(range(area - pawns, area))
    bottom = sets.make(range(columns))
    top = sets.make(range(area - columns, area))
    everywhere = sets.make(range(area))
    not_left = sets.make(c for c in range(area) if c % columns > 0)
    not_right = sets.make(c for c in range(area) if c % columns < columns - 1)

    @compiled
    def start() -> Any:
        return first_pawns, second_pawns, int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[2]

    @compiled
    def over(state: Any) -> Any:
        # Only the side that has just moved can have won.
        if state[2] == 1:
            return is_empty(state[1]) or not is_empty(both(state[0], top))
        return is_empty(state[0]) or not is_empty(both(state[1], bottom))

    @compiled
    def targets(state: Any) -> Any:
        """Return the cells that the mover's pawns reach to the left, straight and to the right."""
        ours, theirs, colour = state
        if colour == 0:
            left = without(up(both(ours, not_left), columns - 1), ours)
            straight = without(up(ours, columns), either(ours, theirs))
            right = without(up(both(ours, not_right), columns + 1), ours)
        else:
            left = without(down(both(theirs, not_left), columns + 1), theirs)
            straight = without(down(theirs, columns), either(ours, theirs))
            right = without(down(both(theirs, not_right), columns - 1), theirs)
        return both(left, everywhere), both(straight, everywhere), both(right, everywhere)

    @compiled
    def write(free: Any, direction: Any, out: Any, at: Any) -> Any:
        while not is_empty(free):
            cell = first(free)
            out[at] = 4 * cell + direction
            free = without(free, single(cell))
            at += 1
        return at

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if over(state):
            return 0
        left, straight, right = targets(state)
        base = 4 * area * state[2]
        end = write(left, base, out, at)
        end = write(straight, base + 1, out, end)
        return write(right, base + 2, out, end) - at

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if over(state):
            return int64(-1), step
        left, straight, right = targets(state)
        lefts, straights = count(left), count(straight)
        rank = below(key, step, lefts + straights + count(right))
        # One `pick`, on the set that was drawn; without branches, which would be unpredictable.
        direction = int64(rank >= lefts) + int64(rank >= lefts + straights)
        free = left if direction == 0 else (straight if direction == 1 else right)
        rank -= (lefts if direction > 0 else 0) + (straights if direction > 1 else 0)
        return 4 * (area * state[2] + pick(free, rank)) + direction, step + 1

    @compiled
    def play(state: Any, move: Any) -> Any:
        ours, theirs, colour = state
        target = move >> 2
        step = (move & 3) - 1
        if colour == 0:
            to = single(target)
            source = single(target - columns - step)
            return either(without(ours, source), to), without(theirs, to), int64(1)
        to = single(target - area)
        source = single(target - area + columns - step)
        return without(ours, to), either(without(theirs, source), to), int64(0)

    @compiled
    def score(state: Any) -> Any:
        # The player to move has just lost.
        return 2 * state[2]

    @compiled
    def cells(state: Any, out: Any) -> None:
        for cell in range(area):
            out[cell] = 0
            if not is_empty(both(state[0], single(cell))):
                out[cell] = 1
            elif not is_empty(both(state[1], single(cell))):
                out[cell] = 2

    board = Board(rows, columns, ".XO", colours=("X, moving up", "O, moving down"))

    def ends(move: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return source and target of a move, None if they do not both lie on the board."""
        colour, rest = divmod(move, 4 * area)
        target, direction = divmod(rest, 4)
        row, column = divmod(target, columns)
        source = (row + (1 if colour else -1), column - (direction - 1))
        inside = direction < 3 and 0 <= source[0] < rows and 0 <= source[1] < columns
        return (source, (row, column)) if inside else None

    def move_name(move: int) -> str:
        pair = ends(move)
        return "".join(board.cell_name(*cell) for cell in pair) if pair else ""

    def mirrored(move: int) -> int | None:
        if ends(move) is None:
            return None
        colour, rest = divmod(move, 4 * area)
        target, direction = divmod(rest, 4)
        row, column = divmod(target, columns)
        image = row * columns + columns - 1 - column
        return colour * 4 * area + 4 * image + 2 - direction

    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        random_move=random_move,
        move_names=[move_name(m) for m in range(8 * area)],
        max_moves=3 * pawns,
        # Every move brings a pawn a row forward; none goes further than the last row.
        max_plies=2 * pawns * (rows - 1),
        board=board,
        symmetries=[Symmetry("left-right", permutation(8 * area, mirrored))],
    )
