"""Kuhn poker: one card each, one bet, for two or three players.

The rules are those of OpenSpiel's `kuhn_poker`:

- There is one card more than there are players. Every player pays one chip and gets a card that
  only this player sees.
- The players take turns to `pass` or to `bet` one chip, each once. After the first bet every other
  player decides once more, in turn: `bet` calls it, `pass` gives up the pot.
- The highest card among those who bet wins the pot; if nobody bet, the highest card of all.

The points of a player are the chips won, plus 2: with two players from 0 (lost both chips) to 4.
With two players the game is worth -1/18 chips to the first, if both play as well as possible (Kuhn
1950).
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Panel
from seedfolio.games.kind import game
from seedfolio.games.rules import CHANCE, Rules

MOST_PLAYERS = 3

_PASS, _BET, _CARD = 0, 1, 2
_HIDDEN = 15
"""Instead of a card + 1, in a view: a card that the player does not see."""


@game("kuhn-poker", version=1, summary="one card each and one bet; played for chips")
def kuhn_poker(players: int = 2) -> Rules:
    """Return the rules. Move 0 is `pass`, 1 is `bet`, 2 + n is the deal of card n."""
    if not 2 <= players <= MOST_PLAYERS:
        raise ValueError(f"players={players} is not between 2 and {MOST_PLAYERS}")
    cards_in_all = players + 1

    # A state is: the card + 1 of each player, four bits each; number of cards dealt; number of
    # decisions; who bet, one bit each; the decision that was the first bet, or -1.

    @compiled
    def start() -> Any:
        return int64(0), int64(0), int64(0), int64(0), int64(-1)

    @compiled
    def card_of(cards: Any, seat: Any) -> Any:
        return (cards >> (4 * seat)) & 15

    @compiled
    def is_over(state: Any) -> Any:
        return state[2] == (players if state[4] < 0 else players + state[4])

    @compiled
    def mover(state: Any) -> Any:
        return int64(CHANCE) if state[1] < players else state[2] % players

    @compiled
    def is_dealt(cards: Any, card: Any) -> Any:
        found = False
        for seat in range(players):
            found |= card_of(cards, seat) == card + 1
        return found

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return 0
        if state[1] == players:
            out[at] = _PASS
            out[at + 1] = _BET
            return 2
        count = 0
        for card in range(cards_in_all):
            if not is_dealt(state[0], card):
                out[at + count] = _CARD + card
                count += 1
        return count

    @compiled
    def play(state: Any, move: Any) -> Any:
        cards, dealt, decisions, bets, first = state
        if move >= _CARD:
            return (
                cards | (int64(move - _CARD + 1) << (4 * dealt)),
                dealt + 1,
                decisions,
                bets,
                first,
            )
        if move == _BET:
            bets |= int64(1) << (decisions % players)
            if first < 0:
                first = decisions
        return cards, dealt, decisions + 1, bets, first

    @compiled
    def points(state: Any, seat: Any) -> Any:
        cards, _, _, bets, _ = state
        pot, winner, best = int64(players), int64(0), int64(-1)
        for each in range(players):
            has_bet = (bets >> each) & 1
            pot += has_bet
            if (has_bet == 1 or bets == 0) and card_of(cards, each) > best:
                winner, best = int64(each), card_of(cards, each)
        # 2, less the chips paid.
        return 1 - ((bets >> seat) & 1) + (pot if winner == seat else 0)

    @compiled
    def first_points(state: Any) -> Any:
        return points(state, int64(0))

    @compiled
    def view(state: Any, seat: Any) -> Any:
        cards, dealt, decisions, bets, first = state
        seen = int64(0)
        for each in range(dealt):
            shown = card_of(cards, each) if each == seat else int64(_HIDDEN)
            seen |= shown << (4 * each)
        return seen, dealt, decisions, bets, first

    @compiled
    def event(before: Any, move: Any, after: Any, seat: Any) -> Any:
        if move < _CARD or before[1] == seat:
            return int64(move)
        return int64(_CARD + cards_in_all)  # somebody else gets a card

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        cards, dealt, decisions, bets, first = view
        unknown = int64(cards_in_all)
        for seat in range(dealt):
            unknown -= card_of(cards, seat) != _HIDDEN
        for seat in range(dealt):
            if card_of(cards, seat) == _HIDDEN:
                rank = below(key, step, unknown)
                step += 1
                unknown -= 1
                drawn = int64(0)
                while rank > 0 or is_dealt(cards, drawn):
                    rank -= not is_dealt(cards, drawn)
                    drawn += 1
                cards += (drawn + 1 - _HIDDEN) << (4 * seat)
        return (cards, dealt, decisions, bets, first), step

    @compiled
    def write(state: Any, seat: Any, out: Any) -> None:
        """Write the cards that a seat sees, of all if it is -1, and the chips of everybody."""
        for each in range(players):
            shown = seat < 0 or each == seat
            out[each] = card_of(state[0], each) if shown else 0
            out[players + each] = cards_in_all + 1 + ((state[3] >> each) & 1)

    @compiled
    def cells(state: Any, out: Any) -> None:
        write(state, int64(-1), out)

    @compiled
    def cells_seen(state: Any, seat: Any, out: Any) -> None:
        write(state, seat, out)

    names = "TJQK"[-cards_in_all:]
    owners = ("first", "second", "third")[:players]
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=first_points if players == 2 else points,
        cells=cells,
        chance=True,
        seats=players,
        scale=2 * players,
        par=2,
        view=view,
        event=event,
        complete=complete,
        cells_seen=cells_seen,
        move_names=["pass", "bet", *names],
        max_moves=cards_in_all,
        max_plies=3 * players - 1,
        board=Panel(
            2 * players,
            1,
            ("-", *names, "1", "2"),
            labels=(
                *(f"card of the {each}" for each in owners),
                *(f"chips of the {each}" for each in owners),
            ),
            tiles=players,
        ),
        how_to_move=(
            "A move is pass or bet. Everybody has paid one chip and has one card, the higher the "
            "better. After a bet, bet calls it and pass gives up."
        ),
        small=True,
        player="table",
    )
