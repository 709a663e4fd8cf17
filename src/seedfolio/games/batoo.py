"""Batoo, simplified: Go that begins with stones chosen in private.

The rules:

- First each player chooses `base` different points for stones, without seeing the other's choice:
  the base build. Black's are played first but stay hidden until White has chosen, too; White knows
  only that a choice was made.
- Then both are shown, and put on the board. Where both chose the same point, both stones are
  removed. Stones that then stand without a liberty are removed as well, of both colours at once.
- From there on it is `go`: Black moves first, area scoring, simple ko, suicide forbidden. The game
  ends when two passes follow each other, or after 3 * size * size moves, passes included and base
  stones not. White has komi.

Batoo proper is played on 11x11, gives bonus points on some of them, and lets each player put down
one stone that the other cannot see. The papers leave the hidden stone out, play on 9x9, and do not
say how many base stones there are; three is Batoo's own number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below, fold
from seedfolio.games.go_board import go_geometry, go_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

KOMI = 3.5
"""With it flat Monte Carlo, 100 playouts a move, wins about half its games as Black, on any board.
"""

_BOTH = 3
"""On the drawing, a point that both players have chosen, before they know."""


@game("batoo", version=1, summary="Go after a choice of stones in private")
def batoo(size: int = 9, base: int = 3, komi: float | None = None) -> Rules:
    """Return the rules on a square board of 5 to 9 lines.

    A move is a point of `go_board`, or the pass.
    """
    geometry = go_geometry(size)
    if not 1 <= base <= size:
        raise ValueError(f"base={base} is not between 1 and {size}, the size of the board")
    komi = KOMI if komi is None else komi
    stones = go_stones(geometry, komi)
    sets, points = geometry.sets, geometry.points
    around, connected = geometry.around, geometry.connected
    write, write_cells = geometry.write, geometry.write_cells
    place, legal_points, without_eyes = stones.place, stones.legal_points, stones.without_eyes
    area_score, begin_stones = stones.score, stones.begin
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    count, pick, is_empty = sets.count, sets.pick, sets.is_empty
    nothing = sets.make(())
    pass_ = geometry.numbers
    chosen = 2 * base
    length = chosen + 3 * size * size

    # A state is (stones of the mover, stones of the other, the point that ko forbids, how many
    # passes came last, moves played with those of the base build, colour to move).

    @compiled
    def start() -> Any:
        return nothing, nothing, nothing, int64(0), int64(0), int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[5]

    @compiled
    def is_building(state: Any) -> Any:
        return state[4] < chosen

    @compiled
    def is_over(state: Any) -> Any:
        return state[3] == 2 or state[4] == length

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if is_building(state):
            return write(without(points, state[0]), out, at)
        if is_over(state):
            return 0
        n = write(legal_points(state[0], state[1], state[2]), out, at)
        out[at + n] = pass_
        return n + 1

    @compiled
    def plausible(state: Any, out: Any, at: Any) -> Any:
        if is_building(state):
            return write(without(points, state[0]), out, at)
        if is_over(state):
            return 0
        free = without_eyes(legal_points(state[0], state[1], state[2]), state[0])
        if is_empty(free):
            out[at] = pass_
            return 1
        return write(free, out, at)

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if is_building(state):
            free = without(points, state[0])
            return pick(free, below(key, step, count(free))), step + 1
        if is_over(state):
            return int64(-1), step
        legal = legal_points(state[0], state[1], state[2])
        n = count(legal)
        rank = below(key, step, n + 1)
        return (pick(legal, rank) if rank < n else int64(pass_)), step + 1

    @compiled
    def with_liberties(own: Any, empty: Any) -> Any:
        """Return the stones of all chains of `own` that have a liberty."""
        return connected(both(own, around(empty)), own)

    @compiled
    def shown(black: Any, white: Any) -> Any:
        """Return what is left of both base builds on the board."""
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
        if move == pass_:
            return theirs, mine, nothing, passes + 1, played + 1, 1 - colour
        _, mine, theirs, ko, _ = place(mine, theirs, single(move))
        return theirs, mine, ko, int64(0), played + 1, 1 - colour

    @compiled
    def score(state: Any) -> Any:
        return area_score(state[0], state[1], state[5])

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
        return begin_stones(mine, theirs, ko, colour, passes, length - played, step)

    # A view is a state without the other's stones while there is building. How many the other has
    # chosen is known: it follows from the moves played.

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
        # Both see all that was chosen, too much for a number: a hash of it takes its place.
        hashed = uint64(move if own else 0)
        revealed = before[1] if own else either(before[0], single(move))
        while not is_empty(revealed):
            point = pick(revealed, 0)
            hashed = fold(hashed, point)
            revealed = without(revealed, single(point))
        return int64(hashed >> uint64(1))

    @compiled
    def cells(state: Any, out: Any) -> None:
        black, white = (state[0], state[1]) if state[5] == 0 else (state[1], state[0])
        write_cells(black, white, out)
        twice = both(black, white)
        for cell in range(size * size):
            point = single(cell // size * (size + 1) + cell % size)
            if not is_empty(both(twice, point)):
                out[cell] = _BOTH

    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        cells(view(state, colour), out)

    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        random_move=random_move,
        parts=stones.parts(begin),
        plausible=plausible,
        view=view,
        event=event,
        complete=complete,
        cells_seen=cells_seen,
        move_names=[*geometry.point_names, "pass"],
        max_moves=size * size + 1,
        max_plies=length,
        board=replace(geometry.board, glyphs=".XO#"),
        symmetries=geometry.symmetries(pass_ + 1),
        parameters={"komi": komi},
        player="flat:playouts=100",
    )
