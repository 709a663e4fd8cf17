"""Atari-Go (capture Go): Go in which the first capture wins.

Stones and liberties are as in Go. Passing is not allowed. Suicide is illegal unless it captures.
A player without a legal move loses (all its moves would be suicide). There are no draws, and no
ko, because the first capture ends the game. Black moves first.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.go.stones import go_geometry
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, StaticEvaluation


@game("atari-go", version=1, summary="Go in which the first capture wins")
def atari_go(size: int = 7) -> Rules:
    """Return the rules on a square board of 5 to 9 lines. A move is a point of `go_board`."""
    geometry = go_geometry(size)
    sets, points = geometry.sets, geometry.points
    around, connected, write = geometry.around, geometry.connected, sets.write
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    up, down, count, pick, first = sets.up, sets.down, sets.count, sets.pick, sets.first
    is_empty, same, several = sets.is_empty, sets.same, sets.several
    nothing = sets.make(())
    width = size + 1

    @compiled
    def chain_in_atari(stone: Any, own: Any, empty: Any) -> Any:
        """Return the chain of `own` stones through `stone` if it has one liberty, else nothing."""
        chain = stone
        while True:
            near = around(chain)
            if several(both(near, empty)):
                return nothing
            grown = either(chain, both(near, own))
            if same(grown, chain):
                return chain
            chain = grown

    # A state is (stones of the mover, stones of the other, stones in atari, legal moves, colour to
    # move). A chain in atari has one liberty. No chain has zero: the first capture ends the game.
    # The stones in atari decide all captures and suicides. A move changes them only for its own
    # chain and the neighbouring chains, so `play` looks at no others.

    @compiled
    def start() -> Any:
        return nothing, nothing, nothing, points, int64(0)

    @compiled
    def mover(state: Any) -> Any:
        return state[4]

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        return write(state[3], out, at)

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        free = state[3]
        n = count(free)
        if n == 0:
            return int64(-1), step
        return pick(free, below(key, step, n)), step + 1

    @compiled
    def beside_empty(empty: Any) -> Any:
        """Return the points with an empty neighbour, and those with two or more."""
        above, under = up(empty, width), down(empty, width)
        right, left = up(empty, 1), down(empty, 1)
        vertical, horizontal = either(above, under), either(right, left)
        opposite = either(both(above, under), both(right, left))
        return either(vertical, horizontal), either(opposite, both(vertical, horizontal))

    @compiled
    def atari_after(atari: Any, point: Any, ours: Any, theirs: Any, empty: Any, roomy: Any) -> Any:
        """Return the stones in atari after a move of `ours` on `point` that captured nothing."""
        beside = around(point)
        saved = both(both(beside, ours), atari)
        if not is_empty(saved):
            atari = without(atari, connected(saved, both(ours, atari)))
        # A stone with two empty neighbours is not in atari, nor is its chain.
        suspects = without(either(point, both(beside, theirs)), roomy)
        while not is_empty(suspects):
            suspect = single(first(suspects))
            own = ours if same(suspect, point) else theirs
            atari = either(atari, chain_in_atari(suspect, own, empty))
            suspects = without(suspects, suspect)
        return atari

    @compiled
    def play(state: Any, move: Any) -> Any:
        ours, theirs, atari, _, colour = state
        point = single(move)
        ours = either(ours, point)
        if not is_empty(both(around(point), both(theirs, atari))):
            return theirs, ours, atari, nothing, 1 - colour
        empty = without(points, either(ours, theirs))
        open_, roomy = beside_empty(empty)
        atari = atari_after(atari, point, ours, theirs, empty, roomy)
        # A move on a point without empty neighbours is legal if it captures a chain in atari, or
        # joins a chain that is not in atari. Otherwise it is suicide. `theirs` move next.
        support = either(both(ours, atari), without(theirs, atari))
        legal = both(empty, either(open_, around(support)))
        return theirs, ours, atari, legal, 1 - colour

    @compiled
    def score(state: Any) -> Any:
        # The player to move has lost: its stones were captured, or it has no legal move.
        return 2 * state[4]

    @compiled
    def terms(state: Any, out: Any, at: Any) -> None:
        own, other, atari, legal, _ = state
        empty = without(points, either(own, other))
        out[at] = count(both(around(own), empty)) - count(both(around(other), empty))
        out[at + 1] = count(both(own, atari))
        # The mover can capture these at once.
        out[at + 2] = count(both(other, atari))
        out[at + 3] = count(both(legal, empty))
        out[at + 4] = 1

    @compiled
    def loud(state: Any, out: Any, at: Any) -> Any:
        """Write the moves that capture, and so win."""
        _own, other, atari, legal, _ = state
        if is_empty(legal):
            return int64(-1)
        return write(both(legal, around(both(other, atari))), out, at)

    @compiled
    def gain(state: Any, move: Any) -> Any:
        """Prefer captures, then liberties of chains in atari, then points beside stones."""
        own, other, atari, _, _ = state
        beside = around(single(move))
        captures = 0 if is_empty(both(beside, both(other, atari))) else 4
        saves = 0 if is_empty(both(beside, both(own, atari))) else 2
        return captures + saves + (0 if is_empty(both(beside, either(own, other))) else 1)

    weights = {"liberties": 20, "in atari": -60, "can capture": 900, "moves": 1, "to move": 20}
    evaluation = StaticEvaluation(terms=terms, weights=weights, scale=400, loud=loud, gain=gain)
    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=geometry.cells(mover),
        random_move=random_move,
        evaluation=evaluation,
        move_names=geometry.point_names,
        max_moves=size * size,
        max_plies=size * size,
        board=geometry.board,
        how_to_move=(
            "A move is the point of a stone: C3. Chains without a free neighbour are captured. "
            "The first to capture wins."
        ),
        symmetries=geometry.symmetries(geometry.numbers),
    )
