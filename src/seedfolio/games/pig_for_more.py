"""Pig for three or four players: the rules of `games.pig`, with a winner among all of them.

The winner has all points, one for each player; without a winner everybody has one.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.games.board import Panel
from seedfolio.games.rules import CHANCE, Rules

_ROLL, _HOLD, _ONE = 0, 1, 2
_BITS = 11
"""A player has fewer than 2048 points."""
_MASK = (1 << _BITS) - 1


def pig_for_more(target: int, sides: int, horizon: int, players: int) -> Rules:
    """Return the rules; moves are those of Pig for two."""
    # A state is: points of all players, 11 bits each; points of this turn; player to decide;
    # whether the die is being rolled (0 or 1); number of decisions so far.

    @compiled
    def start() -> Any:
        return int64(0), int64(0), int64(0), int64(0), int64(0)

    @compiled
    def banked(state: Any, seat: Any) -> Any:
        return (state[0] >> (_BITS * seat)) & _MASK

    @compiled
    def winner(state: Any) -> Any:
        """Return who has reached the target, or -1."""
        found = int64(-1)
        for seat in range(players):
            if banked(state, seat) >= target:
                found = int64(seat)
        return found

    @compiled
    def is_over(state: Any) -> Any:
        return state[4] >= horizon or winner(state) >= 0

    @compiled
    def mover(state: Any) -> Any:
        return int64(CHANCE) if state[3] == 1 and not is_over(state) else state[2]

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return 0
        if state[3] == 1:
            for side in range(sides):
                out[at + side] = _ONE + side
            return sides
        if banked(state, state[2]) + state[1] >= target:
            out[at] = _HOLD
            return 1
        out[at] = _ROLL
        out[at + 1] = _HOLD
        return 2

    @compiled
    def play(state: Any, move: Any) -> Any:
        points, turn, seat, _, decisions = state
        following = (seat + 1) % players
        if move == _ROLL:
            return points, turn, seat, int64(1), decisions + 1
        if move == _HOLD:
            points += turn << (_BITS * seat)
            return points, int64(0), following, int64(0), decisions + 1
        if move == _ONE:
            return points, int64(0), following, int64(0), decisions
        return points, turn + (move - _ONE + 1), seat, int64(0), decisions

    @compiled
    def score(state: Any, seat: Any) -> Any:
        won = winner(state)
        if won < 0:
            return int64(1)
        return int64(players) if won == seat else int64(0)

    @compiled
    def cells(state: Any, out: Any) -> None:
        for seat in range(players):
            out[seat] = banked(state, seat)
        out[players] = state[1]
        out[players + 1] = horizon - state[4]

    labels = (*(f"seat {seat + 1}" for seat in range(players)), "this turn", "decisions left")
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        chance=True,
        seats=players,
        scale=players,
        move_names=["roll", "hold", *(str(side) for side in range(1, sides + 1))],
        max_moves=max(2, sides),
        max_plies=2 * horizon - 1,
        board=Panel.of_numbers(*labels, most=max(target - 1 + sides, horizon)),
        how_to_move=(
            "A move is roll or hold. The die adds to the points of this turn; a 1 loses them "
            "and ends the turn. Hold banks them. The first with enough points wins."
        ),
        player="table",
    )
