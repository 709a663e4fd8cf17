"""Shared parts of the games with Go stones: the board as bit sets, captures, area, playouts, rules.

Point (row, column) has number row * (size + 1) + column. The extra column to the right of the
board has no points; it keeps neighbours from wrapping around the edge. In games with a pass, the
pass is the number after the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from numba import int64

from seedfolio.core.bits import BitSets, bit_sets, connected_by
from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import GO_LETTERS, Board, Point, permutation, square_symmetries
from seedfolio.games.rules import Parts, Rules, Symmetry

MOST_DRAWN = 8
"""How many boards are drawn at most to find one where all chains live; else the last is used."""
_TRIES_A_PART = 24
"""Chosen by measurement (docs/notes/gpu.md). It affects speed only, not the games."""


@dataclass(frozen=True)
class Geometry:
    """A Go board: its points and their neighbours. Functions are compiled."""

    size: int
    board: Board
    numbers: int
    """How many numbers there are for points, including the column without points."""
    sets: BitSets
    points: Any
    """All points, as a set."""
    around: Any
    """around(stones): the points next to any of `stones`."""
    connected: Any
    """connected(stones, own): `stones` and all of `own` that are connected to them."""
    write_cells: Any
    """write_cells(black, white, out): write the content of each cell to `out`."""

    @property
    def point_names(self) -> list[str]:
        """The name of each point; empty for a number without a point."""
        width = self.size + 1
        cells = (divmod(number, width) for number in range(self.numbers))
        return [self.board.cell_name(r, c) if c < self.size else "" for r, c in cells]

    def cells(self, mover: Callable[..., Any]) -> Callable[..., Any]:
        """Return `cells` of Rules for states that begin with the mover's stones and the other's."""
        write_cells = self.write_cells

        @compiled
        def cells(state: Any, out: Any) -> None:
            black, white = (state[0], state[1]) if mover(state) == 0 else (state[1], state[0])
            write_cells(black, white, out)

        return cells

    def symmetries(self, moves: int) -> list[Symmetry]:
        """Return the symmetries of `moves` moves; a move that is not a point stays as it is."""
        width = self.size + 1

        def image(turn: Callable[[Point], Point], move: int) -> int | None:
            row, column = divmod(move, width)
            if row == self.size or column == self.size:
                return None
            row, column = turn((row, column))
            return row * width + column

        return [
            Symmetry(name, permutation(moves, partial(image, turn)))
            for name, turn in square_symmetries(self.size).items()
        ]


@dataclass(frozen=True)
class Stones:
    """Functions that place, capture and count stones. All but `parts` and komi are compiled."""

    place: Any
    """place(mine, theirs, point): (legal, mine, theirs, ko, captured) after the owner of `mine`
    plays on an empty point that ko does not forbid. Suicide is not legal and changes nothing;
    `ko` is the point that ko forbids next, if any. All but `legal` are sets."""
    legal_points: Any
    """legal_points(mine, theirs, ko): where the owner of `mine` may play."""
    all_live: Any
    """all_live(mine, theirs): whether every chain has a liberty, as on any legal board."""
    without_eyes: Any
    """without_eyes(points, mine): the points with a neighbour that is not in `mine`."""
    draw: Any
    """draw(places, number, key, step): `number` of the places, drawn at random, and the next step.
    """
    score: Any
    """score(mine, theirs, colour): half points of Black by area; `mine` are stones of `colour`."""
    begin: Any
    """begin(mine, theirs, ko, colour, passes, left, step): a random game, to be played in parts.
    A player never fills its own one-point eye, and passes only if it has no other move. The game
    ends after two consecutive passes (`passes` were made before), after `left` moves, or after
    twice as many moves as there are points: without that, one game in eight on 9x9 would be an
    endless cycle of captures. When no other points remain, a player tries its refused points again,
    once a turn, but never the eyes of a chain that it met there with two or more eyes."""
    parts: Callable[[Callable[..., Any]], Parts]
    """parts(begin): such games as `Parts`, where begin(state, key, step) starts one."""
    komi: float


def go_geometry(size: int) -> Geometry:
    """Return the geometry of a square board of 5 to 9 lines; ValueError for others."""
    if not 5 <= size <= 9:
        raise ValueError(f"a board of {size}x{size} is not between 5x5 and 9x9")
    width = size + 1
    sets = bit_sets(size * width)
    both, either, up, down, has = sets.both, sets.either, sets.up, sets.down, sets.has
    points = sets.make(r * width + c for r in range(size) for c in range(size))

    @compiled
    def around(stones: Any) -> Any:
        sideways = either(up(stones, 1), down(stones, 1))
        return both(either(sideways, either(up(stones, width), down(stones, width))), points)

    @compiled
    def write_cells(black: Any, white: Any, out: Any) -> None:
        for row in range(size):
            for column in range(size):
                point = row * width + column
                out[row * size + column] = 1 if has(black, point) else 2 * int(has(white, point))

    return Geometry(
        size=size,
        board=Board(size, size, ".XO", GO_LETTERS, colours=("Black", "White")),
        numbers=size * width,
        sets=sets,
        points=points,
        around=around,
        connected=connected_by(sets, around),
        write_cells=write_cells,
    )


def go_stones(geometry: Geometry, komi: float) -> Stones:
    """Return the rules of stones; ValueError unless komi is a multiple of 0.5."""
    if not (2 * komi).is_integer():
        raise ValueError(f"komi={komi} is not a multiple of 0.5")
    double_komi = int(2 * komi)
    longest = 2 * geometry.size**2
    sets, points = geometry.sets, geometry.points
    around, connected = geometry.around, geometry.connected
    both, either, without, single = sets.both, sets.either, sets.without, sets.single
    count, pick, first, half = sets.count, sets.pick, sets.first, sets.half
    is_empty, same, several = sets.is_empty, sets.same, sets.several
    nothing = sets.make(())

    @compiled
    def grow(stones: Any, own: Any) -> Any:
        return either(stones, both(around(stones), own))

    @compiled
    def chains_captured(suspects: Any, alive: Any, theirs: Any) -> Any:
        """Return the chains of `suspects` that are not connected to stones in `alive`."""
        while True:
            grown = grow(alive, theirs)
            doubtful = without(suspects, grown)
            if is_empty(doubtful):
                return nothing
            if same(grown, alive):
                return connected(doubtful, theirs)
            alive = grown

    @compiled
    def has_liberty(chain: Any, own: Any, empty: Any) -> Any:
        while True:
            near = around(chain)
            if not is_empty(both(near, empty)):
                return True
            grown = either(chain, both(near, own))
            if same(grown, chain):
                return False
            chain = grown

    @compiled
    def place(mine: Any, theirs: Any, point: Any) -> Any:
        near = around(point)
        empty = without(points, either(point, either(mine, theirs)))
        open_ = around(empty)
        # Two steps from the stones with a liberty find nearly all living stones. They are always
        # taken: an unpredictable branch would cost more.
        alive = grow(grow(both(theirs, open_), theirs), theirs)
        suspects = without(both(near, theirs), alive)
        after = either(mine, point)
        if not is_empty(suspects):
            captured = chains_captured(suspects, alive, theirs)
            if not is_empty(captured):
                # Ko: a single stone captures a single stone, and has no other liberty.
                ko = nothing
                if not several(captured) and is_empty(both(near, either(mine, empty))):
                    ko = captured
                return True, after, without(theirs, captured), ko, captured
        safe = both(near, either(empty, both(mine, open_)))
        if is_empty(safe) and not has_liberty(point, after, empty):
            return False, mine, theirs, nothing, nothing
        return True, after, theirs, nothing, nothing

    @compiled
    def legal_points(mine: Any, theirs: Any, ko: Any) -> Any:
        empty = without(points, either(mine, theirs))
        legal = without(empty, ko)
        doubtful = without(legal, around(empty))
        while not is_empty(doubtful):
            point = single(first(doubtful))
            if not place(mine, theirs, point)[0]:
                legal = without(legal, point)
            doubtful = without(doubtful, point)
        return legal

    @compiled
    def all_live(mine: Any, theirs: Any) -> Any:
        open_ = around(without(points, either(mine, theirs)))
        if not same(connected(both(theirs, open_), theirs), theirs):
            return False
        return same(connected(both(mine, open_), mine), mine)

    @compiled
    def without_eyes(free: Any, mine: Any) -> Any:
        return both(free, around(without(points, mine)))

    @compiled
    def draw(places: Any, number: Any, key: Any, step: Any) -> Any:
        # Repeatedly draw a random subset. If it is not too large, take it; else draw further from
        # it alone. This treats all places alike, so all outcomes are equally likely.
        chosen = nothing
        while number > 0:
            some, step = half(places, key, step)
            taken = count(some)
            if taken <= number:
                chosen = either(chosen, some)
                places = without(places, some)
                number -= taken
            else:
                places = some
        return chosen, step

    @compiled
    def score(mine: Any, theirs: Any, colour: Any) -> Any:
        empty = without(points, either(mine, theirs))
        reach, reached = both(around(mine), empty), both(around(theirs), empty)
        # After a random game, empty regions are mostly single points, so this is seldom needed.
        if not is_empty(both(around(empty), empty)):
            reach, reached = connected(reach, empty), connected(reached, empty)
        lead = count(mine) + count(without(reach, reached))
        lead -= count(theirs) + count(without(reached, reach))
        margin = 2 * (lead if colour == 0 else -lead) - double_komi
        return int64(margin > 0) + int64(margin >= 0)

    @compiled
    def safe_eyes(point: Any, theirs: Any, empty: Any) -> Any:
        """Return the eyes of the chain around an eye if it has two or more, else nothing."""
        beside = around(point)
        if not is_empty(without(beside, theirs)):
            return nothing
        chain = connected(single(first(beside)), theirs)
        eyes = without(both(around(chain), empty), around(without(points, chain)))
        return eyes if several(eyes) else nothing

    # A random game in progress is (stones of the mover, stones of the other, the point that ko
    # forbids; points where the mover was refused, and where the other was; eyes that are hopeless
    # for the mover, and for the other; colour to move, passes, moves left, step, whether the mover
    # is trying its refused points again).

    @compiled
    def begin(
        mine: Any, theirs: Any, ko: Any, colour: Any, passes: Any, left: Any, step: Any
    ) -> Any:
        sets = mine, theirs, ko, nothing, nothing, nothing, nothing
        return *sets, int64(colour), int64(passes), int64(min(left, longest)), int64(step), False

    @compiled
    def is_over(run: Any) -> Any:
        return run[8] >= 2 or run[9] <= 0

    @compiled
    def advance(run: Any, key: Any, out: Any, at: Any) -> Any:
        mine, theirs, ko, refused, others, hopeless, for_other = run[:7]
        colour, passes, left, step, again = run[7:]
        for _ in range(_TRIES_A_PART):
            if passes >= 2 or left <= 0:
                break
            empty = without(points, either(mine, theirs))
            shunned = either(either(ko, refused), hopeless)
            free = without(without_eyes(empty, mine), shunned)
            turn_ends = False
            if not is_empty(free):
                point = single(pick(free, below(key, step, count(free))))
                step += 1
                turn_ends, mine, theirs, next_ko, _ = place(mine, theirs, point)
                if turn_ends:
                    passes, ko = int64(0), next_ko
                else:
                    refused = either(refused, point)
                    hopeless = either(hopeless, safe_eyes(point, theirs, empty))
            elif again or is_empty(refused):
                turn_ends = True
                passes, ko = passes + 1, nothing
            else:
                refused, again = nothing, True
            if turn_ends:
                mine, theirs = theirs, mine
                refused, others = others, refused
                hopeless, for_other = for_other, hopeless
                colour, left, again = 1 - colour, left - 1, False
        sets = mine, theirs, ko, refused, others, hopeless, for_other
        return *sets, colour, passes, left, step, again

    @compiled
    def run_score(run: Any) -> Any:
        return score(run[0], run[1], run[7])

    def parts(begin: Callable[..., Any]) -> Parts:
        return Parts(begin=begin, advance=advance, is_over=is_over, score=run_score)

    return Stones(
        place=place,
        legal_points=legal_points,
        all_live=all_live,
        without_eyes=without_eyes,
        draw=draw,
        score=score,
        begin=begin,
        parts=parts,
        komi=komi,
    )


@dataclass(frozen=True)
class Turn:
    """What games by area differ in. States begin with the mover's stones and the other's.

    Functions are compiled.
    """

    start: Any
    mover: Any
    is_over: Any
    free: Any
    """free(state): the points that the mover may try."""
    sensible: Any
    """sensible(state): those of them that a program without knowledge of the game considers."""
    play: Any
    begin: Any
    """begin(state, key, step): a random game from a state, by `Stones.begin`."""


def area_rules(
    geometry: Geometry, stones: Stones, turn: Turn, length: int, how_to_move: str
) -> Rules:
    """Return the rules of a game of at most `length` plies where one may pass, and area wins."""
    sets, area_score = geometry.sets, stones.score
    count, pick, is_empty, write = sets.count, sets.pick, sets.is_empty, sets.write
    mover, is_over, free, sensible = turn.mover, turn.is_over, turn.free, turn.sensible
    pass_ = geometry.numbers

    @compiled
    def moves(state: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return 0
        n = write(free(state), out, at)
        out[at + n] = pass_
        return n + 1

    @compiled
    def plausible(state: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return 0
        points = sensible(state)
        if is_empty(points):
            out[at] = pass_
            return 1
        return write(points, out, at)

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        if is_over(state):
            return int64(-1), step
        points = free(state)
        n = count(points)
        rank = below(key, step, n + 1)
        return (pick(points, rank) if rank < n else int64(pass_)), step + 1

    @compiled
    def score(state: Any) -> Any:
        return area_score(state[0], state[1], mover(state))

    return Rules(
        start=turn.start,
        mover=mover,
        moves=moves,
        play=turn.play,
        score=score,
        cells=geometry.cells(mover),
        random_move=random_move,
        rollout=stones.parts(turn.begin),
        plausible=plausible,
        move_names=[*geometry.point_names, "pass"],
        max_moves=geometry.size**2 + 1,
        max_plies=length,
        board=geometry.board,
        how_to_move=how_to_move,
        symmetries=geometry.symmetries(pass_ + 1),
        parameters={"komi": stones.komi},
    )


def go_turn(geometry: Geometry, stones: Stones, length: int) -> Turn:
    """Return the turn of Go, in games of at most `length` moves.

    A state is (stones of the mover, stones of the other, the point that ko forbids, number of
    consecutive passes, moves played, colour to move).
    """
    place, legal_points, without_eyes = stones.place, stones.legal_points, stones.without_eyes
    begin_stones, single = stones.begin, geometry.sets.single
    nothing = geometry.sets.make(())
    pass_ = geometry.numbers

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
    def free(state: Any) -> Any:
        return legal_points(state[0], state[1], state[2])

    @compiled
    def sensible(state: Any) -> Any:
        return without_eyes(free(state), state[0])

    @compiled
    def play(state: Any, move: Any) -> Any:
        mine, theirs, _, passes, played, colour = state
        if move == pass_:
            return theirs, mine, nothing, passes + 1, played + 1, 1 - colour
        _, mine, theirs, ko, _ = place(mine, theirs, single(move))
        return theirs, mine, ko, int64(0), played + 1, 1 - colour

    @compiled
    def begin(state: Any, key: Any, step: Any) -> Any:
        mine, theirs, ko, passes, played, colour = state
        return begin_stones(mine, theirs, ko, colour, passes, length - played, step)

    return Turn(start, mover, is_over, free, sensible, play, begin)
