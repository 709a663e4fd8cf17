"""Nim against the theorem on who wins."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game

ORDINALS = ("first", "second", "third", "fourth")


def ours(heaps: tuple[int, ...], misere: int = 0) -> Game:
    sizes = (*heaps, *(4 - len(heaps)) * [0])
    options = [f"{name}={size}" for name, size in zip(ORDINALS, sizes, strict=True)]
    return load_game(f"nim:{','.join(options)},misere={misere}")


def solve(game: Game) -> dict[tuple[tuple[int, ...], int], bool]:
    """Tell for all heaps and colours to move whether the mover wins, by trying everything."""
    rows, columns = game.rules.board.rows, game.rules.board.columns
    known: dict[tuple[tuple[int, ...], int], bool] = {}

    def mover_wins(history: list[int]) -> bool:
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
def test_the_theorem(misere: int) -> None:
    """Whoever is to move wins if the sizes do not cancel out in binary.

    In the misère form too, unless no heap has more than one object: then it is the reverse.
    """
    solved = solve(ours((3, 4, 5), misere))
    assert len(solved) > 200
    for (heaps, _), wins in solved.items():
        uneven = reduce(xor, heaps) != 0
        reverse = misere == 1 and max(heaps) <= 1
        assert wins == (uneven != reverse), heaps


def test_board_and_notation() -> None:
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


def test_what_follows_from_the_heaps() -> None:
    assert [s.name for s in ours((2, 3, 2)).rules.symmetries] == ["heaps 3 2 1"]
    assert len(ours((2, 2, 2, 2)).rules.symmetries) == 23
    assert not load_game("nim").rules.symmetries
    assert load_game("nim:first=0,third=0").rules.board.rows == 2
    assert load_game("nim").rules.small
    assert not load_game("nim:first=2").rules.small


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("first=27", "a heap must have 0 to 26 objects"),
        ("second=-1", "a heap must have 0 to 26 objects"),
        ("misere=2", r"misere must be 0 \(the last object wins\) or 1 \(it loses\), not 2"),
        ("first=0,second=0,third=0,fourth=0", "all heaps are empty"),
        ("fifth=3", "nim has no parameter 'fifth'; it has first, second, .*"),
    ],
)
def test_heaps_that_cannot_be(options: str, expected: str) -> None:
    with pytest.raises(SpecificationError, match=expected):
        load_game(f"nim:{options}")
