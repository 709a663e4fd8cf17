"""One seat of a game for more than two players, as a game of two sides: the seat, and the others.

So all that is made for two sides works for every seat: matrices, learners, exploiters, books. The
first side is the seat; its points are those of the game. The second side is everybody else, and an
arm of it is a profile: one seed for each of the other seats (see `players.seated`).

The others share no secrets: each of their programs gets the view of its own seat and the history of
what that seat has noticed. Only a book of the others, and an exact best response, know all that the
others know together, like opponents who show each other their cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import noticed
from seedfolio.core.user_file import with_option
from seedfolio.errors import SpecificationError
from seedfolio.games.defaults import complete_functions
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE, Rules

OTHERS = "the others"


def seated(whole: Game, seat: int) -> Game:
    """Return the game of a seat (from 1) of a game for more players."""
    seats = whole.rules.seats
    if seats == 2:
        raise SpecificationError(f"{whole.title} has two sides; leave out seat")
    if not 1 <= seat <= seats:
        raise SpecificationError(f"{whole.title}: seat={seat} is not between 1 and {seats}")
    rules = (_open_rules if whole.rules.view is None else _hidden_rules)(whole.rules, seat - 1)
    part = f"seat={seat}"
    return replace(
        whole,
        parameters={**whole.parameters, "seat": seat},
        text=with_option(whole.text, part),
        source=with_option(whole.source, part),
        rules=rules,
        whole=whole,
        seat=seat - 1,
    )


def _side_of(mover: Callable[..., Any], seat: int) -> Callable[..., Any]:
    """Return the side to move: 0 for the seat, 1 for the others, or CHANCE."""

    @compiled
    def side(state: Any) -> Any:
        turn = int64(mover(state))
        if turn == CHANCE:
            return int64(CHANCE)
        return int64(0) if turn == seat else int64(1)

    return side


def _open_rules(rules: Rules, seat: int) -> Rules:
    """Return the rules of a seat where nothing is hidden: all seats know the state."""
    score = rules.score

    @compiled
    def own_score(state: Any) -> Any:
        return score(state, seat)

    return replace(
        rules,
        mover=_side_of(rules.mover, seat),
        score=own_score,
        board=replace(rules.board, colours=(f"seat {seat + 1}", OTHERS)),
        seats=2,
    )


def _hidden_rules(rules: Rules, seat: int) -> Rules:
    """Return the rules of a seat where something is hidden.

    A state is (the state of the game, how many events each seat has noticed, their hashes). A view
    is (the view of a seat, that seat, how many events it has noticed, their hash).
    """
    seats = rules.seats
    start, moves, play, score = rules.start, rules.moves, rules.play, rules.score
    # These may be None; then what calls them is left out below.
    inner_seen: Any = rules.cells_seen
    odds: Any = rules.odds
    refused: Any = rules.refused
    ending: Any = rules.ending
    plausible: Any = rules.plausible
    inner_view: Any = rules.view
    inner_event: Any = complete_functions(rules)["event"]
    inner_complete: Any = rules.complete
    side, bits = _side_of(rules.mover, seat), min(30, 60 // (seats - 1))
    turn, first_other = rules.mover, 0 if seat > 0 else 1
    every = _EVERY_SEAT[seats]
    inner_cells = rules.cells

    @compiled
    def begin() -> Any:
        return start(), every(_nothing, 0, 0, 0, 0), every(_no_hash, 0, 0, 0, 0)

    @compiled
    def mover(state: Any) -> Any:
        return side(state[0])

    @compiled
    def own_moves(state: Any, out: Any, at: Any) -> Any:
        return moves(state[0], out, at)

    @compiled
    def count_more(each: Any, before: Any, move: Any, after: Any, counts: Any) -> Any:
        return counts[each] + (inner_event(before, move, after, each) >= 0)

    @compiled
    def hash_more(each: Any, before: Any, move: Any, after: Any, hashes: Any) -> Any:
        return noticed(hashes[each], int64(inner_event(before, move, after, each)))

    @compiled
    def own_play(state: Any, move: Any) -> Any:
        before, counts, hashes = state
        after = play(before, move)
        more = every(count_more, before, move, after, counts)
        return after, more, every(hash_more, before, move, after, hashes)

    @compiled
    def own_score(state: Any) -> Any:
        return score(state[0], seat)

    @compiled
    def who(state: Any, colour: Any) -> Any:
        """Return the seat through whose eyes a side looks."""
        if colour == 0:
            return int64(seat)
        now = int64(turn(state[0]))
        return int64(first_other) if now in (CHANCE, seat) else now

    @compiled
    def view(state: Any, colour: Any) -> Any:
        each = who(state, colour)
        return inner_view(state[0], each), each, state[1][each], state[2][each]

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        if colour == 0:
            return int64(inner_event(before[0], move, after[0], seat))
        # All that the others notice, as one number.
        happened = int64(0)
        for each in range(seats):
            if each != seat:
                seen = int64(inner_event(before[0], move, after[0], each))
                happened = (happened << bits) + seen + 1
        return happened - 1

    @compiled
    def complete(seen: Any, key: Any, step: Any) -> Any:
        # What other seats have noticed is unknown; no player asks for it.
        state, step = inner_complete(seen[0], key, step)
        counts = every(_the_same, seen[2], 0, 0, 0)
        return (state, counts, every(_the_same, seen[3], 0, 0, 0)), step

    @compiled
    def cells(state: Any, out: Any) -> None:
        inner_cells(state[0], out)

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        inner_seen(state[0], who(state, colour), out)

    @compiled
    def own_odds(state: Any, outcome: Any) -> Any:
        return odds(state[0], outcome)

    @compiled
    def own_refused(state: Any) -> Any:
        return refused(state[0])

    @compiled
    def own_ending(state: Any) -> Any:
        return ending(state[0])

    @compiled
    def own_plausible(state: Any, out: Any, at: Any) -> Any:
        return plausible(state[0], out, at)

    return replace(
        rules,
        start=begin,
        mover=mover,
        moves=own_moves,
        play=own_play,
        score=own_score,
        cells=cells,
        view=view,
        event=event,
        complete=complete,
        assume=None,
        cells_seen=None if inner_seen is None else cells_seen,
        odds=None if odds is None else own_odds,
        refused=None if refused is None else own_refused,
        ending=None if ending is None else own_ending,
        plausible=None if plausible is None else own_plausible,
        board=replace(rules.board, colours=(f"seat {seat + 1}", OTHERS)),
        seats=2,
    )


@compiled
def _nothing(each: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return int64(0)


@compiled
def _no_hash(each: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return uint64(0)


@compiled
def _the_same(each: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return a


# Compiled code makes a tuple only with a length that it knows.


@compiled
def _three(f: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return f(0, a, b, c, d), f(1, a, b, c, d), f(2, a, b, c, d)


@compiled
def _four(f: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return f(0, a, b, c, d), f(1, a, b, c, d), f(2, a, b, c, d), f(3, a, b, c, d)


@compiled
def _five(f: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return (*_four(f, a, b, c, d), f(4, a, b, c, d))


@compiled
def _six(f: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return (*_five(f, a, b, c, d), f(5, a, b, c, d))


_EVERY_SEAT = {3: _three, 4: _four, 5: _five, 6: _six}
