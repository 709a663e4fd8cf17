"""UCT: Monte Carlo tree search with UCB1 and uniformly random playouts (Kocsis, Szepesvari 2006).

Each simulation walks down the tree by the upper confidence bound, adds one node, plays random
moves to the end and adds the result to the nodes on its path. Untried moves come before tried ones,
in random order. The player plays the move with most visits, then most points, then the one tried
first. So the seed breaks ties, never the order of the moves on the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numba import int64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.core.lanes import meet
from seedfolio.core.randomness import below, move_key, simulation_key
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.rules import Parts
from seedfolio.players.interface import (
    Bound,
    Outlook,
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
    PATH,
    POINTS,
    ROOT_LOG,
    SIMULATIONS,
    VISITS,
    add,
    add_node,
    get,
    most_thought_of,
    most_visited,
    put,
    swap,
    thoughts_of,
    ucb_knobs,
)
from seedfolio.players.uct_leaf import bind_evaluating

# The workspace holds the nodes, the path of the current simulation, and the lists of moves. In a
# list the nodes of the moves that were tried come first.
PLAYOUT, EVALUATION = LEAVES = ("playout", "evaluation")
"""What gives the value of a leaf: a random game to the end, or the game's evaluation."""


@dataclass(frozen=True)
class Uct:
    """UCT with a number of simulations a move and an exploration constant."""

    simulations: int = 100
    exploration: Decimal = Decimal("1.4")
    leaf: str = PLAYOUT

    name: ClassVar[str] = "uct"
    version: ClassVar[int] = 1
    stochastic: ClassVar[bool] = False
    colours_apart: ClassVar[bool] = True
    thinking: ClassVar[str] = "simulations"
    ranges: ClassVar[tuple[str, ...]] = ("exploration=0.05..2",)
    summary: ClassVar[str] = "Monte Carlo tree search with UCB1 and random playouts"

    def __post_init__(self) -> None:
        check_between(self.name, "simulations", self.simulations, 1, MAX_SIMULATIONS)
        check_between(self.name, "exploration", self.exploration, 0, 100)
        if self.leaf not in LEAVES:
            raise SpecificationError(f"uct: leaf={self.leaf} is not one of {', '.join(LEAVES)}")

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        known = {"simulations": self.simulations, "exploration": self._exploration}
        # Studies from before there were evaluations do not name it.
        return known if self.leaf == PLAYOUT else {**known, "leaf": self.leaf}

    @property
    def text(self) -> str:
        """The short form that `load_player` takes."""
        default = Uct()
        extra = (
            "" if self.exploration == default.exploration else f",exploration={self._exploration}"
        )
        leaf = "" if self.leaf == default.leaf else f",leaf={self.leaf}"
        return f"uct:simulations={self.simulations}{extra}{leaf}"

    @property
    def _exploration(self) -> str:
        return plain_number(self.exploration)

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        if self.leaf == EVALUATION:
            return bind_evaluating(game, self.simulations, self.exploration)
        rules = game.rules
        check_open(game, self.name)
        if rules.repetition is not None:
            check_plain(game, self.name)
        choose = game.once(_bind_choose)
        path = FIELDS * (self.simulations + 1)
        # A path is no longer than a game, and a simulation makes it longer by one.
        lists = path + min(rules.max_plies, self.simulations + 1)
        return Bound(
            choose=choose,
            again=choose,
            knobs=ucb_knobs(self.simulations, path, self.exploration, rules.scale),
            # A simulation lists the moves of at most one node; a rollout needs scratch space after.
            workspace=lists + self.simulations * rules.max_moves + rules.room,
            largest=max(
                (path << _seat_bits(rules.seats)) + rules.seats - 1,
                lists + self.simulations * rules.max_moves,
                rules.scale * (self.simulations + 1),
            ),
            outlook=partial(_outlook, self.simulations) if rules.scale == 2 else None,
            thoughts=partial(_thoughts, self.simulations, rules.scale),
        )


def _outlook(simulations: int, tree: NDArray[np.int32], moves: int) -> Outlook:
    return most_thought_of(_thoughts(simulations, 2, tree))


def _thoughts(simulations: int, whole: int, tree: NDArray[np.int32]) -> list[Thought]:
    first, tried = int(tree[FIRST]), min(int(tree[COUNT]), simulations)
    return thoughts_of(tree, tree[first : first + tried], whole)


@compiled
def _best_bound(visits: Any, first: Any, end: Any, knobs: Any, tree: Any) -> Any:
    """Return the node of a list with the greatest upper confidence bound; the earliest if several.

    `visits` are those of its parent.
    """
    explore = get(knobs, ROOT_LOG + visits)
    pairs = ROOT_LOG + get(knobs, SIMULATIONS) + 2
    best, best_value = int64(0), int64(-1)
    for k in range(first, end):
        node = get(tree, k)
        pair = pairs + 2 * get(tree, node + VISITS)
        value = get(tree, node + POINTS) * get(knobs, pair)
        value += explore * get(knobs, pair + 1)
        if value > best_value:
            best_value = value
            best = node
    return best


def _seat_bits(seats: int) -> int:
    """Return how many bits of an entry of the path tell whose move it was."""
    return 1 if seats == 2 else 3


def _bind_choose(game: Game) -> Any:
    """Return `choose` over the rules of a game."""
    names = game.functions
    mover, play, score, moves = (names[each] for each in ("mover", "play", "result", "plausible"))
    begin, advance = names["begin_rollout"], names["advance_rollout"]
    is_over, rollout_score = names["rollout_is_over"], names["rollout_score"]
    # After a long random game with many branches, the threads of a warp would go on one by one.
    # Where random games are short, waiting for each other costs more than it saves.
    given = game.rules.rollout
    in_parts = isinstance(given, Parts) and given.meets
    recurs, share = names["recurs"], names["share"]
    bits = _seat_bits(game.rules.seats)
    seat_mask = (1 << bits) - 1
    longest = game.rules.max_plies

    @compiled
    def add_result(result: Any, depth: Any, path: Any, tree: Any) -> None:
        """Count a simulation and its points at the root and along its path.

        With more than two seats this is max^n: every seat wants the most points for itself.
        """
        add(tree, VISITS, 1)
        for k in range(path, path + depth):
            entry = get(tree, k)
            node = entry >> bits
            add(tree, node + VISITS, 1)
            add(tree, node + POINTS, share(result, entry & seat_mask))

    @compiled
    def descend(root: Any, random: Any, fresh: Any, used: Any, knobs: Any, tree: Any) -> Any:
        """Walk down and add one node, `fresh`; return (state, depth, step, used, result or -1).

        `used` is where the next list begins.
        """
        path = get(knobs, PATH)
        state = root
        node, depth, step = int64(0), int64(0), int64(0)
        while node < fresh:
            visits = get(tree, node + VISITS)
            if visits == 1:
                # Visited once before, by a playout: list its moves now.
                added = int64(moves(state, tree, used))
                put(tree, node + COUNT, added)
                put(tree, node + FIRST, used)
                used += added
            count = get(tree, node + COUNT)
            if count == 0:
                return state, depth, step, used, int64(score(state))
            first = get(tree, node + FIRST)
            # Every visit after the first tries one more move, until all are tried.
            tried = visits - 1
            if tried < count:
                place = first + tried
                drawn = place + below(random, step, count - tried)
                step += 1
                add_node(fresh, swap(place, drawn, tree), tree)
                put(tree, place, fresh)
                node = fresh
            else:
                node = _best_bound(visits, first, first + count, knobs, tree)
            # A node's points are those of the player whose move led to it.
            put(tree, path + depth, (node << bits) + mover(state))
            depth += 1
            state = play(state, get(tree, node + MOVE))
            if recurs(state, depth, tree):
                return state, depth, step, used, int64(1)
        return state, depth, step, used, int64(-1)

    @compiled
    def choose(root: Any, seed: Any, moment: Any, knobs: Any, tree: Any) -> Any:
        simulations, path = get(knobs, SIMULATIONS), get(knobs, PATH)
        key = move_key(seed, moment[0], moment[1])
        put(tree, VISITS, 1)
        simulation, depth = int64(0), int64(0)
        used = path + min(int64(longest), simulations + 1)
        random, under_way = key, False
        run = begin(root, random, int64(0))
        while simulation < simulations:
            if in_parts:
                meet()
            result = int64(-1)
            if not under_way:
                random = simulation_key(key, simulation)
                fresh = FIELDS * (simulation + 1)
                state, depth, step, used, result = descend(root, random, fresh, used, knobs, tree)
                under_way = result < 0
                run = begin(state, random, step)
            if under_way:
                run = advance(run, random, tree, used)
                if is_over(run):
                    result = int64(rollout_score(run))
            if result >= 0:
                add_result(result, depth, path, tree)
                under_way = False
                simulation += 1
        first = get(tree, FIRST)
        tried = min(get(tree, COUNT), simulations)
        return get(tree, most_visited(first, first + tried, tree) + MOVE)

    return choose
