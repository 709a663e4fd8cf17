"""Leduc poker: one card each, one on the table, two rounds of betting, for two players.

The rules are those of OpenSpiel's `leduc_poker`, with suits that do not matter:

- There are two jacks, two queens and two kings. Both players pay one chip and get a card that only
  they see. After the first round of betting, a card is laid open on the table for both.
- In a round the first player decides first. `raise` pays what the other has more and 2 chips, in
  the second round 4; a round has at most two raises. `call` pays what the other has more, and may
  be nothing. `fold` gives up; it is legal only if the other has paid more. A round is over when
  both have called, or one has called after a raise.
- The player whose card is equal to that on the table wins the pot; if there is none, the player
  with the higher card. With equal cards both take back their chips.

The points of the first player are the chips won, plus 13: from 0 to 26. The chance of a card
depends on how many of it are left.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Panel
from seedfolio.games.kind import game
from seedfolio.games.rules import CHANCE, Rules

_FOLD, _CALL, _RAISE, _CARD = range(4)
_RANKS, _COPIES = 3, 2
_NONE, _HIDDEN = -1, -2
"""Instead of a card: not dealt, and dealt but not seen."""
_MOST_CHIPS = 13
_MOST_RAISES = 2
_PLAYING = -1
"""Instead of the player who has given up."""


@game("leduc-poker", version=1, summary="two cards and two rounds of bets; played for chips")
def leduc_poker() -> Rules:
    """Return the rules. Move 0 is `fold`, 1 `call`, 2 `raise`, 3 + n the deal of rank n."""
    # A state is: (card of the first, of the second, of the table); chips of both; (raises and calls
    # of this round); the player to decide; who has given up.

    @compiled
    def start() -> Any:
        none = int64(_NONE)
        return (none, none, none), (int64(1), int64(1)), (int64(0), int64(0)), int64(0), int64(-1)

    @compiled
    def round_is_over(state: Any) -> Any:
        raises, calls = state[2]
        return calls == (1 if raises > 0 else 2)

    @compiled
    def deals(state: Any) -> Any:
        _, second, table = state[0]
        return second == _NONE or (table == _NONE and round_is_over(state))

    @compiled
    def is_over(state: Any) -> Any:
        return state[4] != _PLAYING or (state[0][2] != _NONE and round_is_over(state))

    @compiled
    def mover(state: Any) -> Any:
        return int64(CHANCE) if deals(state) and not is_over(state) else state[3]

    @compiled
    def odds(state: Any, outcome: Any) -> Any:
        rank, (first, second, table) = outcome - _CARD, state[0]
        return _COPIES - (first == rank) - (second == rank) - (table == rank)

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return 0
        count = 0
        if deals(state):
            for rank in range(_RANKS):
                if odds(state, _CARD + rank) > 0:
                    out[at + count] = _CARD + rank
                    count += 1
            return count
        paid, others = state[1] if state[3] == 0 else (state[1][1], state[1][0])
        if others > paid:
            out[at + count] = _FOLD
            count += 1
        out[at + count] = _CALL
        count += 1
        if state[2][0] < _MOST_RAISES:
            out[at + count] = _RAISE
            count += 1
        return count

    @compiled
    def dealt(state: Any, rank: Any) -> Any:
        (first, second, table), chips, _, _, gone = state
        none = int64(0), int64(0)
        if first == _NONE:
            return (rank, second, table), chips, none, int64(0), gone
        if second == _NONE:
            return (first, rank, table), chips, none, int64(0), gone
        return (first, second, rank), chips, none, int64(0), gone

    @compiled
    def play(state: Any, move: Any) -> Any:
        if move >= _CARD:
            return dealt(state, int64(move - _CARD))
        cards, (first, second), (raises, calls), player, gone = state
        if move == _FOLD:
            return cards, (first, second), (raises, calls), player, player
        stake = max(first, second)
        if move == _RAISE:
            stake += int64(2) if cards[2] == _NONE else int64(4)
        chips = (stake, second) if player == 0 else (first, stake)
        counted = (raises + 1, int64(0)) if move == _RAISE else (raises, calls + 1)
        return cards, chips, counted, 1 - player, gone

    @compiled
    def score(state: Any) -> Any:
        (first, second, table), chips, _, _, gone = state
        if gone == _PLAYING and first == second:
            return int64(_MOST_CHIPS)
        wins = gone == 1
        if gone == _PLAYING:
            wins = first == table or (second != table and first > second)
        return _MOST_CHIPS + (chips[1] if wins else -chips[0])

    @compiled
    def view(state: Any, colour: Any) -> Any:
        (first, second, table), chips, counted, player, gone = state
        if colour == 1 and first != _NONE:
            first = int64(_HIDDEN)
        if colour == 0 and second != _NONE:
            second = int64(_HIDDEN)
        return (first, second, table), chips, counted, player, gone

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        first, second, _ = before[0]
        if move >= _CARD and second == _NONE and colour != (0 if first == _NONE else 1):
            return int64(_CARD + _RANKS)  # the other gets a card
        return int64(move)

    @compiled
    def drawn_rank(seen: Any, table: Any, key: Any, step: Any) -> Any:
        """Return a rank for a hidden card, by how many are left."""
        place = below(key, step, _RANKS * _COPIES - (seen >= 0) - (table >= 0))
        rank = int64(0)
        while True:
            place -= _COPIES - (seen == rank) - (table == rank)
            if place < 0:
                return rank
            rank += 1

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        (first, second, table), chips, counted, player, gone = view
        if first == _HIDDEN:
            first = drawn_rank(second, table, key, step)
            step += 1
        if second == _HIDDEN:
            second = drawn_rank(first, table, key, step)
            step += 1
        return ((first, second, table), chips, counted, player, gone), step

    @compiled
    def cells(state: Any, out: Any) -> None:
        for k in range(3):
            out[k] = max(state[0][k], -1) + 1
        out[3], out[4] = _RANKS + 1 + state[1][0], _RANKS + 1 + state[1][1]

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        cells(view(state, colour), out)

    labels = (
        *("card of the first", "card of the second", "card on the table"),
        *("chips of the first", "chips of the second"),
    )
    glyphs = ("-", "J", "Q", "K", *map(str, range(_MOST_CHIPS + 1)))
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        chance=True,
        odds=odds,
        scale=2 * _MOST_CHIPS,
        par=_MOST_CHIPS,
        view=view,
        event=event,
        complete=complete,
        cells_seen=cells_seen,
        move_names=["fold", "call", "raise", "J", "Q", "K"],
        max_moves=_RANKS,
        max_plies=3 + 2 * 4,
        board=Panel(len(labels), 1, glyphs, labels=labels, tiles=3),
        how_to_move=(
            "A move is fold, call or raise. A card equal to that on the table wins, else the "
            "higher card. A raise is 2 chips, in the second round 4."
        ),
        small=True,
        player="table",
    )
