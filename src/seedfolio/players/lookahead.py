"""Looking ahead by alpha-beta over a game's evaluation, played out to quiet positions.

The search walks the tree with a stack of frames in the workspace, as compiled code for a GPU cannot
call itself. It takes any game with a `StaticEvaluation`.

Its value is exactly that of plain minimax to the same depth. A position counts as a draw if it has
occurred in the game (see `games.rules`). At depth 0 the mover may stop, or go on with a loud
move; after `QUIET` of these it must stop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled, compiled_once, merged
from seedfolio.core.kept_states import keep_state, kept_state
from seedfolio.core.randomness import below, mix
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.rules import StaticEvaluation
from seedfolio.players.interface import check_open, check_plain

WIN = 2**28
"""The value of a game that is won; one less for each ply until then."""
SURE = WIN - 2**16
"""Values from here on are of games that are won."""
QUIET = 6
"""The number of loud moves in a row that are looked at."""
ONE = 64
"""Weights are kept in 64ths, so that a seed can change a small one."""

# A frame: its window, the best value so far, its move and the one that is looked at, the depth that
# is left, where its moves are, how many, and how many were looked at; the window's lower end at
# first. The table of positions has five numbers for each: its key in two, the depth with the kind
# of value, the value, and the best move.
_ALPHA, _BETA, _BEST, _BEST_MOVE, _MOVE, _DEPTH, _FIRST, _COUNT, _NEXT, _LOWEST = range(10)
_FRAME = 10
_ENTRY = 5
_HALF = np.uint64(32)
_EXACT, _AT_LEAST, _AT_MOST = range(3)


@dataclass(frozen=True)
class Layout:
    """Where a search keeps what in the workspace, from `base` on."""

    base: int
    terms: int
    """The number of terms of the evaluation."""
    plies: int
    """The greatest length of a path."""
    moves: int
    """The greatest number of moves of a position."""
    state: int
    """The size of a state, see `core.kept_states`."""
    table: int = 0
    """The number of positions that the table keeps: a power of two, or 0 for no table."""
    stops: bool = False
    """Whether another thread may end a search."""

    @property
    def frames(self) -> int:
        """Where the frames begin: after the weights and the terms."""
        return self.base + 2 * self.terms

    @property
    def lists(self) -> int:
        """Where the moves begin, each with its rank."""
        return self.frames + _FRAME * (self.plies + 1)

    @property
    def states(self) -> int:
        """Where the states of the path begin."""
        return self.lists + 2 * self.moves * (self.plies + 2)

    @property
    def positions(self) -> int:
        """Where the table begins."""
        return self.states + self.state * (self.plies + 1)

    @property
    def stop(self) -> int:
        """Where another thread writes what is not 0 to end a search; only if it `stops`."""
        return self.positions + _ENTRY * self.table

    @property
    def end(self) -> int:
        """The size of the workspace."""
        return self.stop + self.stops


def evaluation_of(game: Game, player: str) -> StaticEvaluation:
    """Return the evaluation of a game; SpecificationError if a player cannot use it."""
    check_open(game, player)
    check_plain(game, player)
    if game.rules.evaluation is None:
        raise SpecificationError(
            f"{player} does not play {game.title}: its rules have no evaluation; use uct"
        )
    return game.rules.evaluation


def bind_weights(evaluation: StaticEvaluation) -> Callable[..., Any]:
    """Return `write_weights(seed, noise, out, at)`: the weights of a seed, in 64ths.

    Each is up to `noise` percent more or less. It depends on the seed and the term alone.
    """
    usual = np.array([*evaluation.weights.values()], np.int64)

    @compiled
    def write_weights(seed: Any, noise: Any, out: Any, at: Any) -> None:
        key = mix(uint64(seed) ^ _PERSONALITY)
        for term in range(len(usual)):
            change = below(key, term, 20 * noise + 1) - 10 * noise
            out[at + term] = usual[term] * ONE * (1000 + change) // 1000

    return write_weights


_PERSONALITY = np.uint64(0x5EED0FA9E5503A11)


def bind_search(game: Game, evaluation: StaticEvaluation, layout: Layout) -> Callable[..., Any]:
    """Return `search(root, depth, window, ply, salt, room)`: the value of a position to its mover.

    If another thread stops it, it returns at once, and its value means nothing. `window` is
    (alpha, beta): a value outside of it is a bound only. `ply` is how many plies after the last
    position of the game the root is. `salt` marks what a search puts into the table.
    """
    names = game.functions
    mover, moves, play = names["mover"], names["moves"], names["play"]
    score, recurs = names["score"], names["recurs"]
    terms = evaluation.terms
    loud = evaluation.loud or _none_is_loud(moves)
    gain = evaluation.gain or no_gain
    key = evaluation.key or no_key
    kept = layout.table if evaluation.key else 0
    has_table = kept > 0
    base, count_terms, plies, most = layout.base, layout.terms, layout.plies, layout.moves
    frames, lists, positions = layout.frames, layout.lists, layout.positions
    states, size = layout.states, layout.state
    stops, stop = layout.stops, layout.stop
    slots = np.uint64(max(kept, 1) - 1)

    @compiled
    def evaluated(state: Any, room: Any) -> Any:
        terms(state, room, base + count_terms)
        total = int64(0)
        for term in range(count_terms):
            total += int64(room[base + term]) * int64(room[base + count_terms + term])
        return min(max(total // ONE, -SURE + 1), SURE - 1)

    @compiled
    def result(state: Any, ply: Any) -> Any:
        points = int64(score(state)) - 1
        points = points if mover(state) == 0 else -points
        return points * (WIN - ply)

    @compiled
    def rank_moves(state: Any, first: Any, count: Any, favourite: Any, room: Any) -> None:
        for k in range(first, first + count):
            move = int64(room[k])
            room[k + most] = gain(state, move) + (2**20 if move == favourite else 0)

    @compiled
    def bring_best(first: Any, end: Any, room: Any) -> Any:
        """Swap the best-ranked move to the front and return it."""
        best = first
        for k in range(first + 1, end):
            if room[k + most] > room[best + most]:
                best = k
        move, rank = room[best], room[best + most]
        room[best], room[best + most] = room[first], room[first + most]
        room[first], room[first + most] = move, rank
        return int64(move)

    @compiled
    def look_up(found: Any, depth: Any, frame: Any, ply: Any, room: Any) -> Any:
        """Return (whether the table has a value for the window, the value, a move or -1)."""
        at = positions + _ENTRY * int64(found & slots)
        upper, lower = _halves(found)
        if room[at] != upper or room[at + 1] != lower:
            return False, int64(0), int64(-1)
        if room[at + 2] >> 2 != depth:
            # The best move of the search before, to another depth, is likely to be good again.
            return False, int64(0), int64(room[at + 4])
        value, bound = int64(room[at + 3]), int64(room[at + 2]) & 3
        # Wins are kept as seen from the position.
        value = value - ply if value >= SURE else value + ply if value <= -SURE else value
        enough = bound == _EXACT
        enough = enough or (bound == _AT_LEAST and value >= room[frame + _BETA])
        enough = enough or (bound == _AT_MOST and value <= room[frame + _ALPHA])
        return enough, value, int64(room[at + 4])

    @compiled
    def keep(found: Any, frame: Any, ply: Any, room: Any) -> None:
        at = positions + _ENTRY * int64(found & slots)
        best = int64(room[frame + _BEST])
        bound = _EXACT
        if best >= room[frame + _BETA]:
            bound = _AT_LEAST
        elif best <= room[frame + _LOWEST]:
            bound = _AT_MOST
        room[at], room[at + 1] = _halves(found)
        room[at + 2] = 4 * int64(room[frame + _DEPTH]) + bound
        room[at + 3] = best + ply if best >= SURE else best - ply if best <= -SURE else best
        room[at + 4] = room[frame + _BEST_MOVE]

    @merged
    def enter(state: Any, ply: Any, before: Any, salt: Any, room: Any) -> Any:
        """Fill in the frame of a position; return (whether its value is known, the value)."""
        frame = frames + _FRAME * ply
        first = lists + 2 * most * ply
        depth = int64(room[frame + _DEPTH])
        room[frame + _FIRST], room[frame + _COUNT], room[frame + _NEXT] = first, 0, 0
        room[frame + _BEST_MOVE], room[frame + _LOWEST] = -1, room[frame + _ALPHA]
        if recurs(state, before + ply, room):
            return True, int64(0)
        favourite = int64(-1)
        if has_table and depth > 0:
            known, value, favourite = look_up(key(state) ^ salt, depth, frame, before + ply, room)
            if known:
                return True, value
        count = int64(moves(state, room, first) if depth > 0 else loud(state, room, first))
        if count < 0 or (count == 0 and depth > 0):
            return True, result(state, before + ply)
        room[frame + _BEST] = -WIN
        if depth <= 0:
            value = evaluated(state, room)
            if value >= room[frame + _BETA] or depth <= -QUIET or count == 0:
                return True, value
            room[frame + _BEST] = value
            room[frame + _ALPHA] = max(value, int64(room[frame + _ALPHA]))
        room[frame + _COUNT] = count
        rank_moves(state, first, count, favourite, room)
        return False, int64(0)

    @compiled_once
    def search(root: Any, depth: Any, window: Any, before: Any, salt: Any, room: Any) -> Any:
        room[frames + _ALPHA], room[frames + _BETA] = window
        room[frames + _DEPTH] = depth
        ply, state = int64(0), root
        # A move has just been made; the value of the position is known.
        made, known, value = True, False, int64(0)
        while True:
            if stops and room[stop] != 0:
                return int64(0)
            frame = frames + _FRAME * ply
            if made:
                known, value = enter(state, ply, before, salt, room)
                made = False
            if not known:
                done = room[frame + _NEXT] >= room[frame + _COUNT]
                done = done or room[frame + _BEST] >= room[frame + _BETA]
                if not done:
                    at, end = room[frame + _FIRST] + room[frame + _NEXT], room[frame + _FIRST]
                    move = bring_best(int64(at), int64(end + room[frame + _COUNT]), room)
                    room[frame + _NEXT] += 1
                    room[frame + _MOVE] = move
                    room[frame + _FRAME + _ALPHA] = -room[frame + _BETA]
                    room[frame + _FRAME + _BETA] = -room[frame + _ALPHA]
                    room[frame + _FRAME + _DEPTH] = room[frame + _DEPTH] - 1
                    if room[frame + _NEXT] == 1:
                        keep_state(state, room, states + size * ply)
                    state = play(state, move)
                    ply += 1
                    made = True
                    continue
                value = int64(room[frame + _BEST])
                if has_table and room[frame + _DEPTH] > 0:
                    keep(key(state) ^ salt, frame, before + ply, room)
            if ply == 0:
                return value
            # Back to the position before.
            ply -= 1
            frame -= _FRAME
            known, value = False, -value
            if value > room[frame + _BEST]:
                room[frame + _BEST], room[frame + _BEST_MOVE] = value, room[frame + _MOVE]
                room[frame + _ALPHA] = max(value, int64(room[frame + _ALPHA]))
            state = kept_state(root, room, states + size * ply)

    assert plies > QUIET
    return search


@compiled
def _halves(key: Any) -> Any:
    """Return a key as two numbers of 32 bits with sign."""
    return int64(key) >> 32, int64(key << _HALF) >> 32


def _none_is_loud(moves: Callable[..., Any]) -> Callable[..., Any]:
    @compiled
    def loud(state: Any, out: Any, at: Any) -> Any:
        return int64(0 if moves(state, out, at) > 0 else -1)

    return loud


@compiled
def no_gain(state: Any, move: Any) -> Any:
    """Return the gain of a move where rules give none."""
    return int64(0)


@compiled
def no_key(state: Any) -> Any:
    """Return the key of a state where rules give none."""
    return uint64(0)
