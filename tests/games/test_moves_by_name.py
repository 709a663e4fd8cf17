"""Moves are given by number or by name, wherever a user gives them."""

import numpy as np
import pytest

from seedfolio import SpecificationError, load_game, load_program

GAME = load_game("domineering:4x4")
NAMES = ["b1b2", "c3d3", "A1a2"]
NUMBERS = [GAME.parse_move(name) for name in NAMES]
GIVEN = [
    NAMES,
    tuple(NAMES),
    [NUMBERS[0], *NAMES[1:]],
    np.array(NUMBERS),
    list(map(np.int64, NUMBERS)),
]


@pytest.mark.parametrize("history", GIVEN, ids=str)
def test_a_game_takes_both(history):
    assert GAME.position(history).moves == GAME.position(NUMBERS).moves
    assert GAME.information(history, 1).events == GAME.information(NUMBERS, 1).events
    assert GAME.picture(history) == GAME.picture(NUMBERS)
    assert GAME.draw(history) == GAME.draw(NUMBERS)


def test_a_program_takes_both():
    program = load_program(GAME, "table")
    assert program.choose(NAMES, 7) == program.choose(NUMBERS, 7)


def test_a_name_that_is_a_number_is_a_name():
    pig = load_game("pig")
    roll, three = pig.parse_move("roll"), pig.parse_move("3")
    assert three != 3
    assert pig.position(["roll", "3"]).moves == pig.position([roll, three]).moves
    assert pig.odds(["roll"]) == pig.odds([roll])
    assert pig.draw_outcome(["roll"], 5) == pig.draw_outcome([roll], 5)


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (["b1b2", "z9"], "'z9' is not a move of domineering 4x4"),
        (["b1b2", "B1B2"], r"move 2 \(b1b2\) is illegal"),
        ("b1b2", r"a list such as \['b1b2'\], not the text itself"),
        ([1.0], "a move is a number or a name, not 1.0"),
        ([None], "a move is a number or a name, not None"),
        ([2**70], "no move has such a number"),
    ],
)
def test_what_is_no_move(history, message):
    for ask in (GAME.position, lambda moves: load_program(GAME, "table").choose(moves, 1)):
        with pytest.raises(SpecificationError, match=message):
            ask(history)
