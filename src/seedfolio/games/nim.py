"""Nim: the players take turns to remove one or more objects from one heap.

The player who takes the last object wins, or loses in the misère form (`misere=1`). A heap is a row
on the board. A move names the leftmost object taken; all objects to its right go too. On a heap of
five, `c1` takes three and leaves two. Nothing is hidden.

With three or four `players`, the player who takes the last object wins alone, or loses alone.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.games.board import CHESS_LETTERS, Board, permutation
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, Symmetry

MOST_PLAYERS = 4
LARGEST = len(CHESS_LETTERS)
SMALL = 16
"""With 16 objects in all, a player has at most 16 * 14 * ... * 2 ways to play against an arm."""


@game("nim", version=1, summary="take objects from one of the heaps; the last one wins")
def nim(
    first: int = 1,
    second: int = 3,
    third: int = 5,
    fourth: int = 7,
    misere: int = 0,
    *,
    players: int = 2,
) -> Rules:
    """Return the rules for up to four heaps; one of size 0 is left out.

    Move `r * columns + c` leaves c objects on heap r.
    """
    if not all(0 <= size <= LARGEST for size in (first, second, third, fourth)):
        raise ValueError(f"a heap must have 0 to {LARGEST} objects")
    if misere not in (0, 1):
        raise ValueError(f"misere must be 0 (the last object wins) or 1 (it loses), not {misere}")
    if not 2 <= players <= MOST_PLAYERS:
        raise ValueError(f"players={players} is not between 2 and {MOST_PLAYERS}")
    sizes = [size for size in (first, second, third, fourth) if size > 0]
    if not sizes:
        raise ValueError("all heaps are empty")
    rows, columns = len(sizes), max(sizes)
    full = sum(size << 8 * row for row, size in enumerate(sizes))

    # A state is (the sizes of the heaps, one byte each; colour to move).

    @compiled
    def start() -> Any:
        return int64(full), int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[1]

    @compiled
    def following(seat: Any) -> Any:
        return 1 - seat if players == 2 else (seat + 1) % players

    @compiled
    def heap(state: Any, row: Any) -> Any:
        return state[0] >> 8 * row & 255

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        n = 0
        for row in range(rows):
            for left in range(heap(state, row)):
                out[at + n] = row * columns + left
                n += 1
        return n

    @compiled
    def play(state: Any, move: Any) -> Any:
        row, left = move // columns, move % columns
        taken = heap(state, row) - left
        return state[0] - (taken << 8 * row), following(state[1])

    @compiled
    def score(state: Any) -> Any:
        # The other player took the last object.
        winner = state[1] if misere else 1 - state[1]
        return 2 * (1 - winner)

    @compiled
    def score_of(state: Any, seat: Any) -> Any:
        took_last = following(seat) == state[1]
        return 2 if took_last != (misere == 1) else 0

    @compiled
    def cells(state: Any, out: Any) -> None:
        for row in range(rows):
            for column in range(columns):
                out[row * columns + column] = 1 if column < heap(state, row) else 0

    board = Board(rows, columns, ".o")

    def move_name(move: int) -> str:
        row, left = divmod(move, columns)
        return board.cell_name(row, left) if left < sizes[row] else ""

    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score if players == 2 else score_of,
        seats=players,
        cells=cells,
        move_names=[move_name(move) for move in range(rows * columns)],
        max_moves=sum(sizes),
        max_plies=sum(sizes),
        board=board,
        how_to_move=(
            "A heap is a row. A move is the leftmost object that you take, and all to its right"
            " go too: c1 takes c1, d1 and so on. Whoever takes the last object wins, with "
            "misere=1 loses."
        ),
        symmetries=_exchanges(sizes, columns),
        small=sum(sizes) <= SMALL and players == 2,
        player="table",
    )


def _exchanges(sizes: list[int], columns: int) -> list[Symmetry]:
    """Return the ways to exchange heaps of equal size."""
    rows = range(len(sizes))

    def moved(order: tuple[int, ...]) -> Symmetry:
        name = "heaps " + " ".join(str(row + 1) for row in order)
        images = permutation(
            len(sizes) * columns, lambda move: order[move // columns] * columns + move % columns
        )
        return Symmetry(name, images)

    return [
        moved(order)
        for order in permutations(rows)
        if order != tuple(rows) and all(sizes[order[row]] == sizes[row] for row in rows)
    ]
