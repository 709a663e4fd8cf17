"""Liar's dice: one die each, rising bids on both dice, until somebody calls `liar`.

The rules are those of OpenSpiel's `liars_dice` for two players with one die each:

- Both roll a die that only they see. Then they take turns to bid. The bid `2x5` says that the two
  dice show at least two fives. Every bid has a larger number of dice than the last, or the same
  number and a higher face. The highest face counts as every other face, too.
- In place of a bid a player may call `liar`. If the last bid is true, the bidder wins, else the
  caller.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Panel
from seedfolio.games.kind import game
from seedfolio.games.rules import CHANCE, Rules

MAX_SIDES = 10

_HIDDEN = -1
"""Instead of a die, in a view: rolled but not seen. 0 is a die that is not rolled."""


@game("liars-dice", version=1, summary="bid on two dice of which you see one, or call liar")
def liars_dice(sides: int = 6) -> Rules:
    """Return the rules.

    Move (n - 1) * sides + (f - 1) bids n dice of face f. The next is `liar`, then come the faces
    of a die, 1 to `sides`.
    """
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"sides={sides} is not between 2 and {MAX_SIDES}")
    bids = 2 * sides
    liar, face = bids, bids

    # A state is: both dice, the number of bids, the last bid or -1, whether `liar` was called.

    @compiled
    def start() -> Any:
        return int64(0), int64(0), int64(0), int64(-1), int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return int64(CHANCE) if state[1] == 0 else state[2] & 1

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if state[4] == 1:
            return 0
        if state[1] == 0:
            for side in range(1, sides + 1):
                out[at + side - 1] = face + side
            return sides
        count = 0
        for bid in range(state[3] + 1, bids):
            out[at + count] = bid
            count += 1
        if state[3] >= 0:
            out[at + count] = liar
            count += 1
        return count

    @compiled
    def play(state: Any, move: Any) -> Any:
        first, second, number, last, called = state
        if move > liar:
            rolled = int64(move - face)
            return (
                (rolled if first == 0 else first),
                (second if first == 0 else rolled),
                number,
                last,
                called,
            )
        if move == liar:
            return first, second, number, last, int64(1)
        return first, second, number + 1, int64(move), called

    @compiled
    def score(state: Any) -> Any:
        first, second, number, last, _ = state
        bid_face, wanted = last % sides + 1, last // sides + 1
        shown = int64(first in (bid_face, sides)) + int64(second in (bid_face, sides))
        # Bids take turns: of an odd number, the last is the first player's.
        by_first = number % 2 == 1
        return 2 if (shown >= wanted) == by_first else 0

    @compiled
    def view(state: Any, colour: Any) -> Any:
        first, second, number, last, called = state
        if colour == 1 and first > 0:
            first = int64(_HIDDEN)
        if colour == 0 and second > 0:
            second = int64(_HIDDEN)
        return first, second, number, last, called

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        if move > liar and colour != (0 if before[0] == 0 else 1):
            return int64(face + sides + 1)  # the other rolls
        return int64(move)

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        first, second, number, last, called = view
        if first == _HIDDEN:
            first = 1 + below(key, step, sides)
            step += 1
        if second == _HIDDEN:
            second = 1 + below(key, step, sides)
            step += 1
        return (first, second, number, last, called), step

    @compiled
    def cells(state: Any, out: Any) -> None:
        out[0] = max(state[0], 0)
        out[1] = max(state[1], 0)
        out[2] = state[3] // sides + 1 if state[3] >= 0 else 0
        out[3] = state[3] % sides + 1 if state[3] >= 0 else 0

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        cells(view(state, colour), out)

    labels = ("die of the first", "die of the second", "dice of the bid", "face of the bid")
    named = [f"{move // sides + 1}x{move % sides + 1}" for move in range(bids)]
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        chance=True,
        view=view,
        event=event,
        complete=complete,
        cells_seen=cells_seen,
        move_names=[*named, "liar", *(str(side) for side in range(1, sides + 1))],
        max_moves=bids,
        max_plies=2 + bids + 1,
        board=Panel(len(labels), 1, ("-", *map(str, range(1, sides + 1))), labels=labels, tiles=2),
        how_to_move=(
            "A move is a bid, such as 2x5 for two fives among both dice, or liar. The highest face "
            "counts as any. Who is right about the last bid wins."
        ),
        small=sides <= 6,
        player="table",
    )
