"""Referees of Go: an engine's judge and Seedfolio's game, with the same numbers of moves."""

import numpy as np
import pytest

from seedfolio import SpecificationError, load_game
from seedfolio.opponents.referee import SKIPPED, JudgeReferee
from seedfolio.papers.gnu_go import classical, gnu_go


@pytest.fixture
def by_judge():
    """Return a judge that is not asked whether a move is legal, so that no process starts."""
    return JudgeReferee(gnu_go(5, 6.5, classical(1)).make_judge(), 5)


def test_moves_have_the_numbers_of_the_game(by_judge):
    names = load_game("go:5x5,komi=6.5").rules.move_names
    moves = [move for move, name in enumerate(names) if name]
    assert sorted(by_judge.legal(())) == moves
    for move in moves:
        assert by_judge.name((), move).lower() == names[move].lower()
        assert by_judge.parse((), names[move]) == move
    with pytest.raises(SpecificationError, match="number 5 is not a legal move"):
        by_judge.name((), 5)  # beside the board
    with pytest.raises(SpecificationError, match="f1 is not legal now"):
        by_judge.parse((), "f1")


def test_a_colour_that_lost_its_turn_made_no_move(by_judge):
    c3, d3 = (by_judge.parse((), name) for name in ("c3", "d3"))
    assert by_judge.turn_of(0, ()) == ()
    assert by_judge.turn_of(1, ()) == (SKIPPED,)
    assert by_judge.told((SKIPPED, c3, SKIPPED, d3)) == [(1, "c3"), (1, "d3")]
    assert by_judge.turn_of(0, (c3, d3)) == (c3, d3)
    assert by_judge.told((c3, d3)) == [(0, "c3"), (1, "d3")]
    # No book has a game in which a colour moved twice.
    words = np.zeros(3, np.uint64)
    assert by_judge.book_move((SKIPPED, c3), words, 0, 7) is None
