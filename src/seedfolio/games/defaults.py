"""Default functions for those that the rules of a game leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.parts import Parts
from seedfolio.games.repetition import memory_functions
from seedfolio.games.rules import Rules


def complete_functions(rules: Rules) -> dict[str, Callable[..., Any]]:
    """Return all functions of the rules by name, with defaults for those left out."""
    random_move = rules.random_move or _random_move_from(rules.moves)
    if rules.rollout is not None:
        rollout = rules.rollout
    elif rules.parts is not None:
        rollout = _rollout_of(rules.parts)
    else:
        rollout = _rollout_from(random_move, rules.play, rules.score)
    parts = rules.parts or _one_part(rollout)
    opened = _opened(rules)
    return {
        "opened": opened,
        "start": rules.start,
        "mover": rules.mover,
        "moves": rules.moves,
        "play": rules.play,
        "score": rules.score,
        "cells": rules.cells,
        "random_move": random_move,
        "rollout": rollout,
        "begin_rollout": parts.begin,
        "advance_rollout": parts.advance,
        "rollout_is_over": parts.is_over,
        "rollout_score": parts.score,
        "trace": rules.trace or _trace_from(rules, random_move),
        "plausible": rules.plausible or rules.moves,
        "view": rules.view or _whole_state,
        "event": rules.event or _the_move,
        "complete": rules.complete or _nothing_to_draw,
        "assume": rules.assume or _nothing_known,
        "refused": rules.refused or _never,
        "ending": rules.ending or _no_reason,
        **memory_functions(rules.repetition, opened, rules.play),
        "cells_seen": rules.cells_seen or _all_cells(rules.cells),
    }


def _opened(rules: Rules) -> Callable[..., Any]:
    """Return opened(setup): the state before the first move. The setup is the end of an array."""
    placed, start, size = rules.placed, rules.start, len(rules.setup)
    if placed is not None:

        @compiled
        def opened(setup: Any) -> Any:
            return placed(setup, len(setup) - size)

    else:

        @compiled
        def opened(setup: Any) -> Any:
            return start()

    return opened


@compiled
def _whole_state(state: Any, colour: Any) -> Any:
    return state


@compiled
def _the_move(before: Any, move: Any, after: Any, colour: Any) -> Any:
    return int64(move)


@compiled
def _nothing_to_draw(view: Any, key: Any, step: Any) -> Any:
    return view, step


@compiled
def _nothing_known(view: Any, move: Any) -> Any:
    return view


@compiled
def _never(state: Any) -> Any:
    return False


@compiled
def _no_reason(state: Any) -> Any:
    return int64(-1)


def _random_move_from(moves: Callable[..., Any]) -> Callable[..., Any]:
    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        count = moves(state, out, at)
        if count == 0:
            return int64(-1), step
        return int64(out[at + below(key, step, count)]), step + 1

    return random_move


def _rollout_from(
    random_move: Callable[..., Any], play: Callable[..., Any], score: Callable[..., Any]
) -> Callable[..., Any]:
    @compiled
    def rollout(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        while True:
            move, step = random_move(state, key, step, out, at)
            if move < 0:
                return score(state)
            state = play(state, move)

    return rollout


def _trace_from(rules: Rules, random_move: Callable[..., Any]) -> Callable[..., Any]:
    mover, play, score = rules.mover, rules.play, rules.score
    # A program without knowledge of the game plays its random games with plausible moves.
    draw = random_move if rules.plausible is None else _random_move_from(rules.plausible)
    plies = rules.max_plies

    @compiled
    def trace(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        played = int64(0)
        while True:
            move, step = draw(state, key, step, out, at + plies)
            if move < 0:
                return score(state), played
            out[at + played] = 2 * move + mover(state)
            played += 1
            state = play(state, move)

    return trace


def _rollout_of(parts: Parts) -> Callable[..., Any]:
    begin, advance, is_over, points = parts.begin, parts.advance, parts.is_over, parts.score

    @compiled
    def rollout(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        run = begin(state, key, step)
        while not is_over(run):
            run = advance(run, key, out, at)
        return points(run)

    return rollout


def _one_part(rollout: Callable[..., Any]) -> Parts:
    @compiled
    def begin(state: Any, key: Any, step: Any) -> Any:
        return state, int64(step), int64(-1)

    @compiled
    def advance(run: Any, key: Any, out: Any, at: Any) -> Any:
        return run[0], run[1], int64(rollout(run[0], key, run[1], out, at))

    @compiled
    def is_over(run: Any) -> Any:
        return run[2] >= 0

    @compiled
    def points(run: Any) -> Any:
        return run[2]

    return Parts(begin=begin, advance=advance, is_over=is_over, score=points)


def _all_cells(cells: Callable[..., Any]) -> Callable[..., Any]:
    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        cells(state, out)

    return cells_seen
