"""Domineering: the first player places vertical dominoes, the second horizontal ones.

A player who cannot place a domino loses. Invented by Göran Andersson. The papers call the vertical
player Black.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from numba import int64

from seedfolio.core.bits import bit_sets
from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Board, Point, mirrors, permutation
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, StaticEvaluation, Symmetry


@game("domineering", version=1, summary="place dominoes, vertical against horizontal; last wins")
def domineering(rows: int = 7, columns: int = 7) -> Rules:
    """Return the rules on any rectangle of at most 128 cells.

    Move `c` places a vertical domino on cell c and the one above it; move `cells + c` a
    horizontal one on cell c and the one to its right.
    """
    area = rows * columns
    if rows < 1 or columns < 1 or area > 128:
        raise ValueError(f"a board of {rows}x{columns} is not between 1 and 128 cells")
    if columns > 26:
        raise ValueError(f"{columns} columns are more than 26, the letters a to z")
    sets = bit_sets(area)
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    up, down, count, pick, first = sets.up, sets.down, sets.count, sets.pick, sets.first
    is_empty = sets.is_empty
    everywhere = sets.make(range(area))
    not_last_column = sets.make(c for c in range(area) if c % columns < columns - 1)

    @compiled
    def start() -> Any:
        return everywhere, int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[1]

    @compiled
    def first_number(colour: Any) -> Any:
        # A selection, not a product: so the compiler sees that `play` subtracts the same number.
        return 0 if colour == 0 else area

    @compiled
    def places(state: Any) -> Any:
        """Return the cells where the lower or left half of the mover's domino may lie."""
        empty, colour = state
        if colour == 0:
            return both(empty, down(empty, columns))
        return both(both(empty, down(empty, 1)), not_last_column)

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        free = places(state)
        base = first_number(state[1])
        n = 0
        while not is_empty(free):
            cell = first(free)
            out[at + n] = base + cell
            free = without(free, single(cell))
            n += 1
        return n

    @compiled
    def play(state: Any, move: Any) -> Any:
        empty, colour = state
        half = single(move - first_number(colour))
        domino = either(half, up(half, columns if colour == 0 else 1))
        return without(empty, domino), 1 - colour

    @compiled
    def score(state: Any) -> Any:
        return 2 * state[1]

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        free = places(state)
        n = count(free)
        if n == 0:
            return int64(-1), step
        return first_number(state[1]) + pick(free, below(key, step, n)), step + 1

    @compiled
    def cells(state: Any, out: Any) -> None:
        for cell in range(area):
            out[cell] = 3 if is_empty(both(state[0], single(cell))) else 0

    @compiled
    def room_for(empty: Any, colour: Any) -> Any:
        """Return the cells that a colour's dominoes may cover, and how many places they have."""
        halves = places((empty, int64(colour)))
        return either(halves, up(halves, columns if colour == 0 else 1)), count(halves)

    @compiled
    def terms(state: Any, out: Any, at: Any) -> None:
        empty, colour = state
        ours, our_places = room_for(empty, colour)
        theirs, their_places = room_for(empty, 1 - colour)
        out[at] = our_places - their_places
        # Places that the other cannot take away.
        _, our_safe = room_for(without(empty, theirs), colour)
        _, their_safe = room_for(without(empty, ours), 1 - colour)
        out[at + 1] = our_safe - their_safe
        out[at + 2] = 1

    evaluation = StaticEvaluation(
        terms=terms, weights={"places": 30, "safe places": 60, "to move": 30}, scale=400
    )
    # The state does not know whose domino lies on a cell: that would slow every game.
    board = Board(rows, columns, ".VH#", colours=("vertical", "horizontal"))

    def squares(move: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return the two cells of a move; None if one of them is off the board."""
        row, column = divmod(move % area, columns)
        other = (row + 1, column) if move < area else (row, column + 1)
        return ((row, column), other) if other[0] < rows and other[1] < columns else None

    def move_name(move: int) -> str:
        pair = squares(move)
        return "".join(board.cell_name(*cell) for cell in pair) if pair else ""

    def picture(history: Sequence[int]) -> list[int]:
        seen = [0] * area
        for move in history:
            for row, column in squares(move) or ():
                seen[row * columns + column] = 1 + move // area
        return seen

    def image(turn: Callable[[Point], Point], move: int) -> int | None:
        pair = squares(move)
        if pair is None:
            return None
        row, column = min(turn(cell) for cell in pair)
        return (move // area) * area + row * columns + column

    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        random_move=random_move,
        evaluation=evaluation,
        move_names=[move_name(m) for m in range(2 * area)],
        max_moves=area,
        max_plies=area // 2,
        board=board,
        picture=picture,
        how_to_move=(
            "A move is a domino, written as its two cells: b2b3 lies on b2 and b3. The first "
            "player places vertical ones (V), the second horizontal ones (H). Who cannot place "
            "one loses."
        ),
        symmetries=[
            Symmetry(name, permutation(2 * area, partial(image, turn)))
            for name, turn in mirrors(rows, columns).items()
            if area > 2  # with a single domino, every mirror is the identity
        ],
    )
