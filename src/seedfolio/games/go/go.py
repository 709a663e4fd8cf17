"""Go on small boards: area scoring, simple ko, suicide forbidden.

A move is a legal point or a pass. The game ends after two consecutive passes, or after
3 * size * size moves, passes included. The limit is needed because there is no superko, so
positions may repeat. The score is by area: stones, and empty regions that touch only one colour.
All stones on the board count as alive, so capture dead stones before you pass. White has komi. If
komi is a whole number, draws are possible. Black moves first.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.go.stones import go_geometry, go_stones
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

KOMI = {5: 5.5, 6: 4.5, 7: 4.5, 8: 4.5, 9: 4.5}
"""By size of the board. With it Black wins about half the games of uct:simulations=100."""


@game("go", version=1, summary="Go on a small board, counted by area")
def go(size: int = 7, komi: float | None = None) -> Rules:
    """Return the rules on a square board of 5 to 9 lines.

    A move is a point of `go_board`, or the pass. A rollout never fills a one-point eye.
    """
    geometry = go_geometry(size)
    komi = KOMI[size] if komi is None else komi
    stones = go_stones(geometry, komi)
    sets, write, write_cells = geometry.sets, geometry.write, geometry.write_cells
    place, legal_points, without_eyes = stones.place, stones.legal_points, stones.without_eyes
    area_score, begin_stones = stones.score, stones.begin
    single, count, pick, is_empty = sets.single, sets.count, sets.pick, sets.is_empty
    nothing = sets.make(())
    pass_ = geometry.numbers
    length = 3 * size * size

    # A state is (stones of the mover, stones of the other, the point that ko forbids, number of
    # consecutive passes, moves played, colour to move).

    @compiled
    def start() -> Any:
        return nothing, nothing, nothing, int64(0), int64(0), int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[5]

    @compiled
    def is_over(state: Any) -> Any:
        return state[3] == 2 or state[4] == length

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return 0
        n = write(legal_points(state[0], state[1], state[2]), out, at)
        out[at + n] = pass_
        return n + 1

    @compiled
    def plausible(state: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return 0
        free = without_eyes(legal_points(state[0], state[1], state[2]), state[0])
        if is_empty(free):
            out[at] = pass_
            return 1
        return write(free, out, at)

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return int64(-1), step
        legal = legal_points(state[0], state[1], state[2])
        n = count(legal)
        rank = below(key, step, n + 1)
        return (pick(legal, rank) if rank < n else int64(pass_)), step + 1

    @compiled
    def play(state: Any, move: Any) -> Any:
        mine, theirs, _, passes, played, colour = state
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
        return begin_stones(mine, theirs, ko, colour, passes, length - played, step)

    @compiled
    def cells(state: Any, out: Any) -> None:
        black, white = (state[0], state[1]) if state[5] == 0 else (state[1], state[0])
        write_cells(black, white, out)

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
        move_names=[*geometry.point_names, "pass"],
        max_moves=size * size + 1,
        max_plies=length,
        board=geometry.board,
        how_to_move=(
            "A move is the point of a stone, such as C3, or pass. Chains without a free "
            "neighbour are captured. Two passes end the game: the larger area wins, and White "
            "has komi."
        ),
        symmetries=geometry.symmetries(pass_ + 1),
        parameters={"komi": komi},
    )
