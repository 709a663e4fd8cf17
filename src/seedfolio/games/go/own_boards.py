"""Phantom Go whose referee says of a try only whether it is legal: `phantom-go:announce=0`.

So the paper on Phantom Go has it: "If the move is legal on the reference board, it is played on
the reference board and it is the other player's turn. If the move is illegal on the reference
board, the referee tells the player that the move is illegal and the player is asked to play another
move." Captures, passes and the reason of a refusal remain untold; that two passes have ended the
game is told. The text does not say how a player keeps account. Here each player has a private
board, which only the player's tries change:

- An accepted try is the player's move on that board, by the rules of Go. What it takes there is
  removed. If it is suicide there, then stones are gone: the player forgets the other's stones
  around the chain.
- A refused try of an empty point is a move of the other there. Own stones that it takes were
  captured, as far as the player can tell. If it is suicide there, it changes nothing.

So stones of one's own may be gone without notice, and stones of the other, too. A player may try
every point that was not refused in this turn, also one with a stone on its own board. A program
without knowledge of the game considers only the empty points there, without its own eyes.

A board is drawn for a player as follows. The private board has the player's stones and the known
stones of the other. Each other point, but for those refused in this turn, is empty or hides a stone
with equal chances. The other never has more stones than it had turns. Boards with a chain without a
liberty are drawn again. The other is thought not to have passed just now.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.games.go.stones import MOST_DRAWN, Geometry, Stones, Turn, area_rules
from seedfolio.games.rules import Rules

# Events: 2 * move + 2 for an own try; 0 for an accepted one of the other. 1 more if an own try is
# refused, or if a pass ends the game.


def own_board_rules(geometry: Geometry, stones: Stones, length: int) -> Rules:
    """Return the rules of a game of at most `length` moves, passes included."""
    sets, points = geometry.sets, geometry.points
    around, connected = geometry.around, geometry.connected
    write_cells, begin_stones = geometry.write_cells, stones.begin
    place, without_eyes, all_live = stones.place, stones.without_eyes, stones.all_live
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    count, half, is_empty, draw = sets.count, sets.half, sets.is_empty, stones.draw
    nothing = sets.make(())
    pass_ = geometry.numbers

    # A state is (stones of the mover, stones of the other; the mover's own board: its stones, the
    # other's; the other's own board: its stones, the mover's; points refused in this turn, a point
    # assumed to be empty; the point that ko forbids, consecutive passes, moves played, colour to
    # move, whether the last try was refused).

    @compiled
    def start() -> Any:
        boards = nothing, nothing, nothing, nothing, nothing, nothing
        return *boards, nothing, nothing, nothing, int64(0), int64(0), int64(0), False

    @compiled
    def mover(state: Any) -> Any:
        return state[11]

    @compiled
    def refused(state: Any) -> Any:
        return state[12]

    @compiled
    def is_over(state: Any) -> Any:
        return state[9] == 2 or state[10] == length

    @compiled
    def free_points(state: Any) -> Any:
        return without(points, state[6])

    @compiled
    def sensible(state: Any) -> Any:
        return without_eyes(without(free_points(state), either(state[2], state[3])), state[2])

    @compiled
    def play(state: Any, move: Any) -> Any:
        mine, theirs, own, seen, others, known, tried, _, ko, passes, played, colour, _ = state
        if move == pass_:
            boards = theirs, mine, others, known, own, seen
            return *boards, nothing, nothing, nothing, passes + 1, played + 1, 1 - colour, False
        point = single(move)
        accepted, after, remaining, next_ko, _ = place(mine, theirs, point)
        if not is_empty(both(point, either(ko, either(mine, theirs)))):
            accepted = False
        if accepted:
            own, seen = without(own, point), without(seen, point)
        if is_empty(both(point, either(own, seen))):
            # The player who moves on the own board, and the other one.
            placing, facing = (own, seen) if accepted else (seen, own)
            possible, placing, facing, _, _ = place(placing, facing, point)
            own, seen = (placing, facing) if accepted else (facing, placing)
            if accepted and not possible:
                own = either(own, point)
                seen = without(seen, around(connected(point, own)))
        if not accepted:
            boards = mine, theirs, own, seen, others, known
            return *boards, either(tried, point), nothing, ko, passes, played, colour, True
        boards = remaining, after, others, known, own, seen
        return *boards, nothing, nothing, next_ko, int64(0), played + 1, 1 - colour, False

    @compiled
    def begin(state: Any, key: Any, step: Any) -> Any:
        left = length - state[10]
        return begin_stones(state[0], state[1], state[8], state[11], state[9], left, step)

    # A view is (own board: own stones, the other's; points refused in this turn, a point assumed
    # to be empty; moves played, colour to move, whether a try was just refused).

    @compiled
    def view(state: Any, colour: Any) -> Any:
        _, _, own, seen, others, known, tried, empty, _, _, played, to_move, again = state
        if colour == to_move:
            return own, seen, tried, empty, played, to_move, again
        return others, known, nothing, nothing, played, to_move, False

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        own, seen, tried, empty, played, colour, again = view
        places = without(points, either(either(own, seen), either(tried, empty)))
        most = max((played + 1) // 2 - count(seen), int64(0))
        theirs = seen
        for _ in range(MOST_DRAWN):
            some, step = half(places, key, step)
            hidden, step = draw(places, min(int64(count(some)), most), key, step)
            theirs = either(seen, hidden)
            if all_live(own, theirs):
                break
        boards = own, theirs, own, seen, theirs, nothing
        return (*boards, tried, empty, nothing, int64(0), played, colour, again), step

    @compiled
    def assume(view: Any, move: Any) -> Any:
        own, seen, tried, empty, played, colour, again = view
        if move != pass_:
            empty = either(empty, single(move))
        return own, seen, tried, empty, played, colour, again

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        again, ended = after[12], after[9] == 2
        if colour == before[11]:
            return int64(2 * move + 2 + int64(again or ended))
        return int64(-1) if again else int64(ended)

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        own, other = (state[2], state[3]) if state[11] == colour else (state[4], state[5])
        black, white = (own, other) if colour == 0 else (other, own)
        write_cells(black, white, out)

    how_to_move = (
        "A move is the point of a stone, such as C3, or pass. You do not see the other's stones, "
        "and nobody tells you of captures and passes. An illegal try is refused, and you try "
        "again: your board then shows a stone there. Two passes end the game: the larger area "
        "wins, and White has komi."
    )
    turn = Turn(start, mover, is_over, free_points, sensible, play, begin)
    # Each point can be refused once a turn.
    plies = length * (geometry.size**2 + 1)
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
