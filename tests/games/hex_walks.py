"""Compiled replays of games on hexagonal boards, for comparing many games with an oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import mix
from seedfolio.games.game import Game

# Names that are filled in on compiling.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
trace: Any = None
random_move: Any = None
rollout: Any = None


def replay_with(game: Game) -> Callable[..., tuple[int, int]]:
    """Return replay(history, legal): (ply of the first difference or -1, score).

    `legal` are the sorted legal moves before each move, one list after the other.
    """
    entry = compiled_entry(_replay_template, game.functions)
    out = np.zeros(game.rules.max_moves, np.int64)

    def replay(history: list[int], legal: list[list[int]]) -> tuple[int, int]:
        counts = np.array([len(each) for each in legal], np.int64)
        flat = np.array([move for each in legal for move in each], np.int64)
        ply, points = entry(np.array(history, np.int64), counts, flat, out)
        return int(ply), int(points)

    return replay


def _replay_template(history: Any, counts: Any, legal: Any, out: Any) -> Any:
    state = start()
    begin = 0
    for ply in range(len(history)):
        count = moves(state, out, 0)
        if count != counts[ply] or mover(state) != ply % 2:
            return ply, -1
        for k in range(count):
            if out[k] != legal[begin + k]:
                return ply, -1
        begin += count
        state = play(state, history[ply])
    if moves(state, out, 0) != 0:
        return len(history), -1
    return -1, score(state)


def traces_with(game: Game) -> Callable[[int], tuple[int, int]]:
    """Return traced(games): (number of the first wrong one or -1, sum of their half points)."""
    entry = compiled_entry(_traces_template, game.functions)
    out = np.zeros(game.rules.room + game.rules.max_plies, np.int64)

    def traced(games: int) -> tuple[int, int]:
        wrong, points = entry(games, out)
        return int(wrong), int(points)

    return traced


def _traces_template(games: Any, out: Any) -> Any:
    """Play the moves of traced random games by the rules: the result must be that of the trace.

    It must also be that of the rollout.
    """
    total = 0
    for number in range(games):
        key = mix(np.uint64(number))
        state, step = start(), int64(0)
        # From the start, and from some way on.
        for _ in range(number % 7):
            move, step = random_move(state, key, step, out, int64(0))
            if move >= 0:
                state = play(state, move)
        points, count = trace(state, key, step, out, int64(0))
        turn, over = state, moves(state, np.zeros(400, np.int64), 0) == 0
        next_ = [0, 0]
        while not over:
            colour = mover(turn)
            at = next_[colour]
            while at < count and out[at] & 1 != colour:
                at += 1
            if at == count:
                break
            next_[colour] = at + 1
            turn = play(turn, out[at] >> 1)
            over = moves(turn, np.zeros(400, np.int64), 0) == 0
        if not over or score(turn) != points:
            return number, total
        if rollout(state, key, step, out, int64(0)) != points:
            return number, total
        total += points
    return -1, total


def mean_scores(game: Game, history: list[int], games: int) -> tuple[float, float]:
    """Return the mean half points of rollouts, and of games by `random_move`."""
    entry = compiled_entry(_means_template, game.functions)
    out = np.zeros(game.rules.room, np.int64)
    rolled, played = entry(np.array(history, np.int64), games, out)
    return rolled / games, played / games


def _means_template(history: Any, games: Any, out: Any) -> Any:
    rolled, played = 0, 0
    for number in range(games):
        state = start()
        for move in history:
            state = play(state, move)
        rolled += rollout(state, mix(np.uint64(2 * number)), int64(0), out, int64(0))
        key, step, move = mix(np.uint64(2 * number + 1)), int64(0), int64(0)
        while move >= 0:
            move, step = random_move(state, key, step, out, int64(0))
            if move >= 0:
                state = play(state, move)
        played += score(state)
    return rolled, played
