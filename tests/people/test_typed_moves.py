"""Moves as people type them: understood where there is no doubt, refused where there is."""

import pytest

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.people.terminal import typed_move


def meant(text, game, history=()):
    moves = [game.parse_move(name) for name in history]
    return game.move_name(typed_move(text, game, game.position(moves)))


UNDERSTOOD = [
    *(
        ("domineering:5x5", "", text, "e1e2")
        for text in ("e1e2", "e2e1", "E2E1", "e1 e2", "e2-e1", " e2, e1 ", "e2 > e1")
    ),
    ("domineering:5x5", "e1e2", "c3 b3", "b3c3"),
    ("domineering:5x5", "", "b5 b4", "b4b5"),
    ("breakthrough:5x5", "", "b2 b3", "b2b3"),
    ("breakthrough:5x5", "", "b2-c3", "b2c3"),
    ("go:5x5", "", "c3", "C3"),
    ("go:5x5", "", "PASS", "pass"),
    ("morra", "", "2/1", "2/1"),
    ("pig", "", "Roll", "roll"),
]
REFUSED = [
    ("domineering:5x5", "e1e2", "b5 b4", "b4b5 is not legal now"),  # the second has others
    ("breakthrough:5x5", "", "b2b4", "b2b4"),
    ("breakthrough:5x5", "", "b3b2", "b3b2 is not legal now"),  # not b2b3 the other way round
    ("go:5x5", "C3", "c 3", "C3 is not legal now"),
    *(("domineering:5x5", "", text, "moves look like") for text in ("foo", "a9", "z1z2", "1/1")),
]


@pytest.mark.parametrize(("name", "before", "text", "move"), UNDERSTOOD)
def test_what_is_understood(name, before, text, move):
    assert meant(text, load_game(name), before.split()) == move


@pytest.mark.parametrize(("name", "before", "text", "problem"), REFUSED)
def test_what_is_refused(name, before, text, problem):
    with pytest.raises(SpecificationError, match=problem):
        meant(text, load_game(name), before.split())
