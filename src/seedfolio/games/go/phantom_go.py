"""Phantom Go: Go in which neither player sees the other's stones. A referee sees both boards.

The mover passes, or tries a point that it does not know to be taken. The referee answers:

- A try on a taken point is refused, and the mover sees the stone there.
- A try that is suicide, or that ko forbids, is refused as illegal, without further information.
- Any other try is played. Both players see which stones it captures.
- A pass is announced. A refused try is not announced to the other player.

After a refusal the same player tries again, but not the same point in this turn. The game ends
after two consecutive passes (refused tries between them do not count), or after 3 * size * size
moves, passes included. The score is by area, as in `go`. White has komi. Black moves first.

A player also knows what follows from the answers:

- Around a point refused as illegal, and around the own stones that it would connect to, all points
  that are not own stones are the other's stones. The same holds around an own captured chain.
- A point refused as illegal is empty during this turn. Own stones just captured leave empty points.
- The number of the other's stones, since moves, passes and captures are announced.

With openspiel=1 the rules are those of OpenSpiel's phantom_go. A player knows only the stones that
the referee has shown. It may try a point refused as illegal again at once. The other player learns
that a try was refused. Passes with a refused try between them are not consecutive. The game ends
after 4 * size * size tries, refused ones included. One difference remains: OpenSpiel ends a game as
a draw when a move repeats an earlier board. Our state is too small to detect that.

With announce=0 the referee tells refusals only: see `own_boards`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import fold
from seedfolio.games.go.own_boards import own_board_rules
from seedfolio.games.go.stones import MOST_DRAWN, Turn, area_rules, go_geometry, go_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

KOMI = {5: 3.5, 6: 3.5, 7: 3.5, 8: 3.5, 9: 3.5}
"""By size of the board. Black's success with it, in percent, over at least 10,000 games between
different seeds: flat:playouts=100 on 5x5 to 9x9 50.0, 50.1, 50.7, 50.2 and 49.7;
flat:playouts=1000 on 5x5 and 7x7 54.6 and 51.7."""

# Events: 4 * move + answer for an own try; one of the last three for a try of the other player.
_PLAYED, _TAKEN, _ILLEGAL = range(3)
_OTHER_PLAYED, _OTHER_PASSED, _OTHER_REFUSED = 3, 7, 11


@game("phantom-go", version=1, summary="Go in which the other's stones are hidden")
def phantom_go(
    size: int = 5, komi: float | None = None, openspiel: int = 0, announce: int = 1
) -> Rules:
    """Return the rules on a square board of 5 to 9 lines; those of OpenSpiel if `openspiel` is 1.

    A move is a point of `go_board`, or the pass.
    """
    for name, value in (("openspiel", openspiel), ("announce", announce)):
        if value not in (0, 1):
            raise ValueError(f"{name} must be 0 or 1, not {value}")
    if openspiel and not announce:
        raise ValueError("openspiel=1 does not go with announce=0: there captures are announced")
    geometry = go_geometry(size)
    stones = go_stones(geometry, KOMI[size] if komi is None else komi)
    if not announce:
        return own_board_rules(geometry, stones, 3 * size * size)
    sets, points = geometry.sets, geometry.points
    around, connected = geometry.around, geometry.connected
    write_cells, begin_stones = geometry.write_cells, stones.begin
    place, without_eyes, all_live = stones.place, stones.without_eyes, stones.all_live
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    count, pick, is_empty, draw = sets.count, sets.pick, sets.is_empty, stones.draw
    nothing = sets.make(())
    pass_ = geometry.numbers
    area = size * size
    length = 4 * area if openspiel else 3 * area
    deduce = not openspiel

    # A state is (stones of the mover, stones of the other; the other's stones that the mover knows,
    # the mover's stones that the other knows; points just captured from the mover, points refused
    # as illegal in this turn; the point that ko forbids, number of consecutive passes, the clock,
    # colour to move, whether the last try was refused). The clock counts what `length` limits.

    @compiled
    def start() -> Any:
        hidden = nothing, nothing, nothing, nothing, nothing, nothing
        return *hidden, nothing, int64(0), int64(0), int64(0), False

    @compiled
    def mover(state: Any) -> Any:
        return state[9]

    @compiled
    def refused(state: Any) -> Any:
        return state[10]

    @compiled
    def is_over(state: Any) -> Any:
        return state[7] == 2 or state[8] == length

    @compiled
    def free_points(state: Any) -> Any:
        """Return the points that the mover may try."""
        mine, _, known, _, _, illegal = state[:6]
        free = without(points, either(mine, known))
        return without(free, illegal) if deduce else free

    @compiled
    def sensible(state: Any) -> Any:
        return without_eyes(without(free_points(state), state[5]), state[0])

    @compiled
    def refuse(state: Any, known: Any, illegal: Any) -> Any:
        """Return the state after a refused try, with what the mover knows now."""
        mine, theirs, _, shown, lost, _, ko, passes, clock, colour, _ = state
        if deduce:
            return mine, theirs, known, shown, lost, illegal, ko, passes, clock, colour, True
        return mine, theirs, known, shown, lost, illegal, ko, int64(0), clock + 1, colour, True

    @compiled
    def play(state: Any, move: Any) -> Any:
        mine, theirs, known, shown, _, illegal, ko, passes, clock, colour, _ = state
        if move == pass_:
            hidden = theirs, mine, shown, known, nothing, nothing
            return *hidden, nothing, passes + 1, clock + 1, 1 - colour, False
        point = single(move)
        if not is_empty(both(point, theirs)):
            return refuse(state, either(known, point), illegal)
        legal, after, remaining, next_ko, captured = place(mine, theirs, point)
        if not legal or not is_empty(both(point, ko)):
            if deduce:
                joined = either(mine, point)
                known = either(known, without(around(connected(point, joined)), joined))
            return refuse(state, known, either(illegal, point))
        if deduce:
            shown = either(shown, both(around(captured), after))
        hidden = remaining, after, shown, without(known, captured), captured, nothing
        return *hidden, next_ko, int64(0), clock + 1, 1 - colour, False

    @compiled
    def begin(state: Any, key: Any, step: Any) -> Any:
        mine, theirs, _, _, _, _, ko, passes, clock, colour, _ = state
        return begin_stones(mine, theirs, ko, colour, passes, length - clock, step)

    # A view is (own stones, known stones of the other, the two sets of points known to be empty,
    # number of the other's stones, passes, clock, colour to move, whether a try was just refused).

    @compiled
    def view(state: Any, colour: Any) -> Any:
        mine, theirs, known, shown, lost, illegal, _, passes, clock, to_move, again = state
        if colour == to_move:
            return mine, known, lost, illegal, count(theirs), passes, clock, to_move, again
        told = again and not deduce
        return theirs, shown, nothing, nothing, count(mine), passes, clock, to_move, told

    @compiled
    def hiding_places(view: Any) -> Any:
        """Return the points where stones may be hidden, and the number of hidden stones."""
        mine, known, lost, illegal, number = view[:5]
        places = without(points, either(either(mine, known), either(lost, illegal)))
        return places, number - count(known)

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        mine, known, lost, illegal, _, passes, clock, colour, again = view
        places, number = hiding_places(view)
        theirs = known
        # A chain without a liberty would have been captured, so such a board is drawn again.
        for _ in range(MOST_DRAWN):
            stones, step = draw(places, number, key, step)
            theirs = either(known, stones)
            if all_live(mine, theirs):
                break
        hidden = mine, theirs, known, nothing, lost, illegal
        return (*hidden, nothing, passes, clock, colour, again), step

    @compiled
    def assume(view: Any, move: Any) -> Any:
        mine, known, lost, illegal, number, passes, clock, colour, again = view
        places, hidden = hiding_places(view)
        if move != pass_ and hidden < count(places):
            lost = either(lost, single(move))
        return mine, known, lost, illegal, number, passes, clock, colour, again

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        if after[10]:
            if colour != before[9]:
                return int64(-1 if deduce else _OTHER_REFUSED)
            taken = not is_empty(both(single(move), before[1]))
            return int64(4 * move + (_TAKEN if taken else _ILLEGAL))
        if colour == before[9]:
            happened = int64(4 * move + _PLAYED)
        else:
            happened = int64(_OTHER_PASSED if move == pass_ else _OTHER_PLAYED)
        captured = without(before[1], after[0])
        if is_empty(captured):
            return happened
        # The captured stones do not fit in one number, so the event is a hash.
        hashed = uint64(happened)
        while not is_empty(captured):
            point = pick(captured, 0)
            hashed = fold(hashed, point)
            captured = without(captured, single(point))
        return int64(hashed >> uint64(1))

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        own, known = (state[0], state[2]) if state[9] == colour else (state[1], state[3])
        black, white = (own, known) if colour == 0 else (known, own)
        write_cells(black, white, out)

    # Refused tries: each stone is found once as taken; illegal points are not neighbours.
    most_refused = length * (area // 2 + 2)
    how_to_move = (
        "A move is the point of a stone, such as C3, or pass. You do not see the other's stones: "
        "a try on a taken or illegal point is refused, and you try again. Two passes end the game: "
        "the larger area wins, and White has komi."
    )
    turn = Turn(start, mover, is_over, free_points, sensible, play, begin)
    plies = length if openspiel else length + most_refused
    return replace(
        area_rules(geometry, stones, turn, plies, how_to_move),
        view=view,
        event=event,
        complete=complete,
        assume=assume,
        refused=refused,
        cells_seen=cells_seen,
        player="flat:playouts=100",
    )
