"""Default functions for those that the rules of a game leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import int64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.rules import CHANCE, Parts, Rules, memory_functions


def complete_functions(rules: Rules) -> dict[str, Callable[..., Any]]:
    """Return all functions of the rules by name, with defaults for those left out.

    There are some more. `outcome` draws what chance does. `points_of(state, seat)` are the points
    of a seat at the end. `result(state)` has those of all seats in one number, as a random game
    returns it, and `share(result, seat)` takes one of them out of it.
    """
    two = rules.seats == 2
    result = rules.score if two else _score_of_all(rules.score, rules.seats)
    opened = _opened(rules)
    return {
        "opened": opened,
        "start": rules.start,
        "mover": rules.mover,
        "moves": rules.moves,
        "play": rules.play,
        "score": rules.score,
        "points_of": _points_of(rules.score, rules.scale) if two else rules.score,
        "result": result,
        "share": _share_of_two(rules.scale) if two else _share_of_all,
        "ending": rules.ending or _no_reason,
        "cells": rules.cells,
        "cells_seen": rules.cells_seen or _all_cells(rules.cells),
        "view": rules.view or _whole_state,
        "event": rules.event or _the_move,
        "complete": rules.complete or _nothing_to_draw,
        "assume": rules.assume or _nothing_known,
        "refused": rules.refused or _never,
        **_playout_functions(rules, result),
        **memory_functions(rules.repetition, opened, rules.play),
    }


def _playout_functions(rules: Rules, result: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions of random play.

    A random game is `rollout` at once, the four functions of its parts, or `trace`, which also
    tells its moves: trace(state, key, step, out, at) returns (points, number of moves), after
    writing 2 * move + colour for each.
    """
    outcome = _equal_outcome if rules.odds is None else _outcome_by(rules.odds)
    random_move = rules.random_move or _random_move_from(rules.moves)
    if rules.odds is not None:
        random_move = _random_move_by_odds(rules, outcome)
    given = rules.rollout or _rollout_from(random_move, rules.play, result)
    parts = given if isinstance(given, Parts) else Parts.at_once(_without_note(given))
    return {
        "outcome": outcome,
        "random_move": random_move,
        "plausible": rules.plausible or rules.moves,
        "rollout": _rollout_of(parts) if isinstance(given, Parts) else given,
        "begin_rollout": parts.begin,
        "advance_rollout": parts.advance,
        "rollout_is_over": parts.is_over,
        "rollout_score": parts.score,
        "trace": _trace_from(rules, random_move) if parts.moves is None else _trace_of(parts),
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


@compiled
def _equal_outcome(state: Any, key: Any, step: Any, count: Any, out: Any, at: Any) -> Any:
    """Draw one of the `count` outcomes from out[at] on."""
    return int64(out[at + below(key, step, count)])


def _outcome_by(odds: Callable[..., Any]) -> Callable[..., Any]:
    @compiled
    def outcome(state: Any, key: Any, step: Any, count: Any, out: Any, at: Any) -> Any:
        total = int64(0)
        for k in range(count):
            total += odds(state, int64(out[at + k]))
        point = below(key, step, total)
        chosen = int64(out[at])
        for k in range(count):
            if point >= 0:
                chosen = int64(out[at + k])
            point -= odds(state, int64(out[at + k]))
        return chosen

    return outcome


def _random_move_by_odds(rules: Rules, outcome: Callable[..., Any]) -> Callable[..., Any]:
    mover, moves = rules.mover, rules.moves

    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        count = moves(state, out, at)
        if count == 0:
            return int64(-1), step
        if mover(state) == CHANCE:
            return outcome(state, key, step, count, out, at), step + 1
        return int64(out[at + below(key, step, count)]), step + 1

    return random_move


def _points_of(score: Callable[..., Any], scale: int) -> Callable[..., Any]:
    @compiled
    def points_of(state: Any, seat: Any) -> Any:
        points = int64(score(state))
        return points if seat == 0 else scale - points

    return points_of


def _score_of_all(score: Callable[..., Any], seats: int) -> Callable[..., Any]:
    """Return the points of all seats as one number, a byte for each."""

    @compiled
    def every(state: Any) -> Any:
        points = int64(0)
        for seat in range(seats):
            points |= int64(score(state, seat)) << (8 * seat)
        return points

    return every


@compiled
def _share_of_all(result: Any, seat: Any) -> Any:
    return (result >> (8 * seat)) & 255


def _share_of_two(scale: int) -> Callable[..., Any]:
    @compiled
    def share(result: Any, seat: Any) -> Any:
        return result if seat == 0 else scale - result

    return share


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


def _trace_of(parts: Parts) -> Callable[..., Any]:
    begin, advance, is_over, points = parts.begin, parts.advance, parts.is_over, parts.score
    moves: Any = parts.moves

    @compiled
    def trace(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        run = begin(state, key, step)
        while not is_over(run):
            run = advance(run, key, out, at)
        return points(run), moves(run, out, at)

    return trace


def _without_note(rollout: Callable[..., Any]) -> Callable[..., Any]:
    @compiled
    def noting(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        return rollout(state, key, step, out, at), 0

    return noting


def _all_cells(cells: Callable[..., Any]) -> Callable[..., Any]:
    @compiled
    def cells_seen(state: Any, colour: Any, out: Any) -> None:
        cells(state, out)

    return cells_seen
