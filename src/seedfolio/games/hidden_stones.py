"""Shared parts of n-in-a-row games in which each player sees only its own stones.

A try on a taken cell is refused: the mover learns that the cell is taken and tries another; the
other player learns nothing. Each player knows how many moves the other has made. The first row of
the required length wins. A full board without one is a draw. At the end both see the whole board.

A state is (stones of the mover, stones of the other, what the mover knows of the other's stones,
what the other knows of the mover's, colour to move, status). A view is (own stones, known stones
of the other, number of the other's stones, own colour, status). Stones are a word with bit c set
for a stone on cell c.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below, fold
from seedfolio.core.words import ONE, ZERO, lowest, popcount, select
from seedfolio.games.board import Board
from seedfolio.games.rules import Rules

GOING_ON, REFUSED, DRAWN, WON = 0, 1, 2, 3
"""Status: the mover starts its turn; its last try was refused; a draw; won by the other."""

_POSITIVE = np.uint64((1 << 63) - 1)


@dataclass(frozen=True)
class HiddenStones:
    """The compiled functions that these games share. Most are functions of `Rules`."""

    board: Board
    start: Callable[..., Any]
    mover: Callable[..., Any]
    score: Callable[..., Any]
    cells: Callable[..., Any]
    view: Callable[..., Any]
    event: Callable[..., Any]
    refused: Callable[..., Any]
    cells_seen: Callable[..., Any]
    is_over: Callable[..., Any]
    refuse: Callable[..., Any]
    """refuse(state, shown): the state after a refused try that shows the mover these stones."""
    place: Callable[..., Any]
    """place(state, stone, shown): the state after a move that shows the mover these stones."""
    has_row: Callable[..., Any]
    """has_row(stones): whether there is a row of the required length."""


def hidden_stones(rows: int, columns: int, length: int) -> HiddenStones:
    """Return the shared functions for a board of at most 64 cells where `length` in a row win."""
    area = rows * columns
    full = np.uint64((1 << area) - 1)
    has_row = _row_finder(rows, columns, length)
    # Events: an own stone on cell c; a refused try of move m; a stone of the other player.
    refusal, other_moved = area, 2 * area

    @compiled
    def start() -> Any:
        return ZERO, ZERO, ZERO, ZERO, int64(0), int64(GOING_ON)

    @compiled
    def mover(state: Any) -> Any:
        return state[4]

    @compiled
    def is_over(state: Any) -> Any:
        return state[5] >= DRAWN

    @compiled
    def refuse(state: Any, shown: Any) -> Any:
        own, other, known, known_to_other, colour, _ = state
        return own, other, known | shown, known_to_other, colour, int64(REFUSED)

    @compiled
    def place(state: Any, stone: Any, shown: Any) -> Any:
        own, other, known, known_to_other, colour, _ = state
        own |= stone
        known |= shown
        status = int64(GOING_ON)
        if has_row(own):
            status = int64(WON)
        elif own | other == full:
            status = int64(DRAWN)
        if status != GOING_ON:
            known, known_to_other = other, own
        return other, own, known_to_other, known, 1 - colour, status

    @compiled
    def score(state: Any) -> Any:
        return 2 * state[4] if state[5] == WON else int64(1)

    @compiled
    def refused(state: Any) -> Any:
        return state[5] == REFUSED

    @compiled
    def view(state: Any, colour: Any) -> Any:
        own, other, known, known_to_other, turn, status = state
        if colour == turn:
            return own, known, popcount(other), int64(colour), status
        seen = int64(GOING_ON) if status == REFUSED else status
        return other, known_to_other, popcount(own), int64(colour), seen

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        own_move = before[4] == colour
        status = after[5]
        if status == REFUSED:
            return int64(refusal + move) if own_move else int64(-1)
        # Find the new stone: the mover of `before` is the other player of `after`.
        noticed = lowest(after[1] & ~before[0]) if own_move else int64(other_moved)
        if status == GOING_ON:
            return noticed
        revealed = before[1] if own_move else after[1]
        return int64(fold(fold(ZERO, noticed), int64(revealed)) & _POSITIVE)

    @compiled
    def draw(first: Any, second: Any, out: Any) -> None:
        for cell in range(area):
            stone = ONE << np.uint64(cell)
            out[cell] = 1 if first & stone != ZERO else (2 if second & stone != ZERO else 0)

    @compiled
    def cells(state: Any, out: Any) -> None:
        if state[4] == 0:
            draw(state[0], state[1], out)
        else:
            draw(state[1], state[0], out)

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        seen = view(state, colour)
        if colour == 0:
            draw(seen[0], seen[1], out)
        else:
            draw(seen[1], seen[0], out)

    return HiddenStones(
        board=Board(rows, columns, ".XO", colours=("X", "O")),
        start=start,
        mover=mover,
        score=score,
        cells=cells,
        view=view,
        event=event,
        refused=refused,
        cells_seen=cells_seen,
        is_over=is_over,
        refuse=refuse,
        place=place,
        has_row=has_row,
    )


def hidden_rules(
    stones: HiddenStones,
    free: Callable[..., Any],
    play: Callable[..., Any],
    complete: Callable[..., Any],
    **facts: Any,
) -> Rules:
    """Return the rules of a game, where free(state) is the set of allowed tries.

    `facts` are what else to give to `Rules`.
    """

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        left = free(state)
        n = 0
        while left != ZERO:
            out[at + n] = lowest(left)
            left &= left - ONE
            n += 1
        return n

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        left = free(state)
        n = popcount(left)
        if n == 0:
            return int64(-1), step
        return select(left, below(key, step, n)), step + 1

    return Rules(
        start=stones.start,
        mover=stones.mover,
        moves=moves,
        play=play,
        score=stones.score,
        cells=stones.cells,
        random_move=random_move,
        view=stones.view,
        event=stones.event,
        complete=complete,
        refused=stones.refused,
        cells_seen=stones.cells_seen,
        board=stones.board,
        player="table",
        **facts,
    )


def _row_finder(rows: int, columns: int, length: int) -> Callable[..., Any]:
    """Return a compiled function that tells whether a set of cells has `length` in a row."""
    last = length - 1

    def starts(up: int, right: int) -> int:
        """Return the cells from which a row in this direction stays on the board."""
        return sum(
            1 << row * columns + column
            for row in range(rows)
            for column in range(columns)
            if row + last * up < rows and 0 <= column + last * right < columns
        )

    directions = ((0, 1), (1, -1), (1, 0), (1, 1))
    steps = np.array([up * columns + right for up, right in directions], np.uint64)
    masks = np.array([starts(up, right) for up, right in directions], np.uint64)

    @compiled
    def has_row(stones: Any) -> Any:
        for direction in range(4):
            step = steps[direction]
            run = stones & masks[direction]
            rest = stones
            for _ in range(last):
                rest >>= step
                run &= rest
            if run != ZERO:
                return True
        return False

    return has_row
