"""Breakthrough: pawns step forward, straight or diagonally, and capture diagonally only.

The first to reach the opposite row, or to capture every pawn, wins; there is always a legal
move and never a draw. Invented by Dan Troyka. The first player starts at the bottom (row 1).
"""

from __future__ import annotations

from typing import Any

from numba import int64, uint64

from seedfolio.core.bits import bit_sets
from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import GOLDEN, below, mix
from seedfolio.games.board import Board, permutation
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, StaticEvaluation, Symmetry

# A move is 4 * target + direction for the first player, 4 * (cells + target) + direction for the
# second. Directions on the drawn board: 0 to the left, 1 straight, 2 to the right. (4, not 3,
# because a shift is faster than a division.)


@game("breakthrough", version=1, summary="race pawns to the far row; capture diagonally")
def breakthrough(rows: int = 8, columns: int = 8, pawn_rows: int = 2) -> Rules:
    """Return the rules on 5 to 8 rows and columns, each side with `pawn_rows` rows of pawns."""
    if not (5 <= rows <= 8 and 5 <= columns <= 8):
        raise ValueError(f"a board of {rows}x{columns} is not between 5x5 and 8x8")
    if not 1 <= pawn_rows <= (rows - 1) // 2:
        raise ValueError(f"pawn_rows={pawn_rows} is not between 1 and {(rows - 1) // 2}")
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
    not_left = sets.make(c for c in range(area) if c % columns > 0)
    not_right = sets.make(c for c in range(area) if c % columns < columns - 1)

    # A state is (pawns of the mover, pawns of the other, colour to move).

    @compiled
    def start() -> Any:
        return first_pawns, second_pawns, int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[2]

    @compiled
    def over(state: Any) -> Any:
        # Only the side that has just moved can have won.
        own, other, colour = state
        goal = bottom if colour == 0 else top
        return is_empty(own) or not is_empty(both(other, goal))

    @compiled
    def targets(state: Any) -> Any:
        """Return the cells that the mover's pawns reach to the left, straight and to the right.

        Call it only while the game is not over: then no pawn steps off the board.
        """
        own, other, colour = state
        front = up(own, columns) if colour == 0 else down(own, columns)
        left = down(both(front, not_left), 1)
        right = up(both(front, not_right), 1)
        return without(left, own), without(front, either(own, other)), without(right, own)

    @compiled
    def first_target(colour: Any) -> Any:
        # A selection, not a product: so the compiler sees that `play` subtracts the same number.
        return 0 if colour == 0 else area

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
        base = 4 * first_target(state[2])
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
        # One `pick`, on the set that was drawn. Selections instead of an `if` with three bodies,
        # because the branches would be unpredictable.
        past_left, past_straight = rank >= lefts, rank >= lefts + straights
        free = straight if past_left else left
        free = right if past_straight else free
        rank -= (lefts if past_left else 0) + (straights if past_straight else 0)
        direction = int64(past_left) + int64(past_straight)
        return 4 * (first_target(state[2]) + pick(free, rank)) + direction, step + 1

    @compiled
    def play(state: Any, move: Any) -> Any:
        own, other, colour = state
        target = (move >> 2) - first_target(colour)
        sideways = (move & 3) - 1
        forward = columns if colour == 0 else -columns
        to, source = single(target), single(target - forward - sideways)
        return without(other, to), either(without(own, source), to), 1 - colour

    @compiled
    def score(state: Any) -> Any:
        # The player to move has just lost.
        return 2 * state[2]

    @compiled
    def cells(state: Any, out: Any) -> None:
        own, other, colour = state
        for cell in range(area):
            out[cell] = 0
            if not is_empty(both(own, single(cell))):
                out[cell] = 1 + colour
            elif not is_empty(both(other, single(cell))):
                out[cell] = 2 - colour

    @compiled
    def advances(pawns: Any, colour: Any) -> Any:
        """Return the rows that pawns have advanced, all together and the first of them."""
        total, furthest = int64(0), int64(0)
        for row in range(rows):
            here = count(both(pawns, bottom))
            pawns = down(pawns, columns)
            advance = int64(row if colour == 0 else rows - 1 - row)
            total += advance * here
            furthest = max(furthest, advance) if here > 0 else furthest
        return total, furthest

    @compiled
    def protected(pawns: Any, colour: Any) -> Any:
        """Return how many pawns another one stands behind diagonally."""
        front = up(pawns, columns) if colour == 0 else down(pawns, columns)
        return count(
            both(pawns, either(down(both(front, not_left), 1), up(both(front, not_right), 1)))
        )

    @compiled
    def terms(state: Any, out: Any, at: Any) -> None:
        own, other, colour = state
        ours, our_first = advances(own, colour)
        theirs, their_first = advances(other, 1 - colour)
        out[at] = count(own) - count(other)
        out[at + 1] = ours - theirs
        out[at + 2] = our_first * our_first - their_first * their_first
        out[at + 3] = protected(own, colour) - protected(other, 1 - colour)
        out[at + 4] = 1

    @compiled
    def loud(state: Any, out: Any, at: Any) -> Any:
        """Write the captures."""
        if over(state):
            return int64(-1)
        left, _, right = targets(state)
        base = 4 * first_target(state[2])
        end = write(both(left, state[1]), base, out, at)
        return write(both(right, state[1]), base + 2, out, end) - at

    @compiled
    def gain(state: Any, move: Any) -> Any:
        """Prefer captures, and pawns that are far ahead."""
        target = (move >> 2) - first_target(state[2])
        row = target // columns if state[2] == 0 else rows - 1 - target // columns
        return row + (0 if is_empty(both(single(target), state[1])) else 8)

    @compiled
    def key(state: Any) -> Any:
        own, other, colour = state
        return mix(mix(own + GOLDEN) + mix(other) + uint64(colour))

    evaluation = StaticEvaluation(
        terms=terms,
        weights={"pawns": 100, "advance": 8, "first pawn": 6, "protected": 10, "to move": 20},
        scale=400,
        loud=loud,
        gain=gain,
        key=key,
    )
    board = Board(rows, columns, ".XO", colours=("X, moving up", "O, moving down"))

    def ends(move: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return source and target of a move; None if one of them is off the board."""
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
        evaluation=evaluation,
        move_names=[move_name(m) for m in range(8 * area)],
        max_moves=3 * pawns,
        # Every move advances a pawn by one row, and a pawn stops at the last row.
        max_plies=2 * pawns * (rows - 1),
        board=board,
        how_to_move=(
            "A move is the cell that a pawn leaves and the one that it enters: b2b3. Pawns go "
            "one step forward, straight or diagonally, and capture diagonally only. Whoever "
            "reaches the last row, or takes every pawn, wins."
        ),
        symmetries=[Symmetry("left-right", permutation(8 * area, mirrored))],
    )
