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
from seedfolio.games.go.stones import go_geometry, go_stones
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

    # A state is (stones of the mover, stones of the other, the point that ko forbids, number of
    # consecutive passes, moves played including the base build, colour to move).

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
        how_to_move=(
            "A move is the point of a stone, such as C3, or pass. First both players choose "
            "their base stones in secret; then it is Go. Two passes end the game: the larger "
            "area wins, and White has komi."
        ),
        symmetries=geometry.symmetries(pass_ + 1),
        parameters={"komi": komi},
        player="flat:playouts=100",
    )
