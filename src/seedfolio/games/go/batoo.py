"""Batoo, simplified: Go in which both players first place stones in secret.

The rules:

- The base build: each player chooses `base` different points for stones, without seeing the
  other's choice. Black chooses first, but its stones stay hidden until White has chosen too; White
  knows only that Black has chosen.
- Then all base stones are shown and put on the board. Where both players chose the same point, both
  stones are removed. Then all stones without a liberty are removed, of both colours at once.
- From here on the rules are those of `go`: Black moves first, area scoring, simple ko, suicide
  forbidden. The game ends after two consecutive passes, or after 3 * size * size moves (passes
  count, base stones do not). White has komi.

The original Batoo is played on 11x11, has points with a bonus, and lets each player place one
stone that the other cannot see. The papers omit the hidden stone, play on 9x9, and do not say how
many base stones there are. The original has three.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below, fold
from seedfolio.games.go.stones import area_rules, go_geometry, go_stones, go_turn
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

KOMI = 3.5
"""With this komi Black wins about half the games of flat:playouts=100, on boards of any size."""

_BOTH = 3
"""In `cells`: a point that both players have chosen, before they know it."""


@game("batoo", version=1, summary="Go after a choice of stones in private")
def batoo(size: int = 9, base: int = 3, komi: float | None = None) -> Rules:
    """Return the rules on a square board of 5 to 9 lines.

    A move is a point of `go_board`, or the pass.
    """
    geometry = go_geometry(size)
    if not 1 <= base <= size:
        raise ValueError(f"base={base} is not between 1 and {size}, the size of the board")
    stones = go_stones(geometry, KOMI if komi is None else komi)
    sets, points = geometry.sets, geometry.points
    around, connected, write = geometry.around, geometry.connected, sets.write
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    count, pick, is_empty = sets.count, sets.pick, sets.is_empty
    nothing = sets.make(())
    chosen = 2 * base
    length = chosen + 3 * size * size

    # A state is that of Go, whose moves include those of the base build. In the base build a player
    # chooses among the points that it has not chosen.

    go = go_turn(geometry, stones, length)
    go_play, begin_go = go.play, go.begin

    @compiled
    def is_building(state: Any) -> Any:
        return state[4] < chosen

    @compiled
    def with_liberties(own: Any, empty: Any) -> Any:
        """Return the stones of all chains of `own` that have a liberty."""
        return connected(both(own, around(empty)), own)

    @compiled
    def shown(black: Any, white: Any) -> Any:
        """Return the base stones that remain on the board."""
        black, white = without(black, white), without(white, black)
        empty = without(points, either(black, white))
        return with_liberties(black, empty), with_liberties(white, empty)

    @compiled
    def play(state: Any, move: Any) -> Any:
        mine, theirs, _, passes, played, colour = state
        if is_building(state):
            mine = either(mine, single(move))
            if played + 1 == base:
                return theirs, mine, nothing, passes, played + 1, int64(1)
            if played + 1 == chosen:
                black, white = shown(theirs, mine)
                return black, white, nothing, passes, played + 1, int64(0)
            return mine, theirs, nothing, passes, played + 1, colour
        return go_play(state, move)

    @compiled
    def begin(state: Any, key: Any, step: Any) -> Any:
        mine, theirs, ko, passes, played, colour = state
        while played < chosen:
            free = without(points, mine)
            mine = either(mine, single(pick(free, below(key, step, count(free)))))
            step += 1
            played += 1
            if played % base == 0:
                mine, theirs, colour = theirs, mine, 1 - colour
            if played == chosen:
                mine, theirs = shown(mine, theirs)
        return begin_go((mine, theirs, ko, passes, played, colour), key, step)

    how_to_move = (
        "A move is the point of a stone, such as C3, or pass. First both players choose their base "
        "stones in secret; then it is Go. Two passes end the game: the larger area wins, and White "
        "has komi."
    )
    turn = replace(go, play=play, begin=begin)
    rules = area_rules(geometry, stones, turn, length, how_to_move)
    go_moves, write_stones = rules.moves, rules.cells
    go_plausible: Any = rules.plausible
    go_random_move: Any = rules.random_move

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if is_building(state):
            return write(without(points, state[0]), out, at)
        return go_moves(state, out, at)

    @compiled
    def plausible(state: Any, out: Any, at: Any) -> Any:
        if is_building(state):
            return write(without(points, state[0]), out, at)
        return go_plausible(state, out, at)

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if is_building(state):
            free = without(points, state[0])
            return pick(free, below(key, step, count(free))), step + 1
        return go_random_move(state, key, step, out, at)

    # A view is a state, without the other's stones during the base build. The number of stones
    # that the other has chosen is known: it follows from the moves played.

    @compiled
    def view(state: Any, colour: Any) -> Any:
        mine, theirs, ko, passes, played, to_move = state
        if not is_building(state):
            return mine, theirs, ko, passes, played, to_move
        if colour == to_move:
            return mine, nothing, ko, passes, played, to_move
        return nothing, theirs, ko, passes, played, to_move

    @compiled
    def complete(view: Any, key: Any, step: Any) -> Any:
        mine, theirs, ko, passes, played, colour = view
        if played < chosen and colour == 1:
            for _ in range(base):
                free = without(points, theirs)
                theirs = either(theirs, single(pick(free, below(key, step, count(free)))))
                step += 1
        return (mine, theirs, ko, passes, played, colour), step

    @compiled
    def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
        if not is_building(before):
            return int64(move)
        own = colour == before[5]
        if is_building(after):
            return int64(move) if own else int64(0)
        # Both see all chosen stones. They do not fit in one number, so the event is a hash.
        hashed = uint64(move if own else 0)
        revealed = before[1] if own else either(before[0], single(move))
        while not is_empty(revealed):
            point = pick(revealed, 0)
            hashed = fold(hashed, point)
            revealed = without(revealed, single(point))
        return int64(hashed >> uint64(1))

    @compiled
    def cells(state: Any, out: Any) -> None:
        write_stones(state, out)
        twice = both(state[0], state[1])
        for cell in range(size * size):
            point = single(cell // size * (size + 1) + cell % size)
            if not is_empty(both(twice, point)):
                out[cell] = _BOTH

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        cells(view(state, colour), out)

    return replace(
        rules,
        moves=moves,
        plausible=plausible,
        random_move=random_move,
        cells=cells,
        view=view,
        event=event,
        complete=complete,
        cells_seen=cells_seen,
        board=replace(geometry.board, glyphs=".XO#"),
        player="flat:playouts=100",
    )
