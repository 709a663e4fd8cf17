"""UCT whose leaves are evaluated, not played out: `uct:leaf=evaluation`.

The value of a leaf is its success by the game's evaluation, after loud moves are played out (see
`players.lookahead`), in 256ths of a half point. A node tries its children one by one, the most
promising first and equal ones in random order, and more of them the more often it is visited: so
that the tree is deep rather than wide. It stays small: a simulation has room to list 16 moves, and
a node that finds no more room remains a leaf.

The mean of all simulations is slow to see that one reply refutes a move. So each node also keeps
the value of its best child, and the bound takes the mean of both (implicit minimax backups:
Lanctot, Winands, Pepels, Sturtevant 2014).
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache, partial
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, merged
from seedfolio.core.lanes import meet
from seedfolio.core.randomness import mix, move_key, simulation_key
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound, Outlook, Thought
from seedfolio.players.lookahead import (
    QUIET,
    WIN,
    Layout,
    bind_search,
    bind_weights,
    evaluation_of,
    no_gain,
)
from seedfolio.players.tree import (
    COUNT,
    FIELDS,
    FIRST,
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

_ROOM = 16
"""How many moves a simulation has room to list, on average."""
POINT = 256
"""A half point."""
_WHOLE = 2**32 // (2 * POINT)
"""What makes of half points in 256ths a success in units of 2**-32."""
_STEPS = 64
"""The steps of the table of successes for a sum of the evaluation's scale."""
_SPAN = 3 * _STEPS
"""The table goes from this far below an even game to this far above."""
EXPLORATION = Decimal("0.25")
"""Evaluations differ less than results of random games, so this much of the exploration is
enough."""

# The workspace holds what the search of a leaf needs, and then the same as in `players.uct`. COUNT
# is -1 for a node whose moves are not listed yet. TRIED of them have nodes. EVALUATED is the value
# as a leaf, BEST that of the best line below; both, like POINTS, for the player whose move led to
# the node.
_TRIED, _EVALUATED, _BEST = FIELDS, FIELDS + 1, FIELDS + 2
_FIELDS = FIELDS + 3
# The knobs are those of `ucb_knobs`, and the table of successes.


@cache
def successes() -> NDArray[np.int64]:
    """Return the half points, in 256ths, for evaluations from -_SPAN to _SPAN steps.

    Made once: it takes longer than a move by a short clock may.
    """
    with localcontext() as context:
        context.prec = 40
        return np.array(
            [
                int(2 * POINT / (1 + Decimal(10) ** (-Decimal(step) / _STEPS)) + Decimal("0.5"))
                for step in range(-_SPAN, _SPAN + 1)
            ],
            np.int64,
        )


def bind_evaluating(game: Game, simulations: int, exploration: Decimal) -> Bound:
    """Return UCT with evaluated leaves, for one game."""
    evaluation = evaluation_of(game, "uct:leaf=evaluation")
    most = game.rules.max_moves
    # What a leaf needs comes first: so the code does not depend on the size of the tree.
    layout = Layout(
        base=0,
        terms=len(evaluation.weights),
        plies=QUIET + 1,
        moves=most,
        state=game.state_size,
    )
    choose = game.once(_bind_choose, layout)
    path = layout.end + _FIELDS * (simulations + 1)
    lists = path + min(game.rules.max_plies, simulations + 1)
    knobs = ucb_knobs(simulations, path, exploration * EXPLORATION)
    return Bound(
        choose=choose,
        again=choose,
        knobs=np.concatenate([knobs, successes()]),
        workspace=lists + most + _ROOM * simulations,
        outlook=partial(_outlook, layout.end),
        thoughts=partial(_thoughts, layout.end),
    )


def _outlook(root: int, tree: NDArray[np.int32], moves: int) -> Outlook:
    return most_thought_of(_thoughts(root, tree))


def _thoughts(root: int, tree: NDArray[np.int32]) -> list[Thought]:
    first, tried = int(tree[root + FIRST]), int(tree[root + _TRIED])
    return thoughts_of(tree, tree[first : first + tried], 2 * POINT)


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
        mean = (get(tree, node + POINTS) * get(knobs, pair)) // POINT
        value = (mean + get(tree, node + _BEST) * _WHOLE) >> 1
        value += explore * get(knobs, pair + 1)
        if value > best_value:
            best, best_value = node, value
    return best


def _bind_choose(game: Game, layout: Layout) -> Any:
    names, evaluation = game.functions, evaluation_of(game, "uct:leaf=evaluation")
    mover, play, score, moves = (names[each] for each in ("mover", "play", "score", "plausible"))
    recurs = names["recurs"]
    gain = evaluation.gain or no_gain
    write_weights = bind_weights(evaluation)
    search = bind_search(game, evaluation, layout)
    top, scale = layout.end, evaluation.scale
    longest = game.rules.max_plies

    @compiled
    def lists_at(knobs: Any) -> Any:
        """Return where the first list begins: after a path of the greatest length."""
        return get(knobs, PATH) + min(int64(longest), get(knobs, SIMULATIONS) + 1)

    @compiled
    def draw_best(state: Any, first: Any, end: Any, random: Any, tree: Any) -> Any:
        """Swap the most promising of the untried moves to the front and return it.

        Lots decide between equals.
        """
        best, best_gain, best_lot = first, int64(-1), uint64(0)
        for k in range(first, end):
            move = get(tree, k)
            found = int64(gain(state, move))
            if found >= best_gain:
                lot = mix(random ^ uint64(move + 1))
                if found > best_gain or lot > best_lot:
                    best, best_gain, best_lot = k, found, lot
        return swap(first, best, tree)

    @merged
    def descend(root: Any, random: Any, fresh: Any, used: Any, knobs: Any, tree: Any) -> Any:
        """Walk down to a leaf; return (state, depth, used, half points in 256ths or -1).

        `fresh` is the next node, and `used` is where the next list begins.
        """
        path = get(knobs, PATH)
        full = lists_at(knobs) + _ROOM * get(knobs, SIMULATIONS)
        state, node, depth = root, int64(top), int64(0)
        while True:
            visits, count = get(tree, node + VISITS), get(tree, node + COUNT)
            if count < 0 and (visits == 0 or used > full):
                return state, depth, used, int64(-1)
            if count < 0:
                count = int64(moves(state, tree, used))
                put(tree, node + FIRST, used)
                put(tree, node + COUNT, count)
                put(tree, node + _TRIED, 0)
                used += count
            if count == 0:
                return state, depth, used, POINT * int64(score(state))
            first, tried = get(tree, node + FIRST), get(tree, node + _TRIED)
            if tried < count and tried * tried <= 4 * visits:
                put(tree, node + _TRIED, tried + 1)
                place = first + tried
                add_node(fresh, draw_best(state, place, first + count, random, tree), tree)
                put(tree, fresh + COUNT, -1)
                put(tree, place, fresh)
                node = fresh
            else:
                node = _best_bound(visits, first, first + tried, knobs, tree)
            # A node's points are those of the player whose move led to it.
            put(tree, path + depth, 2 * node + mover(state))
            depth += 1
            state = play(state, get(tree, node + MOVE))
            if recurs(state, depth, tree):
                return state, depth, used, int64(POINT)

    @merged
    def leaf_points(state: Any, depth: Any, knobs: Any, tree: Any) -> Any:
        """Return the first player's half points, in 256ths, by the evaluation of a leaf."""
        window = int64(-WIN), int64(WIN)
        value = search(state, int64(0), window, depth, uint64(0), tree)
        value = value if mover(state) == 0 else -value
        step = min(max(value * _STEPS // scale, -_SPAN), _SPAN)
        successes_at = ROOT_LOG + 3 * (int64(knobs[SIMULATIONS]) + 2)
        return int64(knobs[successes_at + _SPAN + step])

    @compiled
    def best_below(node: Any, tree: Any) -> Any:
        """Return the value of a node for the player whose move led to it, by its best child."""
        evaluated, count = get(tree, node + _EVALUATED), get(tree, node + COUNT)
        if count <= 0:
            return evaluated
        first, tried = get(tree, node + FIRST), get(tree, node + _TRIED)
        # The mover has a move that is as good as its evaluation, while some are untried.
        best = 2 * POINT - evaluated if tried < count else int64(0)
        for k in range(first, first + tried):
            best = max(best, get(tree, get(tree, k) + _BEST))
        return 2 * POINT - best

    @compiled
    def add_points(points: Any, depth: Any, knobs: Any, tree: Any) -> None:
        """Add the result of a simulation to the nodes on its path, the leaf first."""
        path = get(knobs, PATH)
        add(tree, top + VISITS, 1)
        for back in range(depth):
            entry = get(tree, path + depth - 1 - back)
            node = entry >> 1
            own = points if entry & 1 == 0 else 2 * POINT - points
            if back == 0:
                put(tree, node + _EVALUATED, own)
            add(tree, node + VISITS, 1)
            add(tree, node + POINTS, own)
            put(tree, node + _BEST, best_below(node, tree))

    @compiled
    def choose(root: Any, seed: Any, moment: Any, knobs: Any, tree: Any) -> Any:
        key = move_key(seed, moment[0], moment[1])
        write_weights(seed, int64(0), tree, int64(0))
        put(tree, top + VISITS, 1)
        put(tree, top + COUNT, -1)
        used = lists_at(knobs)
        for simulation in range(get(knobs, SIMULATIONS)):
            meet()
            random = simulation_key(key, simulation)
            fresh = top + _FIELDS * (simulation + 1)
            state, depth, used, points = descend(root, random, fresh, used, knobs, tree)
            if points < 0:
                points = leaf_points(state, depth, knobs, tree)
            add_points(points, depth, knobs, tree)
        first = get(tree, top + FIRST)
        end = first + get(tree, top + _TRIED)
        return get(tree, most_visited(first, end, tree) + MOVE)

    return choose
