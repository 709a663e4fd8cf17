"""UCT: Monte Carlo tree search with UCB1 and uniformly random playouts (Kocsis, Szepesvari 2006).

Each simulation walks down the tree by the upper confidence bound, adds one node, plays random
moves to the end and adds the result along its way. A move that was never tried goes before any
that was, drawn at random among those untried. The move played is the one with most visits, then
most points, then the one tried first: ties are broken by the seed, never by the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
from numba import int64

from seedfolio.core.compiling import compiled
from seedfolio.core.fixedpoint import ucb_tables
from seedfolio.core.randomness import below, move_key, simulation_key
from seedfolio.errors import SpecificationError
from seedfolio.games.interface import Game
from seedfolio.players.interface import Bound

# The tree lies in seven sections of the workspace, each with an entry a node. The children of a
# node are consecutive; MOVE is set for all of them at once, the rest when a child is first tried.
_MOVE, _CHILD, _COUNT, _TRIED, _VISITS, _POINTS, _PATH = range(7)
_SECTIONS = 7
# Header of the knobs, before the three tables of fixedpoint.ucb_tables.
_SIMULATIONS, _CAPACITY, _TABLES = 0, 1, 2

MAX_SIMULATIONS = 100_000


@dataclass(frozen=True)
class Uct:
    """UCT with a number of simulations a move and an exploration constant."""

    simulations: int = 100
    exploration: Decimal = Decimal("1.4")

    name: ClassVar[str] = "uct"
    version: ClassVar[int] = 1
    summary: ClassVar[str] = "Monte Carlo tree search with UCB1 and random playouts"

    def __post_init__(self) -> None:
        if not 1 <= self.simulations <= MAX_SIMULATIONS:
            raise SpecificationError(
                f"uct: simulations={self.simulations} is not between 1 and {MAX_SIMULATIONS}"
            )
        if not (self.exploration.is_finite() and 0 <= self.exploration <= 100):
            raise SpecificationError(
                f"uct: exploration={self.exploration} is not between 0 and 100"
            )

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        return {"simulations": self.simulations, "exploration": str(self.exploration.normalize())}

    @property
    def text(self) -> str:
        """The short form that `load_player` takes."""
        default = Uct()
        extra = (
            "" if self.exploration == default.exploration else f",exploration={self.exploration}"
        )
        return f"uct:simulations={self.simulations}{extra}"

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        rules = game.rules
        # Every simulation but the first few adds the moves of at most one node.
        capacity = self.simulations * rules.max_moves + rules.max_moves + rules.max_plies + 2
        header = np.array([self.simulations, capacity], np.int64)
        tables = ucb_tables(self.simulations + 1, self.exploration)
        return Bound(
            choose=_bind_choose(game),
            knobs=np.concatenate([header, tables]),
            workspace=_SECTIONS * capacity,
        )


def _bind_choose(game: Game) -> Any:
    """Return `choose` over the rules of a game."""
    rules = game.rules
    mover, moves, play, score = rules.mover, rules.moves, rules.play, rules.score
    random_move = game.random_move

    @compiled
    def playout(state: Any, key: Any, step: Any, scratch: Any, at: Any) -> Any:
        while True:
            move, step = random_move(state, key, step, scratch, at)
            if move < 0:
                return score(state)
            state = play(state, move)

    @compiled
    def best_bound(
        parent_visits: Any, child: Any, end: Any, knobs: Any, tree: Any, capacity: Any
    ) -> Any:
        """Return the child with the greatest upper confidence bound, the earliest among equals."""
        size = knobs[_SIMULATIONS] + 2
        inverse_root = _TABLES + size
        explore = knobs[_TABLES + 2 * size + parent_visits]
        best = child
        best_value = int64(-1)
        for k in range(child, end):
            visits = tree[_VISITS * capacity + k]
            value = tree[_POINTS * capacity + k] * knobs[_TABLES + visits]
            value += explore * knobs[inverse_root + visits]
            if value > best_value:
                best_value = value
                best = k
        return best

    @compiled
    def choose(root: Any, seed: Any, ply: Any, knobs: Any, tree: Any) -> Any:
        capacity = knobs[_CAPACITY]
        key = move_key(seed, mover(root), ply)
        tree[_COUNT * capacity] = moves(root, tree, _MOVE * capacity + 1)
        tree[_CHILD * capacity] = 1
        tree[_TRIED * capacity] = 0
        tree[_VISITS * capacity] = 1
        tree[_PATH * capacity] = 0
        used = int64(1 + tree[_COUNT * capacity])
        for simulation in range(knobs[_SIMULATIONS]):
            state = root
            node = int64(0)
            depth = int64(0)
            step = int64(0)
            random = simulation_key(key, simulation)
            result = int64(-1)
            fresh = False
            while not fresh:
                if tree[_COUNT * capacity + node] < 0:
                    # Visited once before, by a playout: now it gets its children.
                    tree[_COUNT * capacity + node] = moves(state, tree, _MOVE * capacity + used)
                    tree[_CHILD * capacity + node] = used
                    used += tree[_COUNT * capacity + node]
                count = int64(tree[_COUNT * capacity + node])
                if count == 0:
                    result = score(state)
                    break
                child = int64(tree[_CHILD * capacity + node])
                tried = int64(tree[_TRIED * capacity + node])
                if tried < count:
                    pick = child + tried + below(random, step, count - tried)
                    step += 1
                    best = child + tried
                    move = tree[_MOVE * capacity + pick]
                    tree[_MOVE * capacity + pick] = tree[_MOVE * capacity + best]
                    tree[_MOVE * capacity + best] = move
                    tree[_TRIED * capacity + node] = tried + 1
                    tree[_COUNT * capacity + best] = -1
                    tree[_TRIED * capacity + best] = 0
                    tree[_VISITS * capacity + best] = 0
                    tree[_POINTS * capacity + best] = 0
                    fresh = True
                else:
                    visits = tree[_VISITS * capacity + node]
                    best = best_bound(visits, child, child + count, knobs, tree, capacity)
                # Points of a node are those of the player who moved there.
                depth += 1
                tree[_PATH * capacity + depth] = 2 * best + mover(state)
                state = play(state, tree[_MOVE * capacity + best])
                node = best
            if result < 0:
                result = playout(state, random, step, tree, _MOVE * capacity + used)
            tree[_VISITS * capacity] += 1
            for k in range(1, depth + 1):
                entry = tree[_PATH * capacity + k]
                visited = entry >> 1
                tree[_VISITS * capacity + visited] += 1
                tree[_POINTS * capacity + visited] += result if entry & 1 == 0 else 2 - result
        best = int64(1)
        for k in range(2, 1 + tree[_TRIED * capacity]):
            more = tree[_VISITS * capacity + k] - tree[_VISITS * capacity + best]
            better = tree[_POINTS * capacity + k] - tree[_POINTS * capacity + best]
            if more > 0 or (more == 0 and better > 0):
                best = int64(k)
        return int64(tree[_MOVE * capacity + best])

    return choose
