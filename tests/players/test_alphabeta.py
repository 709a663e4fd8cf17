"""Alpha-beta finds the move and the value of plain minimax, and a seed is a personality."""

from random import Random

import numba
import numpy as np
import pytest
from numba import int64, uint64

from seedfolio import Program, load_game, load_player, mix, move_key
from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.players.alphabeta import AlphaBeta, bind_judge
from seedfolio.players.lookahead import ONE, QUIET, WIN, Layout, bind_weights

PLAYING = ["breakthrough:6x6", "domineering:5x5", "atari-go:5x5", "chess"]


def positions(name, count):
    game, random = load_game(name), Random(7)
    found: list[list[int]] = []
    while len(found) < count:
        history: list[int] = []
        while moves := game.position(history).moves:
            if len(found) < count and random.random() < 0.3:
                found.append(list(history))
            if len(history) > 150:
                break
            history.append(random.choice(moves))
    return found


def compare(name, depth, count, seeds, *, noise=20):
    game = load_game(name)
    both = bind_both(game)
    player = load_player(f"alphabeta:depth={depth},noise={noise}")
    program = Program(game, player)
    room = program.workspace()
    scratch = np.zeros(200 + game.rules.max_moves * (16 + QUIET), np.int64)
    chosen = set()
    for number, history in enumerate(positions(name, count)):
        for seed in range(number, number + seeds):
            moves = np.array(history, np.int64)
            ours, plain = both(moves, np.uint64(seed), program.bound.knobs, room, scratch)
            assert ours == plain, (name, history, seed)
            chosen.add(ours)
    assert len(chosen) > count // 4


@pytest.mark.slow
def test_move_and_value_are_those_of_minimax():
    compare("breakthrough:5x5,pawn_rows=1", 3, 100, seeds=2)


def test_equal_values_and_transpositions():
    """Without noise many values equal a bound; what is kept of them is still a bound."""
    compare("breakthrough:5x5,pawn_rows=1", 5, 60, seeds=1, noise=0)


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYING)
def test_move_and_value_are_those_of_minimax_in_many_positions(name):
    compare(name, 1 if name == "chess" else 2, 1000, seeds=3)


def bind_both(game):
    """Return compare(history, seed, knobs, room, scratch of the reference): moves, values."""
    evaluation = game.rules.evaluation
    most, count_terms = game.rules.max_moves, len(evaluation.weights)
    names = game.functions
    write_weights = bind_weights(evaluation)
    table, state = 4096 if evaluation.key else 0, game.state_size
    layout = Layout(2 * most + 2, count_terms, 12 + QUIET, most, state, table, stops=True)
    assert layout.end == AlphaBeta().bind(game).workspace
    judged = bind_judge(game, layout)
    mover, moves, play = names["mover"], names["moves"], names["play"]
    score, recurs, terms, loud = names["score"], names["recurs"], evaluation.terms, evaluation.loud
    has_loud = loud is not None
    first_list = 2 * count_terms

    @compiled
    def evaluated(state, scratch):
        terms(state, scratch, count_terms)
        total = int64(0)
        for k in range(count_terms):
            total += scratch[k] * scratch[count_terms + k]
        return total // ONE

    @numba.njit
    def minimax(state, depth, ply, room, scratch):
        if recurs(state, ply, room):
            return int64(0)
        at = first_list + most * ply
        count = moves(state, scratch, at)
        if count == 0:
            points = int64(score(state)) - 1
            return (points if mover(state) == 0 else -points) * (WIN - ply)
        best = int64(-WIN)
        if depth <= 0:
            best = evaluated(state, scratch)
            if depth <= -QUIET or not has_loud:
                return best
            if has_loud:
                count = loud(state, scratch, at)
        for k in range(count):
            after = play(state, int64(scratch[at + k]))
            best = max(best, -minimax(after, depth - 1, ply + 1, room, scratch))
        return best

    @compiled
    def plain(state, seed, moment, knobs, room, scratch):
        write_weights(seed, knobs[1], scratch, 0)
        key = move_key(seed, moment[0], moment[1])
        count = moves(state, scratch, first_list)
        best, value, lot = int64(-1), int64(-WIN), uint64(0)
        for k in range(count):
            move = int64(scratch[first_list + k])
            found = -minimax(play(state, move), knobs[0] - 1, int64(1), room, scratch)
            drawn = mix(key ^ uint64(move + 1))
            if found > value or (found == value and drawn > lot):
                best, value, lot = move, found, drawn
        return best, value

    parts = {"judged": judged, "plain": plain, "begun": names["begun"], "played": names["played"]}
    return compiled_entry(_compare_template, {**parts, "mover": mover})


judged = plain = begun = played = mover = None


def _compare_template(history, seed, knobs, room, scratch):
    state = begun(knobs, room)
    for ply in range(len(history)):
        state = played(state, history[ply], room)
    moment = mover(state), int64(len(history)), mix(uint64(len(history))), uint64(0)
    ours = judged(state, uint64(seed), moment, knobs, room)
    return ours, plain(state, uint64(seed), moment, knobs, room, scratch)
