"""Nim against the theorem on who wins."""

from functools import reduce
from operator import xor

import pytest

from seedfolio import SpecificationError, load_game

ORDINALS = ("first", "second", "third", "fourth")


def ours(heaps, misere=0):
    sizes = (*heaps, *(4 - len(heaps)) * [0])
    options = [f"{name}={size}" for name, size in zip(ORDINALS, sizes, strict=True)]
    return load_game(f"nim:{','.join(options)},misere={misere}")


def solve(game):
    rows, columns = game.rules.board.rows, game.rules.board.columns
    known = {}

    def mover_wins(history):
        position = game.position(history)
        heaps = tuple(position.cells.reshape(rows, columns).sum(axis=1).tolist())
        place = heaps, position.mover
        if not position.moves:
            known[place] = position.score == (2 if position.mover == 0 else 0)
        if place not in known:
            after = [mover_wins([*history, move]) for move in position.moves]
            known[place] = not all(after)
        return known[place]

    mover_wins([])
    return known


@pytest.mark.parametrize("misere", [0, 1])
def test_the_theorem(misere):
    """The mover wins if the sizes do not cancel out in binary; misère with ones: the reverse."""
    solved = solve(ours((3, 4, 5), misere))
    assert len(solved) > 200
    for (heaps, _), wins in solved.items():
        uneven = reduce(xor, heaps) != 0
        reverse = misere == 1 and max(heaps) <= 1
        assert wins == (uneven != reverse), heaps


def test_board_and_notation():
    game = load_game("nim")
    assert game.text == "nim"
    assert game.draw([game.parse_move("c4")]).splitlines() == [
        "   a b c d e f g",
        " 4 o o . . . . . 4",
        " 3 o o o o o . . 3",
        " 2 o o o . . . . 2",
        " 1 o . . . . . . 1",
        "   a b c d e f g",
    ]
    with pytest.raises(SpecificationError, match="'d2' is not a move"):
        game.parse_move("d2")


def test_what_follows_from_the_heaps():
    assert [s.name for s in ours((2, 3, 2)).rules.symmetries] == ["heaps 3 2 1"]
    assert len(ours((2, 2, 2, 2)).rules.symmetries) == 23
    assert not load_game("nim").rules.symmetries
    assert load_game("nim:first=0,third=0").rules.board.rows == 2
    assert load_game("nim").rules.small
    assert not load_game("nim:first=2").rules.small
