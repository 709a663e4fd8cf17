"""The conformance suite passes the built-in games, and catches each change of one sound game."""

from dataclasses import replace
from random import randint  # noqa: F401 - in a case

import numpy as np
import pytest
from broken_games import ALL_SYMMETRIES, cases, cells, check_says, game_of, put, score, symmetry
from broken_games import free_moves as moves
from numba import int64, uint64
from sparing import levels
from token_game import TOKEN, token_key

from seedfolio import Board, Rules, SeedfolioError, StaticEvaluation, below, compiled, mix
from seedfolio.conformance import check as facts
from seedfolio.games import BUILT_IN
from seedfolio.testing import ConformanceError, check_game


@compiled
def play(state, move):
    cell = int64(1) << move
    if state[2] == 0:
        return state[0] | cell, state[1], int64(1)
    return state[0], state[1] | cell, int64(0)


@compiled
def random_move(state, key, step, out, at):
    n = moves(state, out, at)
    if n == 0:
        return int64(-1), step
    return int64(out[at + below(key, step, n)]), step + 1


SOUND = Rules(
    start=compiled(lambda: (int64(0), int64(0), int64(0))),
    mover=compiled(lambda state: state[2]),
    moves=moves,
    play=play,
    score=score,
    cells=cells,
    random_move=random_move,
    move_names=["a1", "b1", "a2", "b2"],
    max_moves=4,
    max_plies=4,
    board=Board(2, 2, ".XO"),
    symmetries=ALL_SYMMETRIES,
)


BOARDS = """
    batoo:5x5 breakthrough:5x5,pawn_rows=1 atari-go:5x5 domineering:4x4 go:5x5 hex:3x3,swap=1
    havannah:base=4,swap=1 liars-dice:sides=3 phantom-four:4x4 phantom-go:5x5 rolit:4x4
"""
SMALL = {text.partition(":")[0]: text for text in BOARDS.split()}
"""The boards of the golden games, compiled for those, too."""
LARGE = (
    *("domineering:1x1", "domineering:9x8", "breakthrough:5x6,pawn_rows=1", "hex:5x5"),
    *("phantom-four:8x8", "nim:first=3,third=3,misere=1", "pig:target=1,sides=2,horizon=1"),
    *("morra:fingers=5,rounds=10", "havannah", "phantom-go", "kuhn-poker:players=3"),
    "phantom-go:5x5,announce=0",
)
OFTEN, SLOW = ["domineering:4x4"], ["kuhn-poker", "phantom-tic-tac-toe"]
OTHERS = {SMALL.get(name, name) for name in BUILT_IN} - {*OFTEN, *SLOW}


@levels("text", OFTEN, SLOW, [*sorted(OTHERS), *LARGE])
def test_built_in_games_pass(text):
    # Games of chess are long, and its random ones are tested against python-chess.
    check_game(text, games=10 if text == "chess" else 100)


@cases(globals(), "facts")
def test_wrong_facts(changes, expected):
    check_says(expected, SOUND, **{"symmetries": [], **changes})


def test_version_zero_and_the_kinds_of_the_error():
    with pytest.raises(ConformanceError, match=r"^odd: version is 0; it must be a whole number"):
        check_game(game_of(SOUND, version=0))
    assert issubclass(ConformanceError, AssertionError)
    assert issubclass(ConformanceError, SeedfolioError)


@compiled
def moves_twice(state, out, at):
    n = moves(state, out, at)
    if n == 2:
        out[at + 1] = out[at]
    return n


@compiled
def play_refusing(state, move):
    if move == 2 and state[0] > 0:
        raise ValueError("a2 is mined")
    return play(state, move)


@compiled
def random_beyond(state, key, step, out, at):
    move, after = random_move(state, key, step, out, at)
    return (int64(0) if move < 0 else move), after


@cases(globals(), "play")
def test_wrong_play(changes, expected):
    own = {"random_move": None} if {"moves", "play"} & {*changes} else {}
    check_says(expected, SOUND, **{**own, **changes})


@compiled
def play_unsteady(state, move):
    after = play(state, move)
    return after[0], after[1], (after[2] if np.random.random() < 0.9 else state[2])


@pytest.mark.slow
def test_play_by_a_random_number(monkeypatch):
    monkeypatch.setattr(facts, "random_numbers", lambda function: None)
    # The first games may happen to be the same twice; then it is a rollout that is not.
    expected = "(the same random game goes differently|rollout returns another result)"
    check_says(expected, SOUND, play=play_unsteady, symmetries=[])


@compiled
def rows_differ(state):
    """The upper row wins, the lower one draws."""
    return 2 if state[0] == 0b1100 else score(state)


@cases(globals(), "symmetries")
def test_symmetries_that_do_not_commute_with_play(changes, expected):
    check_says(expected, SOUND, **changes)


@compiled
def terms(state, out, at):
    out[at] = (state[0] & 3) * (1 - 2 * state[2])
    out[at + 1] = 1


@compiled
def loud(state, out, at):
    """The moves are loud while there are two of them."""
    n = moves(state, out, at)
    return -1 if n == 0 else n if n == 2 else 0


EVALUATION = StaticEvaluation(
    terms=terms,
    weights={"row": 10, "to move": 3},
    scale=40,
    loud=loud,
    gain=compiled(lambda state, move: move),
    key=compiled(lambda state: mix(uint64(state[0] + 16 * state[1] + 256 * state[2]))),
)


@cases(globals(), "evaluations")
def test_wrong_evaluations(changes, expected):
    check_says(expected, SOUND, evaluation=replace(EVALUATION, **changes))


@pytest.mark.slow
def test_a_sound_game_with_repetition_and_evaluation_passes():
    """No other game of these tests has both, but chess."""
    evaluation = replace(
        EVALUATION,
        terms=compiled(lambda s, out, at: put(out, at, s[0]) + put(out, at + 1, s[4])),
        loud=None,
        key=token_key,
    )
    check_game(game_of(replace(TOKEN, evaluation=evaluation)), games=50)
    check_says("placed makes another state of setup than start", TOKEN, setup=[1])


@cases(globals(), "repetition")
def test_wrong_repetition(changes, expected):
    check_says(expected, TOKEN, repetition=replace(TOKEN.repetition, **changes))


@compiled
def score_by_plain_helper(state):
    return symmetry(state)


@compiled
def play_in_place(state, move):
    state[0] = 1
    return state


@compiled
def play_array(state, move):
    after = state.copy()
    after[0] |= (1 - state[2]) << move
    after[1] |= state[2] << move
    after[2] = 1 - state[2]
    return after


@cases(globals(), "compiling")
def test_code_that_does_not_compile(changes, expected):
    check_says(expected, SOUND, random_move=None, **changes)
