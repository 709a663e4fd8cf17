"""Rolit: Reversi for two to four players, each with balls of a colour.

The rules:

- The four cells in the middle begin with a ball each. Clockwise from the lower left they are those
  of the first player, the second, and so on, and from the first again if there are fewer than four
  players.
- The players take turns to put a ball of theirs on an empty cell. Balls of other colours between
  the new ball and another of the same colour, in a straight line without a gap in any of the eight
  directions, turn to that colour.
- A player who can turn a ball must. A player who cannot puts the ball next to any ball, in one of
  the eight directions. So nobody ever passes.
- When the board is full, the player with the most balls wins. Several with the most share the win.

With three or four players a win has 12 points, which those who share it divide equally. With two
players it has 2, and a draw 1 for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.words import popcount, write_word
from seedfolio.games.board import Board
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

SIZES = (4, 6, 8)
MOST_PLAYERS = 4

_U = np.uint64
_WIDTH = 8
"""A cell is bit 8 * row + column, on every board."""
_ZERO, _ONE, _SEVEN, _EIGHT, _NINE = _U(0), _U(1), _U(7), _U(8), _U(9)
_NOT_FIRST, _NOT_LAST = _U(0xFEFEFEFEFEFEFEFE), _U(0x7F7F7F7F7F7F7F7F)


@compiled
def _shifted(balls: Any, direction: Any) -> Any:
    """Move all balls one cell in one of the eight directions; those at the edge are gone."""
    if direction == 0:
        return balls << _EIGHT
    if direction == 1:
        return balls >> _EIGHT
    if direction == 2:
        return (balls & _NOT_LAST) << _ONE
    if direction == 3:
        return (balls & _NOT_FIRST) >> _ONE
    if direction == 4:
        return (balls & _NOT_LAST) << _NINE
    if direction == 5:
        return (balls & _NOT_FIRST) >> _NINE
    if direction == 6:
        return (balls & _NOT_FIRST) << _SEVEN
    return (balls & _NOT_LAST) >> _SEVEN


@compiled
def _of(balls: Any, seat: Any) -> Any:
    """Return the balls of a seat. (A tuple with an index would need the memory of a thread.)"""
    if seat < 2:
        return balls[0] if seat == 0 else balls[1]
    return balls[2] if seat == 2 else balls[3]


@game("rolit", version=1, summary="Reversi for two to four players, without passing")
def rolit(rows: int = 6, columns: int = 6, players: int = 2) -> Rules:
    """Return the rules. Move 8 * r + c puts a ball on row r, column c."""
    if rows not in SIZES or columns not in SIZES:
        raise ValueError(f"a board is 4, 6 or 8 cells wide and high, not {rows}x{columns}")
    if not 2 <= players <= MOST_PLAYERS:
        raise ValueError(f"players={players} is not between 2 and {MOST_PLAYERS}")
    whole = _U(sum(1 << _WIDTH * r + c for r in range(rows) for c in range(columns)))
    # The four cells in the middle, clockwise from the lower left.
    low, left = rows // 2 - 1, columns // 2 - 1
    middle = [(low, left), (low + 1, left), (low + 1, left + 1), (low, left + 1)]
    begins = [0] * MOST_PLAYERS
    for k, (row, column) in enumerate(middle):
        begins[k % players] |= 1 << _WIDTH * row + column
    first, second, third, fourth = (_U(each) for each in begins)
    prize = 2 if players == 2 else 12

    # A state is: the balls of each of four players, as bits; the number of balls put so far.

    @compiled
    def start() -> Any:
        return (first, second, third, fourth), int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[1] % players

    @compiled
    def all_balls(balls: Any) -> Any:
        return balls[0] | balls[1] | balls[2] | balls[3]

    @compiled
    def cells_to_play(state: Any) -> Any:
        """Return the cells where the mover may put a ball."""
        balls = state[0]
        every, own = all_balls(balls), _of(balls, mover(state))
        others, empty = every & ~own, whole & ~every
        turning, beside = _ZERO, _ZERO
        for direction in range(8):
            line = _shifted(own, direction) & others
            for _ in range(_WIDTH - 3):
                line |= _shifted(line, direction) & others
            turning |= _shifted(line, direction) & empty
            beside |= _shifted(every, direction) & empty
        return turning if turning != _ZERO else beside

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        return write_word(cells_to_play(state), int64(0), out, at)

    @compiled
    def play(state: Any, move: Any) -> Any:
        balls, number = state
        seat = mover(state)
        own, ball = _of(balls, seat), _ONE << uint64(move)
        others, turned = all_balls(balls) & ~own, _ZERO
        for direction in range(8):
            line, cell = _ZERO, _shifted(ball, direction)
            while cell & others != _ZERO:
                line |= cell
                cell = _shifted(cell, direction)
            if cell & own != _ZERO:
                turned |= line
        keep, mine = ~turned, own | ball | turned
        after = (
            mine if seat == 0 else balls[0] & keep,
            mine if seat == 1 else balls[1] & keep,
            mine if seat == 2 else balls[2] & keep,
            mine if seat == 3 else balls[3] & keep,
        )
        return after, number + 1

    @compiled
    def share(state: Any, seat: Any) -> Any:
        most, sharers = int64(-1), int64(0)
        for each in range(players):
            balls = popcount(_of(state[0], each))
            if balls > most:
                most, sharers = balls, int64(0)
            if balls == most:
                sharers += 1
        return prize // sharers if popcount(_of(state[0], seat)) == most else int64(0)

    @compiled
    def first_share(state: Any) -> Any:
        return share(state, int64(0))

    @compiled
    def cells(state: Any, out: Any) -> None:
        for row in range(rows):
            for column in range(columns):
                bit, content = _ONE << uint64(_WIDTH * row + column), 0
                for seat in range(players):
                    if _of(state[0], seat) & bit != _ZERO:
                        content = seat + 1
                out[row * columns + column] = content

    board = Board(rows, columns, "." + "XOAB"[:players])

    def move_name(move: int) -> str:
        row, column = divmod(move, _WIDTH)
        return board.cell_name(row, column) if row < rows and column < columns else ""

    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=first_share if players == 2 else share,
        cells=cells,
        seats=players,
        scale=prize,
        move_names=[move_name(move) for move in range(_WIDTH * rows)],
        max_moves=rows * columns - 4,
        max_plies=rows * columns - 4,
        board=board,
        how_to_move=(
            "A move is a cell, such as c4. Balls of others in a line between yours turn to your "
            "colour. If you can turn one, you must; else put a ball next to any. Most balls win."
        ),
        player="uct:simulations=100,exploration=0.5",
    )
