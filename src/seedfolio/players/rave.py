"""RAVE: Monte Carlo tree search with rapid action value estimates, and its generalisation GRAVE.

A move is judged by the simulations that begin with it, as in UCT, and also by all simulations in
which the same player made it later (all moves as first, AMAF). Of a child with n visits and mean q,
whose move has the AMAF mean r from m simulations, the value is

    (1 - b) q + b r    with    b = m / (n + m + bias n m)

This is the schedule of minimum mean squared error (Gelly, Silver: Monte-Carlo tree search and rapid
action value estimation in computer Go, Artificial Intelligence 175, 2011), where bias is 4 times
the square of the presumed bias of r. AMAF counts are kept for each colour to move. With `grave`
above 0 they are those of the nearest node on the way to the root with at least that many visits,
else of the root (Cazenave: Generalized rapid action value estimation, IJCAI 2015); 0 is RAVE, where
each node has its own. With `exploration` above 0, c sqrt(ln N / (n + 1)) is added.

A move without any count comes before all others. The moves of a node are in random order, which
breaks ties. The player plays the move with most visits, then most points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.core.lanes import meet
from seedfolio.core.randomness import below, move_key, simulation_key
from seedfolio.games.game import Game
from seedfolio.players.fixedpoint import ucb_tables
from seedfolio.players.interface import (
    Bound,
    Thought,
    check_between,
    check_open,
    check_plain,
    plain_number,
)
from seedfolio.players.tree import (
    COUNT,
    FIELDS,
    FIRST,
    MAX_SIMULATIONS,
    MOVE,
    POINTS,
    VISITS,
    add,
    add_node,
    clear,
    get,
    put,
    swap,
    thoughts_of,
)

UNIT_BITS = 16
"""The bias is a multiple of 2**-16."""

# The workspace holds the nodes, their tables of AMAF counts, the path, what a random game leaves,
# and the lists of moves. In these the node of a move that was tried stands as a negative number.
# FIRST counts from where the lists begin, to be a small number.
_TABLE = FIELDS
"""The further field: the number of a node's table."""
_FIELDS = FIELDS + 1

# The knobs: sizes, and where things begin in the workspace; the parameters; from ROOT_LOG on the
# tables root_log and inverse_root of fixedpoint.ucb_tables.
(
    SIMULATIONS,
    NAMES,
    TABLES,
    PATH,
    MARKS,
    LISTS,
    LENGTH,
    MOVES,
    GRAVE,
    BIAS,
    SHIFT,
    ROOT_LOG,
) = range(12)


def value_bits(simulations: int) -> int:
    """Return how many bits after the point the value of a child has, so that nothing overflows."""
    # The numerator is at most 2 * simulations * (simulations + 2) units.
    return min(32, 62 - UNIT_BITS - (2 * simulations * (simulations + 2)).bit_length())


@compiled
def table_at(table: Any, knobs: Any) -> Any:
    """Return where a table of AMAF counts begins."""
    size = 2 * get(knobs, NAMES)
    return get(knobs, TABLES) + table * (2 * size if get(knobs, GRAVE) > 0 else size)


@compiled
def of_colour(table: Any, colour: Any, knobs: Any) -> Any:
    """Return where the counts of a colour begin in a table; RAVE needs those of the mover only."""
    return table + (2 * get(knobs, NAMES) * colour if get(knobs, GRAVE) > 0 else 0)


@compiled
def best_place(visits: Any, places: Any, counts: Any, knobs: Any, work: Any) -> Any:
    """Return the place in a list with the greatest value, the earliest if several.

    `places` are (first, end); `counts` is where the AMAF counts of their colour begin.
    """
    bias, shift = get(knobs, BIAS), get(knobs, SHIFT)
    explore = get(knobs, ROOT_LOG + visits)
    inverse_root = ROOT_LOG + get(knobs, SIMULATIONS) + 3
    best, best_value, whole = places[0], int64(-1), int64(1) << shift
    for k in range(places[0], places[1]):
        move, n, w = get(work, k), int64(0), int64(0)
        if move < 0:
            node = -move
            move, n, w = get(work, node + MOVE), get(work, node + VISITS), get(work, node + POINTS)
        amaf = counts + 2 * move
        m, r = get(work, amaf), get(work, amaf + 1)
        points, weight = r, 2 * m
        if n > 0:
            unit = int64(1) << UNIT_BITS
            points = w * (unit + bias * m) + r * unit
            weight = 2 * ((n + m) * unit + bias * n * m)
        elif m == 0:
            return k
        # A move is better only if its quotient is at least `least`: one product tells. No value
        # without exploration exceeds `whole`, and up to there the product does not overflow.
        scaled = uint64(points) << uint64(shift)
        extra = (explore * get(knobs, inverse_root + n + 1)) >> (32 - shift)
        least = max(best_value + 1 - extra, int64(0))
        if least <= whole and scaled >= uint64(least) * uint64(weight):
            best_value = int64(scaled // uint64(weight)) + extra
            best = k
    return best


@compiled
def list_moves(game: Any, stamp: Any, knobs: Any, work: Any) -> Any:
    """Sort the moves of a random game into the lists of both colours; return their lengths.

    `game` is (where its moves begin, how many there are).
    """
    marks, lists, length = get(knobs, MARKS), get(knobs, LISTS), get(knobs, LENGTH)
    first, second = int64(0), int64(0)
    for k in range(game[0], game[0] + game[1]):
        entry = get(work, k)
        if get(work, marks + entry) != stamp:
            put(work, marks + entry, stamp)
            at = lists + (first if entry & 1 == 0 else length + second)
            put(work, at, entry >> 1)
            first += 1 - (entry & 1)
            second += entry & 1
    return first, second


@compiled
def _count_amaf(counts: Any, first: Any, end: Any, points: Any, work: Any) -> None:
    """Count a simulation for the moves in a list."""
    for k in range(first, end):
        amaf = counts + 2 * get(work, k)
        add(work, amaf, 1)
        add(work, amaf + 1, points)


@compiled
def _count_table(table: Any, mover: Any, lengths: Any, result: Any, knobs: Any, work: Any) -> None:
    """Count a simulation in a node's table."""
    lists, length = get(knobs, LISTS), get(knobs, LENGTH)
    begin = table_at(table, knobs)
    grave = get(knobs, GRAVE) > 0
    if grave or mover == 0:
        counts = of_colour(begin, int64(0), knobs)
        _count_amaf(counts, lists, lists + lengths[0], result, work)
    if grave or mover == 1:
        counts = of_colour(begin, int64(1), knobs)
        second = lists + length
        _count_amaf(counts, second, second + lengths[1], 2 - result, work)


@compiled
def add_result(
    result: Any, depth: Any, mover: Any, lengths: Any, stamp: Any, knobs: Any, work: Any
) -> None:
    """Count a simulation along its path, from the leaf to the root.

    `mover` is the colour to move at the leaf; `lengths` are those of the lists.
    """
    path = get(knobs, PATH)
    lists, length, marks = get(knobs, LISTS), get(knobs, LENGTH), get(knobs, MARKS)
    first, second = lengths
    for above in range(depth):
        k = depth - 1 - above
        entry = get(work, path + k)
        node, colour = entry >> 1, entry & 1
        _count_table(get(work, node + _TABLE), mover, (first, second), result, knobs, work)
        add(work, node + VISITS, 1)
        add(work, node + POINTS, result if colour == 0 else 2 - result)
        move = get(work, node + MOVE)
        if get(work, marks + 2 * move + colour) != stamp:
            put(work, marks + 2 * move + colour, stamp)
            put(work, lists + (first if colour == 0 else length + second), move)
            first += 1 - colour
            second += colour
        mover = colour
    _count_table(int64(0), mover, (first, second), result, knobs, work)
    add(work, VISITS, 1)


@dataclass(frozen=True)
class Rave:
    """RAVE with a number of simulations a move; GRAVE if `grave` is above 0."""

    simulations: int = 1000
    grave: int = 0
    bias: Decimal = Decimal("0.01")
    exploration: Decimal = Decimal(0)

    name: ClassVar[str] = "rave"
    version: ClassVar[int] = 1
    version_with_repetition: ClassVar[int] = 2
    stochastic: ClassVar[bool] = False
    colours_apart: ClassVar[bool] = True
    thinking: ClassVar[str] = "simulations"
    ranges: ClassVar[tuple[str, ...]] = ("bias=0.0001..0.1",)
    summary: ClassVar[str] = "Monte Carlo tree search with rapid action value estimates"

    def __post_init__(self) -> None:
        check_between(self.name, "simulations", self.simulations, 1, MAX_SIMULATIONS)
        check_between(self.name, "grave", self.grave, 0, MAX_SIMULATIONS)
        check_between(self.name, "bias", self.bias, 0, 1)
        check_between(self.name, "exploration", self.exploration, 0, 100)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        return {
            "simulations": self.simulations,
            "grave": self.grave,
            "bias": plain_number(self.bias),
            "exploration": plain_number(self.exploration),
        }

    @property
    def text(self) -> str:
        """The short form that `load_player` takes."""
        given, usual = self.parameters, Rave().parameters
        changed = [name for name in given if name != "simulations" and given[name] != usual[name]]
        options = [f"{name}={given[name]}" for name in ("simulations", *changed)]
        return f"rave:{','.join(options)}"

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        rules = game.rules
        check_open(game, self.name)
        check_plain(game, self.name)
        choose = game.once(_bind_choose)
        knobs, size = self._knobs(game)
        return Bound(
            choose=choose,
            again=choose,
            knobs=knobs,
            workspace=size,
            largest=max(
                2 * int(knobs[TABLES]) + 1,
                self.simulations * rules.max_moves,
                2 * len(rules.move_names) + 1,
            ),
            thoughts=partial(_thoughts, int(knobs[MOVES])),
        )

    def _knobs(self, game: Game) -> tuple[Any, int]:
        """Return the knobs and the size of the workspace."""
        rules, names = game.rules, len(game.rules.move_names)
        tables = _FIELDS * (self.simulations + 1)
        path = tables + (self.simulations + 1) * 2 * names * (2 if self.grave else 1)
        marks = path + rules.max_plies
        lists = marks + 2 * names
        length = rules.max_plies + 1
        moves = lists + 2 * length
        reciprocal, inverse_root, root_log = ucb_tables(
            self.simulations + 2, self.exploration
        ).reshape(3, -1)
        del reciprocal
        header = np.array(
            [
                *(self.simulations, names, tables, path, marks, lists, length, moves),
                *(self.grave, int(self.bias * 2**UNIT_BITS), value_bits(self.simulations)),
            ],
            np.int64,
        )
        # A simulation lists the moves of at most one node; a random game needs room after them.
        size = moves + self.simulations * rules.max_moves + rules.room + rules.max_plies
        return np.concatenate([header, root_log, inverse_root]), size


def _thoughts(first: int, work: NDArray[np.int32]) -> list[Thought]:
    moves = work[first : first + int(work[COUNT])]  # a negative one is the node of a move
    return thoughts_of(work, -moves[moves < 0], 2)


@compiled
def _shuffle(first: Any, count: Any, draw: Any, work: Any) -> Any:
    """Put `count` numbers in random order; return the next step."""
    random, step = draw
    for k in range(count - 1):
        swap(first + k, first + k + below(random, step, count - k), work)
        step += 1
    return step


def _bind_choose(game: Game) -> Any:
    """Return `choose` over the rules of a game."""
    names = game.functions
    mover, play, score, moves = (names[each] for each in ("mover", "play", "score", "plausible"))
    trace, recurs = names["trace"], names["recurs"]

    @compiled
    def expand(node: Any, state: Any, draw: Any, used: Any, knobs: Any, work: Any) -> Any:
        """List the moves of a node; return (where the next list begins, the next step).

        `draw` is (key, step) of the next random number.
        """
        added = int64(moves(state, work, used))
        put(work, node + COUNT, added)
        put(work, node + FIRST, used - get(knobs, MOVES))
        return used + added, _shuffle(used, added, draw, work)

    @compiled
    def add_child(place: Any, number: Any, knobs: Any, work: Any) -> Any:
        """Begin the node of the move at a place of a list, with an empty table; return it."""
        node = _FIELDS * number
        add_node(node, get(work, place), work)
        put(work, place, -node)
        put(work, node + _TABLE, number)
        clear(table_at(number, knobs), table_at(number + 1, knobs), work)
        return node

    @compiled
    def descend(root: Any, random: Any, number: Any, used: Any, knobs: Any, work: Any) -> Any:
        """Walk down and add one node; return (state, depth, step, used, result or -1).

        `number` is that of the next node and its table, `used` is where the next list begins.
        """
        path = get(knobs, PATH)
        state = root
        node, depth, step, reference = int64(0), int64(0), int64(0), int64(0)
        while True:
            visits = get(work, node + VISITS)
            if visits == 0:
                return state, depth, step, used, int64(-1)
            if visits == 1:
                used, step = expand(node, state, (random, step), used, knobs, work)
            count = get(work, node + COUNT)
            if count == 0:
                return state, depth, step, used, int64(score(state))
            if visits >= get(knobs, GRAVE):
                reference = get(work, node + _TABLE)
            colour = int64(mover(state))
            counts = of_colour(table_at(reference, knobs), colour, knobs)
            first = get(knobs, MOVES) + get(work, node + FIRST)
            place = best_place(visits, (first, first + count), counts, knobs, work)
            node = -get(work, place)
            if node <= 0:
                node = add_child(place, number, knobs, work)
            put(work, path + depth, 2 * node + colour)
            depth += 1
            state = play(state, get(work, node + MOVE))
            if recurs(state, depth, work):
                return state, depth, step, used, int64(1)

    @compiled
    def most_visited(first: Any, end: Any, work: Any) -> Any:
        """Return the move with most visits, then most points, then the earliest in the list."""
        best, most, best_points = int64(-1), int64(0), int64(0)
        for k in range(first, end):
            node = -get(work, k)
            if node > 0:
                visits, points = get(work, node + VISITS), get(work, node + POINTS)
                if visits > most or (visits == most and points > best_points):
                    best, most, best_points = get(work, node + MOVE), visits, points
        return best

    @compiled
    def choose(root: Any, seed: Any, moment: Any, knobs: Any, work: Any) -> Any:
        marks = get(knobs, MARKS)
        key = move_key(seed, moment[0], moment[1])
        put(work, VISITS, 1)
        put(work, _TABLE, 0)
        clear(table_at(int64(0), knobs), table_at(int64(1), knobs), work)
        clear(marks, marks + 2 * get(knobs, NAMES), work)
        used = get(knobs, MOVES)
        for simulation in range(get(knobs, SIMULATIONS)):
            # After a random game with many branches, the threads of a warp would go on one by one.
            meet()
            random = simulation_key(key, simulation)
            number = int64(simulation + 1)
            state, depth, step, used, result = descend(root, random, number, used, knobs, work)
            lengths = int64(0), int64(0)
            if result < 0:
                points, count = trace(state, random, step, work, used)
                result = int64(points)
                lengths = list_moves((used, int64(count)), number, knobs, work)
            add_result(result, depth, int64(mover(state)), lengths, number, knobs, work)
        first = get(knobs, MOVES)  # the root's list is the first
        return most_visited(first, first + get(work, COUNT), work)

    return choose
