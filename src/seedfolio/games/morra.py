"""Morra: both players show fingers and guess the other's number, at the same time.

The rules:

- In each round both players show 1 to `fingers` fingers and call a number from 1 to `fingers`, at
  the same time. The move `2/1` shows two fingers and guesses that the other shows one.
- If exactly one player guesses right, it scores one point for each finger shown by both players
  together. Otherwise nobody scores.
- After `rounds` rounds the player with more points wins; equal points are a draw.

The first player moves first, but the move stays hidden until the second player has moved; then
both see both moves. The second player knows only that a move was made.

One round with two fingers is the classical two-finger Morra. It is a fair game, and the best
strategy is random. With the defaults, the best of 16 seeds of the player `table:noise=50` (half of
its moves from the seed, half random) wins about 52% against a random seed. That is close to the
papers, which do not give their rules.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Panel
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

MAX_FINGERS = 10
MAX_ROUNDS = 1_000
SMALL = 1_000_000
"""A game with at most this many ways to play all rounds counts as small."""

_NONE = -1
"""Instead of a move: no move was made."""
_HIDDEN = -2
"""Instead of a move, in the second player's view: a hidden move was made."""


@game("morra", version=1, summary="show fingers and guess the other's, both at once")
def morra(fingers: int = 2, rounds: int = 3) -> Rules:
    """Return the rules. Move (s - 1) * fingers + (g - 1) shows s fingers and guesses g."""
    if not 2 <= fingers <= MAX_FINGERS:
        raise ValueError(f"fingers={fingers} is not between 2 and {MAX_FINGERS}")
    if not 1 <= rounds <= MAX_ROUNDS:
        raise ValueError(f"rounds={rounds} is not between 1 and {MAX_ROUNDS}")
    kinds = fingers * fingers

    # A state is: points of the first player, points of the second, rounds completed, the first
    # player's move of this round, and both players' moves of the last round.

    @compiled
    def start() -> Any:
        return int64(0), int64(0), int64(0), int64(_NONE), int64(_NONE), int64(_NONE)

    @compiled
    def mover(state: Any) -> Any:
        return int64(0) if state[3] == _NONE else int64(1)

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if state[2] == rounds:
            return 0
        for move in range(kinds):
            out[at + move] = move
        return kinds

    @compiled
    def play(state: Any, move: Any) -> Any:
        first, second, completed, waiting, last_first, last_second = state
        if waiting == _NONE:
            return first, second, completed, int64(move), last_first, last_second
        shown_first, shown_second = waiting // fingers, move // fingers
        right_first = waiting % fingers == shown_second
        right_second = move % fingers == shown_first
        # Counted from 0 in the move, from 1 on the hand.
        points = shown_first + shown_second + 2
        if right_first and not right_second:
            first += points
        if right_second and not right_first:
            second += points
        return first, second, completed + 1, int64(_NONE), waiting, int64(move)

    @compiled
    def score(state: Any) -> Any:
        if state[0] == state[1]:
            return 1
        return 2 if state[0] > state[1] else 0

    @compiled
    def view(state: Any, colour: Any) -> Any:
        first, second, completed, waiting, last_first, last_second = state
        if colour == 1 and waiting != _NONE:
            waiting = int64(_HIDDEN)
        return first, second, completed, waiting, last_first, last_second

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        waiting = before[3]
        if waiting != _NONE:
            return waiting * kinds + move
        return int64(move) if colour == 0 else int64(0)

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        first, second, completed, waiting, last_first, last_second = view
        if waiting == _HIDDEN:
            waiting = below(key, step, kinds)
            step += 1
        return (first, second, completed, waiting, last_first, last_second), step

    @compiled
    def write_hand(move: Any, out: Any, at: Any) -> None:
        """Write fingers and guess; zeros if there is no visible move."""
        out[at] = move // fingers + 1 if move >= 0 else 0
        out[at + 1] = move % fingers + 1 if move >= 0 else 0

    @compiled
    def cells(state: Any, out: Any) -> None:
        out[0] = state[0]
        out[1] = state[1]
        out[2] = rounds - state[2]
        write_hand(state[3], out, 3)
        write_hand(state[4], out, 5)
        write_hand(state[5], out, 7)

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        cells(view(state, colour), out)

    labels = (
        *("first player", "second player", "rounds left"),
        *("first shows now", "... and guesses"),
        *("first last showed", "... and guessed"),
        *("second last showed", "... and guessed"),
    )
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        view=view,
        event=event,
        complete=complete,
        cells_seen=cells_seen,
        move_names=[f"{m // fingers + 1}/{m % fingers + 1}" for m in range(kinds)],
        max_moves=kinds,
        max_plies=2 * rounds,
        board=Panel.of_numbers(*labels, most=2 * fingers * rounds),
        how_to_move=(
            "A move is the fingers that you show and those that you guess: 2/1 shows two and "
            "guesses one. Whoever alone guesses right scores the fingers of both. The most "
            "points win."
        ),
        small=kinds**rounds <= SMALL,
        player="table:noise=50",
    )
