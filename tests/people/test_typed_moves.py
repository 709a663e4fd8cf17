"""Moves as people type them: understood where there is no doubt, refused where there is."""

import pytest

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.people.terminal import typed_move


def meant(text, game, history=()):
    moves = [game.parse_move(name) for name in history]
    return game.move_name(typed_move(text, game, game.position(moves)))


@pytest.mark.parametrize("text", ["e1e2", "e2e1", "E2E1", "e1 e2", "e2-e1", " e2, e1 ", "e2 > e1"])
def test_cells_of_a_domino_in_any_order(text):
    assert meant(text, load_game("domineering:5x5")) == "e1e2"


def test_spaces_and_the_second_player():
    game = load_game("domineering:5x5")
    assert meant("c3 b3", game, ["e1e2"]) == "b3c3"
    with pytest.raises(SpecificationError, match="b4b5 is not legal now"):
        meant("b5 b4", game, ["e1e2"])  # vertical, and the second player has horizontal ones
    assert meant("b5 b4", game) == "b4b5"


def test_a_pawn_that_steps():
    game = load_game("breakthrough:5x5")
    assert meant("b2 b3", game) == "b2b3"
    assert meant("b2-c3", game) == "b2c3"
    with pytest.raises(SpecificationError, match="b2b4"):
        meant("b2b4", game)
    with pytest.raises(SpecificationError, match="b3b2 is not legal now"):
        meant("b3b2", game)  # a move of the other player, not b2b3 the other way round


def test_points_of_go_in_any_case():
    game = load_game("go:5x5")
    assert meant("c3", game) == "C3"
    assert meant("PASS", game) == "pass"
    with pytest.raises(SpecificationError, match="C3 is not legal now"):
        meant("c 3", game, ["C3"])


@pytest.mark.parametrize("text", ["foo", "a9", "z1z2", "1/1"])
def test_what_is_no_move(text):
    with pytest.raises(SpecificationError, match="moves look like"):
        meant(text, load_game("domineering:5x5"))


def test_moves_without_cells():
    assert meant("2/1", load_game("morra")) == "2/1"
    assert meant("Roll", load_game("pig")) == "roll"
