"""The same with a game in which each sees its own stones only, and tries may be refused."""

from dataclasses import replace

import numpy as np
import pytest
from broken_games import (
    ALL_SYMMETRIES,
    cases,
    cells,
    check_says,
    free_moves,
    game_of,
    put,
    score,
    symmetry,
)
from numba import int64, uint64  # noqa: F401 - in a case

from seedfolio import CHANCE, Board, Parts, Program, Rules, below, check_game, compiled, load_player
from seedfolio.conformance import check as facts

pytestmark = pytest.mark.slow  # each test compiles another game

# A state is: the stones of both, what the first knows of the second's and the second of the
# first's, the colour to move, whether its last try was refused. A view is: stones of one's own and
# those known of the other, the number of all, whether it is one's turn after a refusal.


@compiled
def moves(state, out, at):
    n = 0
    if state[0] | state[1] < 15:
        for cell in range(4):
            if (state[state[4]] | state[2 + state[4]]) >> cell & 1 == 0:
                out[at + n] = cell
                n += 1
    return n


@compiled
def play(state, move):
    first, second, known_0, known_1, turn, _ = state
    cell = int64(1) << move
    if state[1 - turn] & cell != 0:
        if turn == 0:
            return first, second, known_0 | cell, known_1, turn, int64(1)
        return first, second, known_0, known_1 | cell, turn, int64(1)
    if turn == 0:
        return first | cell, second, known_0, known_1, int64(1), int64(0)
    return first, second | cell, known_0, known_1, int64(0), int64(0)


@compiled
def stones(cells):
    return (cells & 1) + (cells >> 1 & 1) + (cells >> 2 & 1) + (cells >> 3 & 1)


@compiled
def view(state, colour):
    number = stones(state[0]) + stones(state[1])
    again = state[5] if state[4] == colour else int64(0)
    return state[colour], state[2 + colour], number, again


@compiled
def event(before, move, after, colour):
    if before[4] == colour:
        return 2 * move + after[5]
    return int64(-1) if after[5] == 1 else int64(8)


@compiled
def complete(view, key, step):
    """What the other knows is left out, which would be part of a fair draw."""
    own, other, number, again = view
    while stones(own) + stones(other) < number:
        cell = int64(1) << below(key, step, 4)
        step += 1
        if own & cell == 0:
            other |= cell
    if number % 2 == 0:
        return (own, other, view[1], int64(0), int64(0), again), step
    return (other, own, int64(0), view[1], int64(1), again), step


@compiled
def cells_seen(state, colour, out):
    for cell in range(4):
        own, other = state[colour] >> cell & 1, state[2 + colour] >> cell & 1
        out[cell] = own * (1 + colour) + other * (2 - colour)


@compiled
def plausible(state, out, at):
    """The last of the moves is not considered, unless it is the only one."""
    n = moves(state, out, at)
    return n - 1 if n > 1 else n


@compiled
def rollout(state, key, step, out, at):
    n = moves(state, out, at)
    while n > 0:
        state = play(state, out[at + below(key, step, n)])
        step += 1
        n = moves(state, out, at)
    return score(state)


SOUND = Rules(
    start=compiled(lambda: (int64(0), int64(0), int64(0), int64(0), int64(0), int64(0))),
    mover=compiled(lambda state: state[4]),
    moves=moves,
    play=play,
    score=score,
    cells=cells,
    refused=compiled(lambda state: state[5] == 1),
    view=view,
    event=event,
    complete=complete,
    cells_seen=cells_seen,
    plausible=plausible,
    rollout=rollout,
    move_names=["a1", "b1", "a2", "b2"],
    max_moves=4,
    max_plies=8,
    board=Board(2, 2, ".XO"),
    symmetries=ALL_SYMMETRIES,
    player="flat:playouts=10",
)


@compiled
def rollout_raising(state, key, step, out, at):
    if state[0] != 0 and state[1] != 0:
        raise ValueError("too far")
    return rollout(state, key, step, out, at)


@compiled
def begin(state, key, step):
    return state, int64(step), False


@compiled
def advance(run, key, out, at):
    state, step, _ = run
    n = moves(state, out, at)
    if n == 0:
        return state, step, True
    return play(state, int64(out[at + below(key, step, n)])), step + 1, False


PARTS = Parts(
    begin=begin,
    advance=advance,
    is_over=compiled(lambda run: run[2]),
    score=compiled(lambda run: score(run[0])),
)


def parts(moves_of):
    return {"rollout": replace(PARTS, moves=compiled(moves_of))}


def test_a_rollout_in_parts_is_the_whole_one():
    seeds, played = np.arange(40, dtype=np.uint64), []
    for rules in (replace(SOUND, rollout=PARTS), SOUND):
        program = Program(game_of(rules), load_player("flat:playouts=10"))
        played.append(program.play(seeds, seeds[::-1].copy(), program.workspace())[1])
    check_game(game_of(replace(SOUND, rollout=PARTS)), games=20)
    assert len(np.unique(played[0])) > 1
    assert np.array_equal(*played)


@compiled
def complete_other_mover(view, key, step):
    state, step = complete(view, key, step)
    if view[3] == 1:
        return state, step
    # The view does not say whose turn it is where nothing was refused.
    return (*state[:4], 1 - state[4], state[5]), step


@compiled
def plausible_knowing(state, out, at):
    n = free_moves(state, out, at)
    return n if n > 0 else moves(state, out, at)


@compiled
def cells_seen_once_refused(state, colour, out):
    if state[5] == 1 and state[4] == colour:
        cells(state, out)
    else:
        cells_seen(state, colour, out)


@compiled
def play_in_mud(state, move):
    """Where the other knows of mud, every try is refused and nothing is learnt."""
    if state[3 - state[4]] & 16 != 0:
        return (*state[:5], int64(1))
    return play(state, move)


@compiled
def complete_with_mud(view, key, step):
    state, step = complete(view, key, step)
    first, second, known_0, known_1, turn, again = state
    return (first, second, known_0 | turn << 4, known_1 | (1 - turn) << 4, turn, again), step


@compiled
def view_of_left(state, colour):
    """How many stones the other has in the left column is seen, too."""
    seen = view(state, colour)
    return (*seen[:2], seen[2] + 8 * stones(state[1 - colour] & 5), seen[3])


@compiled
def complete_left(seen, key, step):
    wanted = seen
    while True:
        state, step = complete((*seen[:2], seen[2] % 8, seen[3]), key, step)
        if view_of_left(state, state[4]) == wanted:
            return state, step


@compiled
def view_late(state, colour):
    """After three stones, when the second is to move, the first sees whether the other has a1."""
    own, known, number, again = view(state, colour)
    if colour == 0 and number == 3 and state[1] & 1 == 1:
        number = int64(4)
    return own, known, number, again


@compiled
def cells_seen_late(state, colour, out):
    cells_seen(state, colour, out)
    if colour == 0 and state[4] == 1 and state[1] & 1 == 1:
        out[0] = 2


# Chance: a coin is tossed, both call it unseen by each other, and whoever is right alone wins.
@compiled
def coin_mover(state):
    return int64(CHANCE) if state[0] == 2 else state[0] % 3


@compiled
def coin_moves(state, out, at):
    if state[0] == 3:
        return 0
    out[at] = 0
    out[at + 1] = 1
    return 2


@compiled
def coin_play(state, move):
    if state[0] == 2:
        return int64(3), int64(state[1] == move), int64(state[2] == move)
    if state[0] == 1:
        return int64(2), state[1], int64(move)
    return int64(1), int64(move), int64(0)


COIN = Rules(
    start=compiled(lambda: (int64(0), int64(0), int64(0))),
    mover=coin_mover,
    moves=coin_moves,
    play=coin_play,
    score=compiled(lambda s: 1 + s[1] - s[2]),
    cells=compiled(lambda s, out: put(out, 0, s[0])),
    move_names=["head", "tail"],
    max_moves=2,
    max_plies=3,
    board=Board(1, 1, "0123"),
    chance=True,
    odds=compiled(lambda s, outcome: 2),
    symmetries=[symmetry("sides", 1, 0)],
    player="flat:playouts=10",
)


@cases(globals(), "chance")
def test_wrong_chance(changes, expected):
    check_says(expected, COIN, **changes)


@cases(
    globals(),
    *("plausible moves", "rollouts", "refusals", "completion", "events and sight"),
    "compiling hidden",
)
def test_wrong_hidden_games(changes, expected, monkeypatch):
    monkeypatch.setattr(facts, "random_numbers", lambda function: None)  # found by playing
    check_says(expected, SOUND, **changes)
