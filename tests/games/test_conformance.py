"""The conformance suite passes the built-in games, and catches each kind of broken game.

The broken ones are made from one sound game: two players fill a board of 2x2 in turn; at the end
the first player wins with a diagonal, draws with a row and loses with a column.
"""

from __future__ import annotations

from dataclasses import replace
from random import randint  # noqa: F401 - in a case
from typing import Any

import numpy as np
import pytest
from broken_games import cases, check_says, game_of, put
from numba import int64, uint64

from seedfolio.conformance import check as facts
from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below, mix
from seedfolio.errors import SeedfolioError
from seedfolio.games import BUILT_IN
from seedfolio.games.board import Board
from seedfolio.games.rules import Repetition, Rules, StaticEvaluation, Symmetry
from seedfolio.testing import ConformanceError, check_game


@compiled
def start() -> Any:
    return int64(0), int64(0), int64(0)


@compiled
def mover(state: Any) -> Any:
    return state[2]


@compiled
def moves(state: Any, out: Any, at: Any) -> Any:
    n = 0
    for cell in range(4):
        if (state[0] | state[1]) >> cell & 1 == 0:
            out[at + n] = cell
            n += 1
    return n


@compiled
def play(state: Any, move: Any) -> Any:
    cell = int64(1) << move
    if state[2] == 0:
        return state[0] | cell, state[1], int64(1)
    return state[0], state[1] | cell, int64(0)


@compiled
def score(state: Any) -> Any:
    first = state[0]
    if first == 0b0101 or first == 0b1010:
        return 0
    return 1 if first == 0b0011 or first == 0b1100 else 2


@compiled
def cells(state: Any, out: Any) -> None:
    for cell in range(4):
        out[cell] = (state[0] >> cell & 1) + 2 * (state[1] >> cell & 1)


@compiled
def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    n = moves(state, out, at)
    if n == 0:
        return int64(-1), step
    return int64(out[at + below(key, step, n)]), step + 1


def symmetry(name: str, *images: int) -> Symmetry:
    return Symmetry(name, np.array(images))


LEFT_RIGHT = symmetry("left-right", 1, 0, 3, 2)
UP_DOWN = symmetry("up-down", 2, 3, 0, 1)
HALF_TURN = symmetry("half-turn", 3, 2, 1, 0)
SOUND = Rules(
    start=start,
    mover=mover,
    moves=moves,
    play=play,
    score=score,
    cells=cells,
    random_move=random_move,
    move_names=["a1", "b1", "a2", "b2"],
    max_moves=4,
    max_plies=4,
    board=Board(2, 2, ".XO"),
    symmetries=[LEFT_RIGHT, UP_DOWN, HALF_TURN],
)


@pytest.mark.slow
def test_a_sound_game_passes() -> None:
    check_game(game_of(SOUND), games=50)
    check_game(game_of(replace(SOUND, random_move=None, symmetries=[])), games=20, seed=5)


SMALL = {
    "batoo": "batoo:5x5",
    "breakthrough": "breakthrough:5x5,pawn_rows=1",
    "atari-go": "atari-go:5x5",
    "domineering": "domineering:4x4",
    "go": "go:5x5",
    "hex": "hex:3x3,swap=1",
    "havannah": "havannah:base=4,swap=1",
    "liars-dice": "liars-dice:sides=3",
    "phantom-four": "phantom-four:4x4",
    "phantom-go": "phantom-go:5x5",
    "rolit": "rolit:4x4",
}
"""The boards of the golden games, compiled for those, too."""
LARGE = (
    *("domineering:1x1", "domineering:9x8", "breakthrough:5x6,pawn_rows=1", "hex:5x5"),
    *("phantom-four:8x8", "nim:first=3,third=3,misere=1", "pig:target=1,sides=2,horizon=1"),
    *("morra:fingers=5,rounds=10", "havannah", "phantom-go", "kuhn-poker:players=3"),
)
OFTEN = ("domineering:4x4",)
NOW_AND_THEN = ("nim", "pig", "leduc-poker", "phantom-tic-tac-toe", "breakthrough:5x5,pawn_rows=1")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            text,
            marks=()
            if text in OFTEN
            else pytest.mark.slow
            if text in NOW_AND_THEN
            else pytest.mark.long,
        )
        for text in [*(SMALL.get(name, name) for name in BUILT_IN), *LARGE]
    ],
)
def test_built_in_games_pass(text: str) -> None:
    # Games of chess are long, and its random ones are tested against python-chess.
    check_game(text, games=10 if text == "chess" else 100)


# What a game says about itself.


@cases(
    globals(),
    r"""
    move_names 0: move_names=['a1', 'b1', 'A1', 'b2']
        moves 0 and 2 have the same name 'A1'
    move_names 1: move_names=['a1', 'b 1', 'a2', 'b2']
        the name 'b 1' of move 1 has a space in it
    move_names 2: move_names=['a1', 'b1', 'a2', 7]
        the name of move 3 is 7, not text
    board 3: board=Board(0, 2, '.XO')
        a board of 0x2 has no cells
    board 4: board=Board(2, 2, '.XO', letters='a')
        2 columns are more than 1 letters
    board 5: board=Board(2, 2, '')
        the board has no glyphs.*
    score 6: score=lambda state: 1
        score is not marked @compiled
    play 7: play=compiled(lambda state, move: np.random.random())
        play uses numpy.random; .*
    score 8: score=compiled(lambda state: randint(0, 2))
        score uses Python's random; rules .*
    max_plies 9: max_plies=-1
        max_plies is -1; it must be a whole number from 0 up
    symmetries 10: symmetries=[LEFT_RIGHT, UP_DOWN]
        symmetry 'left-right' followed by 'up-down' .*
    symmetries 11: symmetries=[LEFT_RIGHT, symmetry('again', 1, 0, 3, 2)]
        symmetry 'again' is the same as 'left-right'
    symmetries 12: symmetries=[symmetry('none', 0, 1, 2, 3)]
        .* the same as 'the identity'
    symmetries 13: symmetries=[symmetry('lossy', 0, 0, 2, 3)]
        .* takes two moves to the same move
    symmetries 14: symmetries=[symmetry('far', 0, 1, 2, 4)]
        .* takes b2 to no move of the game
    symmetries 15: symmetries=[symmetry('short', 1, 0)]
        .* is not one move number for each of 4
    """,
    often="all",
)
def test_wrong_facts(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **{"symmetries": [], **changes})


def test_version_zero_and_the_kinds_of_the_error() -> None:
    with pytest.raises(ConformanceError, match=r"^odd: version is 0; it must be a whole number"):
        check_game(game_of(SOUND, version=0))
    assert issubclass(ConformanceError, AssertionError)
    assert issubclass(ConformanceError, SeedfolioError)


# What is found by playing.


@compiled
def moves_twice(state: Any, out: Any, at: Any) -> Any:
    n = moves(state, out, at)
    if n == 2:
        out[at + 1] = out[at]
    return n


@compiled
def play_refusing(state: Any, move: Any) -> Any:
    if move == 2 and state[0] > 0:
        raise ValueError("a2 is mined")
    return play(state, move)


@compiled
def cells_missing(state: Any, out: Any) -> None:
    for cell in range(3):
        out[cell] = 0


@compiled
def random_first(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    return (int64(-1), step) if moves(state, out, at) == 0 else (int64(out[at]), step + 1)


@compiled
def random_double_step(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    move, after = random_move(state, key, step, out, at)
    return move, (after + 1 if after > step else after)


@compiled
def random_after_end(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    move, after = random_move(state, key, step, out, at)
    return (int64(0) if move < 0 else move), after


@cases(
    globals(),
    r"""
    twice: moves=moves_twice
        moves offers \S+ twice, after \S+ \S+
    no move: moves=compiled(lambda s, out, at: moves(s, out, at) + put(out, at, 5))
        moves offers 5, not 0 to 3, at start
    without at: moves=compiled(lambda s, out, at: moves(s, out, 0))
        moves writes to out\[at \+ -64\], outside of .* entries, at start
    beyond: moves=compiled(lambda s, out, at: moves(s, out, at) + put(out, at + 4, 1))
        moves writes to out\[at \+ 4\], outside of its max_moves=4 .* at start
    uncounted: moves=compiled(lambda s, out, at: moves(s, out, at) + (s[0] | s[1] in (7, 11,
        13, 14)))
        moves counts more moves than it writes, after( \S+){3}
    max_moves too small: max_moves=3
        moves returns 4, not 0 to max_moves=3, at .*
    nameless: move_names=['a1', 'b1', 'a2', ''], symmetries=[]
        moves offers move 3, which has no name in move_names, at start
    endless: play=compiled(lambda s, m: (s[0], s[1], 1 - s[2]) if m == 3 else play(s, m))
        the game goes on beyond max_plies=4, after( \S+){4}
    max_plies too small: max_plies=3
        the game goes on beyond max_plies=3, after( \S+){3}
    play that raises: play=play_refusing
        the rules raise ValueError: a2 is mined, after \S+.* a2
    third colour: mover=compiled(lambda s: s[2] if s[0] != 1 else 3)
        mover is 3, not 0 or 1, after a1
    score of three: score=compiled(lambda s: 3 if s[0] == 9 else score(s))
        score is 3, not 0, 1 or 2 half points, after (a1|b2) \S+ (a1|b2) \S+
    half a point: score=compiled(lambda s: 0.5)
        score is 0.5, not 0, 1 or 2 half points, after .*
    random by another number: random_move=random_first
        random_move plays \S+, not move number below\(key, step, n\) of .*
    random with two steps: random_move=random_double_step
        random_move raises step by 2, not by 1 \(by 0 when over\), .*
    random after the end: random_move=random_after_end
        random_move plays a1 when the game is over, not -1, after .*
    random that writes: random_move=compiled(lambda s, key, step, out, at: random_move(s, key,
        step, out, at + put(out, at - 1, 0)))
        random_move writes to out\[at \+ -1\], outside of .*, at start
    few glyphs: board=Board(2, 2, '.X')
        cells writes 2, not an index of glyphs, 0 to 1, after \S+.*
    cells missing: cells=cells_missing
        cells leaves out a cell, at start
    cells beyond: cells=compiled(lambda s, out: cells(s, out[put(out, 4, 0):]))
        cells writes to out\[4\] on 4 cells, at start
    """,
    often=(
        "twice",
        "play that raises",
        "random by another number",
        "cells beyond",
        "max_plies too small",
    ),
)
def test_wrong_play(changes: dict[str, Any], expected: str) -> None:
    own = {"random_move": None} if {"moves", "play"} & {*changes} else {}
    check_says(expected, SOUND, **{**own, **changes})


@compiled
def play_unsteady(state: Any, move: Any) -> Any:
    after = play(state, move)
    return after[0], after[1], (after[2] if np.random.random() < 0.9 else state[2])


@pytest.mark.slow
def test_play_by_a_random_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "random_numbers", lambda function: None)
    # The first games may happen to be the same twice; then it is a rollout that is not.
    check_says(
        r"(the same random game goes differently when played again, after \S+"
        "|rollout returns another result when called again, (after|at start)).*",
        SOUND,
        play=play_unsteady,
        symmetries=[],
    )


# Symmetries.


@compiled
def rows_differ(state: Any) -> Any:
    """The upper row wins, the lower one draws."""
    return 2 if state[0] == 0b1100 else score(state)


@cases(
    globals(),
    r"""
    the second only: score=rows_differ
        symmetry 'up-down' does not keep the score: compare .*
    the third only: score=rows_differ, symmetries=[LEFT_RIGHT, HALF_TURN, UP_DOWN]
        symmetry 'half-turn' does not keep the score: compare .*
    the first: symmetries=[symmetry('diagonal', 0, 2, 1, 3)]
        symmetry 'diagonal' does not keep the score: compare \S+.* after( \S+){4}
    moves: symmetries=[LEFT_RIGHT], moves=compiled(lambda s, out, at: min(moves(s, out, at),
        3)), random_move=None, play=compiled(lambda s, m: play(s, m))
        symmetry 'left-right' does not keep the moves: compare the start, at start
    """,
    often=("the second only",),
)
def test_symmetries_that_do_not_commute_with_play(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **changes)


# The evaluation of positions.


@compiled
def terms(state: Any, out: Any, at: Any) -> None:
    out[at] = (state[0] & 3) * (1 - 2 * state[2])
    out[at + 1] = 1


@compiled
def loud(state: Any, out: Any, at: Any) -> Any:
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


@compiled
def loud_twice(state: Any, out: Any, at: Any) -> Any:
    n = loud(state, out, at)
    out[at + 1] = out[at]
    return n


@cases(
    globals(),
    r"""
    no part compiled: gain=len
        gain of evaluation is not marked @compiled
    weight: weights={'row': 1.5}
        'row' of evaluation is 1.5, not a whole number
    scale: scale=0
        evaluation needs a term and a scale from 1 up
    term left out: weights={'row': 1, 'to move': 3, 'luck': 2}
        terms leaves out 'luck', at start
    term too many: weights={'row': 1}
        terms writes to out\[at \+ 1\], outside of its 1 terms, at start
    loud and illegal: loud=compiled(lambda s, out, at: -1 if s[0] | s[1] == 15 else 1
        + put(out, at, 3))
        loud offers b2 twice, or moves does not offer it, after .*b2.*
    loud twice: loud=loud_twice
        loud offers \S+ twice, .*, after .*
    loud after the end: loud=compiled(lambda s, out, at: max(loud(s, out, at), 0))
        loud returns 0 when the game is over, not -1, after .*
    loud beyond: loud=compiled(lambda s, out, at: loud(s, out, at) + put(out, at - 2, 1))
        loud writes to out\[at \+ -2\], outside of its max_moves=4 entries, at start
    loud without number: loud=compiled(lambda s, out, at: -1)
        loud returns -1, not 0 to max_moves=4, at start
    gain below zero: gain=compiled(lambda s, m: m - 1)
        gain of a1 is not a whole number from 0 up, at start
    key of two positions: key=compiled(lambda s: uint64(s[2]))
        key of evaluation is the same for states of other terms .*: compare .*, after .*
    uncompiled helper: terms=compiled(lambda s, out, at: put.py_func(out, at, 0))
        terms of evaluation does not compile: .*
    """,
    often=("no part compiled", "loud and illegal", "gain below zero", "key of two positions"),
)
def test_wrong_evaluations(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, evaluation=replace(EVALUATION, **changes))


# Positions that repeat: a token goes round four places; a new lap, at most two, starts all anew.
# A state is: place, mover, plies since the last lap, times that it occurred before, laps.


@compiled
def token_moves(state: Any, out: Any, at: Any) -> Any:
    if state[2] == 8 or state[3] == 2 or state[4] == 2:
        return 0
    for move in range(3):
        out[at + move] = move
    return 3


@compiled
def token_play(state: Any, move: Any) -> Any:
    place, turn, age, _, laps = state
    if move == 2:
        return int64(0), 1 - turn, int64(0), int64(0), laps + 1
    return (place + 2 * move + 3) % 4, 1 - turn, age + 1, int64(0), laps


@compiled
def token_key(state: Any) -> Any:
    return mix(uint64(state[0] + 4 * state[1] + 8 * state[4]))


TOKEN = Rules(
    start=compiled(lambda: (int64(0), int64(0), int64(0), int64(0), int64(0))),
    mover=compiled(lambda state: state[1]),
    moves=token_moves,
    play=token_play,
    score=compiled(lambda state: state[0] % 3),
    cells=compiled(lambda state, out: put(out, 0, state[0] + 4 * state[4])),
    move_names=["back", "on", "lap"],
    max_moves=3,
    max_plies=18,
    board=Board(1, 1, "0123456789AB"),
    repetition=Repetition(
        key=token_key,
        age=compiled(lambda state: state[2]),
        marked=compiled(lambda state, times: (state[0], state[1], state[2], times, state[4])),
        oldest=8,
    ),
    placed=compiled(lambda numbers, at: (numbers[at], numbers[at], int64(0), int64(0), int64(0))),
    setup=[0],
)


@pytest.mark.slow
def test_a_sound_game_with_repetition_and_evaluation_passes() -> None:
    evaluation = replace(
        EVALUATION,
        terms=compiled(lambda s, out, at: put(out, at, s[0]) + put(out, at + 1, s[4])),
        loud=None,
        key=token_key,
    )
    check_game(game_of(replace(TOKEN, evaluation=evaluation)), games=50)


@cases(
    globals(),
    r"""
    key of two positions: key=compiled(lambda s: uint64(s[0]))
        key of repetition is the same for different positions: compare .*, after .*
    old: oldest=7
        age is 8, not 0 to oldest=7, after .*
    age that jumps: age=compiled(lambda s: 2 * s[2]), oldest=16
        age is 2: a move makes it 0, or one more than before, after .*
    age that starts anew: age=compiled(lambda s: s[2] % 2)
        age is [01], but the position of \d plies before is the same, after .*
    another mover: marked=compiled(lambda s, times: (s[0], 1 - s[1], s[2], times, s[4]))
        marked changes more than how often the position occurred, at start
    no part compiled: age=len
        age of repetition is not marked @compiled
    """,
    often=("key of two positions", "age that starts anew"),
)
def test_wrong_repetition(changes: dict[str, Any], expected: str) -> None:
    assert TOKEN.repetition is not None
    check_says(expected, TOKEN, repetition=replace(TOKEN.repetition, **changes))


@pytest.mark.slow
def test_a_start_that_is_placed_elsewhere() -> None:
    check_says("placed makes another state of setup than start", TOKEN, setup=[1])


# Code that numba refuses.


def plain_helper(state: Any) -> Any:
    return state[0]


@compiled
def score_by_plain_helper(state: Any) -> Any:
    return plain_helper(state)


@compiled
def play_in_place(state: Any, move: Any) -> Any:
    state[0] = 1
    return state


@compiled
def play_unsigned_colour(state: Any, move: Any) -> Any:
    """The colour becomes a float: neither int64 nor uint64 holds all numbers of both."""
    first, second = state[0], state[1]
    if state[2] == 0:
        return first | int64(1) << move, second, uint64(1)
    return first, second | int64(1) << move, uint64(0)


@compiled
def play_array(state: Any, move: Any) -> Any:
    after = state.copy()
    after[0] |= (1 - state[2]) << move
    after[1] |= state[2] << move
    after[2] = 1 - state[2]
    return after


@cases(
    globals(),
    r"""
    plain helper: score=score_by_plain_helper
        score does not compile: plain_helper is not marked @compiled \(line \d+ of test_con.*
    in place: play=play_in_place
        play does not compile: No implementation of .*: setitem\(.*\) \(line \d+ of test_con.*
    shorter: play=compiled(lambda s, m: (s[0], s[1]))
        play returns a state of .*\(int64 x 2\), start one of .*\(int64 x 3\); use .*
    too few arguments: moves=compiled(lambda s: 0)
        moves does not compile: Signature mismatch: 3 .*
    unsigned: play=compiled(lambda s, m: (uint64(s[0] | int64(1) << m), s[1], 1 - s[2]))
        play returns a state of Tuple\(uint64, int64, int64\), .*
    float: play=play_unsigned_colour
        the state has a part of type float; all parts must be integers, .*
    array: start=compiled(lambda: np.zeros(3, np.int64)), play=play_array
        the state has a part of type ndarray; all parts must be integers, .*
    """,
    often=("plain helper",),
)
def test_code_that_does_not_compile(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, random_move=None, **changes)
