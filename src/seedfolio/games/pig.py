"""Pig: roll a die as often as you dare, and bank the points before a 1 takes them away.

The rules are those of OpenSpiel's `pig`:

- The players take turns. Both begin with 0 points.
- In a turn the player repeatedly decides: `roll` the die, or `hold`. The number on the die is added
  to the points of this turn, but a 1 loses all points of this turn and ends it. `hold` banks the
  points of this turn and ends it. A player may hold at once, for 0 points.
- The first player to bank `target` points or more wins. As soon as the points of this turn are
  enough for that, `hold` is the only legal decision.
- The game is a draw after `horizon` decisions (of both players together) without a winner. If the
  last decision is `roll`, the die is not rolled.

With three or four `players` the same rules hold. The winner has all points, one for each player;
without a winner each player has one.

Nothing is hidden. The sides of the die, 1 to `sides`, are equally likely.

The papers call the game PigStupid and do not give its target. With the default of 15, a game of
random decisions takes about 16 of them. A seed of the player `table` (a random decision for each
history) then matters about as much as in the papers: the best of 16 seeds wins about 59% against a
random seed. Seeds differ mainly in their first decisions, because the die soon makes every game
different. So the larger the target, the less a seed matters (with a target of 100, a game of random
decisions takes about 120).
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.games.board import Panel
from seedfolio.games.kind import game
from seedfolio.games.rules import CHANCE, Rules

MAX_TARGET = 1_000
MAX_SIDES = 100
MAX_HORIZON = 10_000
MAX_PLAYERS = 4

_ROLL, _HOLD, _ONE = 0, 1, 2
_BITS = 11
"""A player has fewer than 2048 points."""
_MASK = (1 << _BITS) - 1


@game("pig", version=1, summary="roll on or bank the points; a 1 loses those of the turn")
def pig(target: int = 15, sides: int = 6, horizon: int = 1_000, players: int = 2) -> Rules:
    """Return the rules. Move 0 is `roll`, 1 is `hold`, 1 + n is the die showing n."""
    for name, value, least, most in (
        ("target", target, 1, MAX_TARGET),
        ("sides", sides, 2, MAX_SIDES),
        ("horizon", horizon, 1, MAX_HORIZON),
        ("players", players, 2, MAX_PLAYERS),
    ):
        if not least <= value <= most:
            raise ValueError(f"{name}={value} is not between {least} and {most}")

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
    def score_of(state: Any, seat: Any) -> Any:
        won = winner(state)
        if won < 0:
            return int64(1)
        return int64(players) if won == seat else int64(0)

    @compiled
    def score(state: Any) -> Any:
        return score_of(state, 0)

    @compiled
    def cells(state: Any, out: Any) -> None:
        for seat in range(players):
            out[seat] = banked(state, seat)
        out[players] = state[1]
        out[players + 1] = horizon - state[4]

    seats = [f"seat {seat + 1}" for seat in range(players)]
    labels = ("first player", "second player") if players == 2 else seats
    most = max(target - 1 + sides, horizon)
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score if players == 2 else score_of,
        cells=cells,
        chance=True,
        seats=players,
        scale=players,
        move_names=["roll", "hold", *(str(side) for side in range(1, sides + 1))],
        max_moves=max(2, sides),
        max_plies=2 * horizon - 1,
        board=Panel.of_numbers(*labels, "this turn", "decisions left", most=most),
        how_to_move=(
            "A move is roll or hold. The die adds to the points of this turn; a 1 loses them "
            "and ends the turn. Hold banks them. The first with enough points wins."
        ),
        player="table",
    )
