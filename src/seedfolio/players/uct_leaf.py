"""UCT whose leaves are evaluated, not played out: `uct:leaf=evaluation`.

The value of a leaf is its success by the game's evaluation, after loud moves are played out (see
`players.lookahead`), in 256ths of a half point. A node tries its children one by one, the most
promising first and equal ones in random order, and more of them the more often it is visited: so
that the tree is deep rather than wide. It stays small: a simulation has room for 16 children, and a
node that finds no more room remains a leaf.

The mean of all simulations is slow to see that one reply refutes a move. So each node also keeps
the value of its best child, and the bound takes the mean of both (implicit minimax backups:
Lanctot, Winands, Pepels, Sturtevant 2014).
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import partial
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, merged
from seedfolio.core.lanes import meet
from seedfolio.core.randomness import mix, move_key, simulation_key
from seedfolio.games.game import Game
from seedfolio.games.rules import StaticEvaluation
from seedfolio.players.interface import Bound, Outlook
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
    CAPACITY,
    CHILD,
    COUNT,
    MOVE,
    POINTS,
    ROOT_LOG,
    SECTIONS,
    SIMULATIONS,
    VISITS,
    most_visited,
    success_of_best,
    ucb_knobs,
)

_ROOM = 16
"""The number of children for which a simulation has room, on average."""
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

# The workspace holds the tree as in `players.uct`. COUNT is -1 for a node without children yet,
# else 65,536 times the number of its children plus the number of those that were tried. EVALUATED
# is the value as a leaf, BEST that of the best line below; both, like POINTS, for the player whose
# move led to the node.
_EVALUATED, _BEST, _PATH = SECTIONS, SECTIONS + 1, SECTIONS + 2
# The knobs are those of `ucb_knobs`, and the table of successes.


def successes() -> NDArray[np.int64]:
    """Return the half points, in 256ths, for evaluations from -_SPAN to _SPAN steps."""
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
    capacity = 1 + most + _ROOM * simulations
    knobs = ucb_knobs(simulations, capacity, exploration * EXPLORATION)
    path = min(game.rules.max_plies, simulations + 1)
    # What a leaf needs comes first: so the code does not depend on the size of the tree.
    layout = Layout(
        base=0,
        terms=len(evaluation.weights),
        plies=QUIET + 1,
        moves=most,
        state=game.state_size,
    )
    choose = _bind_choose(game, evaluation, layout)
    return Bound(
        choose=choose,
        again=choose,
        knobs=np.concatenate([knobs, successes()]),
        workspace=layout.end + _PATH * capacity + path,
        outlook=partial(_outlook, layout.end, capacity),
    )


def _outlook(base: int, capacity: int, tree: NDArray[np.int32], moves: int) -> Outlook:
    """Return the success of the move that was visited most."""
    tried = int(tree[base + COUNT * capacity]) & 65535
    return Outlook.of_success(success_of_best(tree[base:], capacity, tried) / (2 * POINT))


@compiled
def _best_bound(parent_visits: Any, child: Any, end: Any, knobs: Any, tree: Any, base: Any) -> Any:
    """Return the child with the greatest upper confidence bound; the earliest if several."""
    capacity = knobs[CAPACITY]
    explore = knobs[ROOT_LOG + parent_visits]
    pairs = ROOT_LOG + knobs[SIMULATIONS] + 2
    best, best_value = child, int64(-1)
    for k in range(child, end):
        pair = pairs + 2 * int64(tree[base + VISITS * capacity + k])
        mean = (int64(tree[base + POINTS * capacity + k]) * knobs[pair]) // POINT
        value = (mean + int64(tree[base + _BEST * capacity + k]) * _WHOLE) >> 1
        value += explore * knobs[pair + 1]
        if value > best_value:
            best, best_value = k, value
    return best


def _bind_choose(game: Game, evaluation: StaticEvaluation, layout: Layout) -> Any:
    names = game.functions
    mover, play, score, moves = (names[each] for each in ("mover", "play", "score", "plausible"))
    recurs = names["recurs"]
    gain = evaluation.gain or no_gain
    write_weights = bind_weights(evaluation)
    search = bind_search(game, evaluation, layout)
    base, most, scale = layout.end, layout.moves, evaluation.scale

    @compiled
    def draw_best(state: Any, first: Any, end: Any, random: Any, tree: Any) -> None:
        """Swap the most promising of the untried moves to the front; lots decide between equals."""
        best, best_gain, best_lot = first, int64(-1), uint64(0)
        for k in range(first, end):
            move = int64(tree[k])
            found = int64(gain(state, move))
            if found >= best_gain:
                lot = mix(random ^ uint64(move + 1))
                if found > best_gain or lot > best_lot:
                    best, best_gain, best_lot = k, found, lot
        tree[first], tree[best] = tree[best], tree[first]

    @merged
    def descend(root: Any, random: Any, used: Any, knobs: Any, tree: Any) -> Any:
        """Walk down to a leaf; return (state, depth, used, half points or -1)."""
        capacity = int64(knobs[CAPACITY])
        state, node, depth = root, int64(0), int64(0)
        while True:
            visits = int64(tree[base + VISITS * capacity + node])
            packed = int64(tree[base + COUNT * capacity + node])
            if visits > 0 and packed < 0:
                if used + most > capacity:
                    return state, depth, used, int64(-1)
                added = int64(moves(state, tree, base + MOVE * capacity + used))
                packed = 65536 * added
                tree[base + CHILD * capacity + node] = used
                tree[base + COUNT * capacity + node] = packed
                used += added
            elif packed < 0:
                return state, depth, used, int64(-1)
            count, tried = packed >> 16, packed & 65535
            if count == 0:
                return state, depth, used, POINT * int64(score(state))
            child = int64(tree[base + CHILD * capacity + node])
            if tried < count and tried * tried <= 4 * visits:
                tree[base + COUNT * capacity + node] = packed + 1
                node = child + tried
                first = base + MOVE * capacity
                draw_best(state, first + node, first + child + count, random, tree)
                tree[base + VISITS * capacity + node] = 0
                tree[base + POINTS * capacity + node] = 0
                tree[base + COUNT * capacity + node] = -1
            else:
                node = _best_bound(visits, child, child + tried, knobs, tree, base)
            # A node's points are those of the player whose move led to it.
            tree[base + _PATH * capacity + depth] = 2 * node + mover(state)
            depth += 1
            state = play(state, int64(tree[base + MOVE * capacity + node]))
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
    def best_below(node: Any, capacity: Any, tree: Any) -> Any:
        """Return the value of a node for the player whose move led to it, by its best child."""
        evaluated = int64(tree[base + _EVALUATED * capacity + node])
        packed = int64(tree[base + COUNT * capacity + node])
        count, tried = packed >> 16, packed & 65535
        if packed <= 0 or tried == 0:
            return evaluated
        # The mover has a move that is as good as its evaluation, while some are untried.
        best = 2 * POINT - evaluated if tried < count else int64(0)
        child = int64(tree[base + CHILD * capacity + node])
        for k in range(child, child + tried):
            best = max(best, int64(tree[base + _BEST * capacity + k]))
        return 2 * POINT - best

    @compiled
    def add_points(points: Any, depth: Any, knobs: Any, tree: Any) -> None:
        """Add the result of a simulation to the nodes on its path, the leaf first."""
        capacity = int64(knobs[CAPACITY])
        tree[base + VISITS * capacity] += 1
        for back in range(depth):
            entry = int64(tree[base + _PATH * capacity + depth - 1 - back])
            node = entry >> 1
            own = points if entry & 1 == 0 else 2 * POINT - points
            if back == 0:
                tree[base + _EVALUATED * capacity + node] = own
            tree[base + VISITS * capacity + node] += 1
            tree[base + POINTS * capacity + node] += own
            tree[base + _BEST * capacity + node] = best_below(node, capacity, tree)

    @compiled
    def choose(root: Any, seed: Any, moment: Any, knobs: Any, tree: Any) -> Any:
        capacity = int64(knobs[CAPACITY])
        key = move_key(seed, moment[0], moment[1])
        write_weights(seed, int64(0), tree, int64(0))
        tree[base + VISITS * capacity] = 1
        tree[base + COUNT * capacity] = -1
        used = int64(1)
        for simulation in range(knobs[SIMULATIONS]):
            meet()
            random = simulation_key(key, simulation)
            state, depth, used, points = descend(root, random, used, knobs, tree)
            if points < 0:
                points = leaf_points(state, depth, knobs, tree)
            add_points(points, depth, knobs, tree)
        tried = int64(tree[base + COUNT * capacity]) & 65535
        best = most_visited(1 + tried, tree, capacity, base)
        return int64(tree[base + MOVE * capacity + best])

    return choose
