"""The conformance suite passes the built-in games, and catches each kind of broken game.

The broken ones are made from one sound game: two players fill a board of 2x2 in turn; at the end
the first player wins with a diagonal, draws with a row and loses with a column.
"""

from __future__ import annotations

from dataclasses import replace
from random import randint
from typing import Any

import numpy as np
import pytest
from numba import int64, uint64
from sparing import one_in

from seedfolio.conformance import check as facts
from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.errors import SeedfolioError
from seedfolio.games import BUILT_IN, load_game
from seedfolio.games.board import Board
from seedfolio.games.game import Game
from seedfolio.games.rules import Rules, Symmetry
from seedfolio.testing import ConformanceError, check_game

FULL = 15


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


def game_of(rules: Rules, version: int = 1) -> Game:
    return Game("four", version, {}, "four", rules, source="four")


def check_says(expected: str, **changes: Any) -> None:
    """The sound game with `changes` fails in one line, which matches `expected`."""
    with pytest.raises(ConformanceError, match=f"^four: {expected}$") as caught:
        check_game(game_of(replace(SOUND, **changes)), games=20)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_sound_game_passes() -> None:
    check_game(game_of(SOUND))
    check_game(game_of(replace(SOUND, random_move=None, symmetries=[])), games=20, seed=5)


OTHER_BOARDS = [
    *("domineering:1x1", "domineering:9x8"),
    *("breakthrough:5x6,pawn_rows=1", "atari-go:5x5"),
]


SMALL = {"batoo": "batoo:5x5", "go": "go:5x5", "hex": "hex:5x5"}
"""Boards that compile in half the time of the default ones."""
SLOWEST = (
    *("chess", "havannah", "hex:5x5", "batoo:5x5", "phantom-four", "phantom-tic-tac-toe"),
    *("kuhn-poker", "leduc-poker", "liars-dice", "rolit"),
    *("phantom-go", "atari-go", "breakthrough", "go:5x5", "morra"),
)
LARGE = (*SLOWEST, "havannah:base=4,swap=1", "phantom-four:8x8", *OTHER_BOARDS[1:])
"""Those that take longest to compile; their own tests hold them against other programs."""


@pytest.mark.parametrize(
    "text",
    [
        "domineering",
        *(
            pytest.param(text, marks=pytest.mark.slow)
            for text in [*(SMALL.get(name, name) for name in BUILT_IN), OTHER_BOARDS[0]]
            if text not in ("domineering", *SLOWEST)
        ),
        *(pytest.param(text, marks=pytest.mark.long) for text in LARGE),
    ],
)
def test_built_in_games_pass(text: str) -> None:
    # Games of chess are long, and its random ones are tested against python-chess.
    check_game(load_game(text), games=10 if text == "chess" else 100)


def test_the_error_is_an_assertion_and_one_of_seedfolio() -> None:
    assert issubclass(ConformanceError, AssertionError)
    assert issubclass(ConformanceError, SeedfolioError)


# What a game says about itself.


def test_version_zero() -> None:
    with pytest.raises(
        ConformanceError, match=r"^four: version is 0; it must be a whole number from 1"
    ):
        check_game(game_of(SOUND, version=0))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a1", "b1", "A1", "b2"], "moves 0 and 2 have the same name 'A1'"),
        (["a1", "b 1", "a2", "b2"], "the name 'b 1' of move 1 has a space in it"),
        (["a1", "b1", "a2", 7], "the name of move 3 is 7, not text"),
    ],
)
def test_names_that_do_not_read_back(names: list[Any], expected: str) -> None:
    check_says(expected, move_names=names, symmetries=[])


def test_board_without_cells_letters_or_glyphs() -> None:
    check_says("a board of 0x2 has no cells", board=Board(0, 2, ".XO"))
    check_says("2 columns are more than 1 letters", board=Board(2, 2, ".XO", letters="a"))
    check_says("the board has no glyphs.*", board=Board(2, 2, ""))


def test_function_that_is_not_compiled() -> None:
    check_says("score is not marked @compiled", score=lambda state: 1)


# Moves.


@compiled
def moves_twice(state: Any, out: Any, at: Any) -> Any:
    n = moves(state, out, at)
    if n == 2:
        out[at + 1] = out[at]
    return n


@compiled
def moves_five(state: Any, out: Any, at: Any) -> Any:
    n = moves(state, out, at)
    if n == 3:
        out[at] = 5
    return n


@compiled
def moves_without_at(state: Any, out: Any, at: Any) -> Any:
    return moves(state, out, 0)


@compiled
def moves_beyond(state: Any, out: Any, at: Any) -> Any:
    out[at + 4] = 1
    return moves(state, out, at)


@compiled
def moves_uncounted(state: Any, out: Any, at: Any) -> Any:
    n = moves(state, out, at)
    return n + 1 if n == 1 else n


MOVES = r"(a1|b1|a2|b2)"


@pytest.mark.parametrize(
    ("broken_moves", "expected"),
    one_in(
        3,
        [
            (moves_twice, f"moves offers {MOVES} twice, after {MOVES} {MOVES}"),
            (moves_five, f"moves offers 5, not 0 to 3, after {MOVES}"),
            (
                moves_without_at,
                r"moves writes to out\[at \+ -64\], outside of .* entries, at start",
            ),
            (
                moves_beyond,
                r"moves writes to out\[at \+ 4\], outside of its max_moves=4 .* at start",
            ),
            (moves_uncounted, rf"moves counts more moves than it writes, after( {MOVES}){{3}}"),
        ],
    ),
)
def test_wrong_moves(broken_moves: Any, expected: str) -> None:
    check_says(expected, moves=broken_moves, random_move=None)


def test_max_moves_too_small() -> None:
    check_says("moves returns 4, not 0 to max_moves=3, at start", max_moves=3)


def test_nameless_move() -> None:
    check_says(
        "moves offers move 3, which has no name in move_names, at start",
        move_names=["a1", "b1", "a2", ""],
        symmetries=[],
    )


# Play, its end, and the player to move.


@compiled
def play_nothing(state: Any, move: Any) -> Any:
    if move == 3:
        return state[0], state[1], 1 - state[2]
    return play(state, move)


@compiled
def play_refusing(state: Any, move: Any) -> Any:
    if move == 2 and state[0] > 0:
        raise ValueError("a2 is mined")
    return play(state, move)


@compiled
def play_unsteady(state: Any, move: Any) -> Any:
    after = play(state, move)
    return after[0], after[1], (after[2] if np.random.random() < 0.9 else state[2])


@compiled
def mover_three(state: Any) -> Any:
    return state[2] if state[0] != 1 else 3


@compiled
def score_three(state: Any) -> Any:
    return 3 if state[0] == 9 else score(state)


@compiled
def score_half(state: Any) -> Any:
    return 0.5


def test_game_that_does_not_end() -> None:
    check_says(
        rf"the game goes on beyond max_plies=4, after( {MOVES}){{4}}",
        play=play_nothing,
        symmetries=[],
    )


def test_max_plies_too_small() -> None:
    check_says(rf"the game goes on beyond max_plies=3, after( {MOVES}){{3}}", max_plies=3)


def test_play_that_raises() -> None:
    check_says(
        f"the rules raise ValueError: a2 is mined, after {MOVES}.* a2",
        play=play_refusing,
        symmetries=[],
    )


def test_play_by_random_numbers_of_numpy() -> None:
    check_says(
        "play uses numpy.random; rules must not draw random numbers, a die is a mover: CHANCE",
        play=play_unsteady,
    )


@compiled
def score_by_helper(state: Any) -> Any:
    return randint(0, 2)


def test_score_by_random_numbers_of_python() -> None:
    check_says("score uses Python's random; rules must not .*", score=score_by_helper)


def test_play_by_a_random_number_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "random_numbers", lambda function: None)
    # The first games may happen to be the same twice; then it is a rollout that is not.
    check_says(
        f"(the same random game goes differently when played again, after {MOVES}"
        "|rollout returns another result when called again, (after|at start)).*",
        play=play_unsteady,
        symmetries=[],
    )


def test_third_colour() -> None:
    check_says("mover is 3, not 0 or 1, after a1", mover=mover_three)


def test_wrong_scores() -> None:
    check_says(
        r"score is 3, not 0, 1 or 2 half points, after (a1|b2) \S+ (a1|b2) \S+", score=score_three
    )
    check_says("score is 0.5, not 0, 1 or 2 half points, after .*", score=score_half)


# The fast random move.


@compiled
def random_first(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    if moves(state, out, at) == 0:
        return int64(-1), step
    return int64(out[at]), step + 1


@compiled
def random_double_step(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    move, after = random_move(state, key, step, out, at)
    return move, (after + 1 if after > step else after)


@compiled
def random_after_end(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    move, after = random_move(state, key, step, out, at)
    return (int64(0) if move < 0 else move), after


@compiled
def random_writer(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    out[at - 1] = 0
    return random_move(state, key, step, out, at)


@pytest.mark.parametrize(
    ("broken_random_move", "expected"),
    one_in(
        3,
        [
            (random_first, r"random_move plays \S+, not move number below\(key, step, n\) of .*"),
            (random_double_step, r"random_move raises step by 2, not by 1 \(by 0 when over\), .*"),
            (random_after_end, "random_move plays a1 when the game is over, not -1, after .*"),
            (random_writer, r"random_move writes to out\[at \+ -1\], outside of .*, at start"),
        ],
    ),
)
def test_wrong_random_move(broken_random_move: Any, expected: str) -> None:
    check_says(expected, random_move=broken_random_move)


# The board.


@compiled
def cells_missing(state: Any, out: Any) -> None:
    for cell in range(3):
        out[cell] = 0


@compiled
def cells_beyond(state: Any, out: Any) -> None:
    cells(state, out)
    out[4] = 0


@pytest.mark.parametrize(
    ("changes", "expected"),
    one_in(
        3,
        [
            (
                {"board": Board(2, 2, ".X")},
                f"cells writes 2, not an index of glyphs, 0 to 1, after {MOVES}.*",
            ),
            ({"cells": cells_missing}, "cells leaves out a cell, at start"),
            ({"cells": cells_beyond}, r"cells writes to out\[4\] on 4 cells, at start"),
        ],
    ),
)
def test_wrong_cells(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, **changes)


# Symmetries.


@pytest.mark.parametrize(
    ("symmetries", "expected"),
    [
        ([LEFT_RIGHT, UP_DOWN], "symmetry 'left-right' followed by 'up-down' is missing .*"),
        ([LEFT_RIGHT, symmetry("again", 1, 0, 3, 2)], "symmetry 'again' is the same as 'left-.*"),
        ([symmetry("none", 0, 1, 2, 3)], "symmetry 'none' is the same as 'the identity'"),
        ([symmetry("lossy", 0, 0, 2, 3)], "symmetry 'lossy' takes two moves to the same move"),
        ([symmetry("far", 0, 1, 2, 4)], "symmetry 'far' takes b2 to no move of the game"),
        ([symmetry("short", 1, 0)], "symmetry 'short' is not one move number for each of 4"),
    ],
)
def test_symmetries_that_are_no_group(symmetries: list[Symmetry], expected: str) -> None:
    check_says(expected, symmetries=symmetries)


@compiled
def moves_in_corner(state: Any, out: Any, at: Any) -> Any:
    """The first move is never made on b2."""
    n = moves(state, out, at)
    return 3 if n == 4 else n


def test_symmetries_that_do_not_commute_with_play() -> None:
    diagonal = [symmetry("diagonal", 0, 2, 1, 3)]
    check_says(
        rf"symmetry 'diagonal' does not keep the score: compare {MOVES}.* after( {MOVES}){{4}}",
        symmetries=diagonal,
    )
    check_says(
        "symmetry 'left-right' does not keep the moves: compare the start, at start",
        symmetries=[LEFT_RIGHT],
        moves=moves_in_corner,
        random_move=None,
    )


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
def play_shorter(state: Any, move: Any) -> Any:
    return state[0], state[1]


@compiled
def play_unsigned(state: Any, move: Any) -> Any:
    after = play(state, move)
    return uint64(after[0]), after[1], after[2]


@compiled
def play_unsigned_colour(state: Any, move: Any) -> Any:
    """The colour becomes a float: neither int64 nor uint64 holds all numbers of both."""
    first, second = state[0], state[1]
    if state[2] == 0:
        return first | int64(1) << move, second, uint64(1)
    return first, second | int64(1) << move, uint64(0)


@compiled
def moves_without_room(state: Any) -> Any:
    return 0


@compiled
def start_array() -> Any:
    return np.zeros(3, np.int64)


@compiled
def play_array(state: Any, move: Any) -> Any:
    after = state.copy()
    after[0] |= (1 - state[2]) << move
    after[1] |= state[2] << move
    after[2] = 1 - state[2]
    return after


@pytest.mark.parametrize(
    ("changes", "expected"),
    one_in(
        3,
        [
            (
                {"score": score_by_plain_helper},
                r"score does not compile: plain_helper is not marked @compiled"
                r" \(line \d+ of test_conformance.py\)",
            ),
            (
                {"play": play_in_place},
                r"play does not compile: No implementation of function .*setitem.*: setitem\(.*\)"
                r" \(line \d+ of test_conformance.py\)",
            ),
            (
                {"play": play_shorter},
                r"play returns a state of .*\(int64 x 2\), start one of .*\(int64 x 3\); use .*",
            ),
            ({"moves": moves_without_room}, "moves does not compile: Signature mismatch: 3 .*"),
            ({"play": play_unsigned}, r"play returns a state of Tuple\(uint64, int64, int64\), .*"),
            (
                {"play": play_unsigned_colour},
                "the state has a part of type float; all parts must be integers, .*",
            ),
            (
                {"start": start_array, "play": play_array},
                "the state has a part of type ndarray; all parts must be integers, .*",
            ),
        ],
    ),
)
def test_code_that_does_not_compile(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, random_move=None, **changes)
