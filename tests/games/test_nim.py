"""Nim against OpenSpiel, and against the theorem on who wins."""

from __future__ import annotations

import random
import re
from functools import reduce
from operator import xor
from typing import Any

import pyspiel
import pytest
from walking import names

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game
from seedfolio.testing import check_game

ORDINALS = ("first", "second", "third", "fourth")


def ours(heaps: tuple[int, ...], misere: int = 0) -> Game:
    sizes = (*heaps, *(4 - len(heaps)) * [0])
    options = [f"{name}={size}" for name, size in zip(ORDINALS, sizes, strict=True)]
    return load_game(f"nim:{','.join(options)},misere={misere}")


def oracle(heaps: tuple[int, ...], misere: int) -> Any:
    piles = ";".join(str(size) for size in heaps)
    form = "true" if misere else "false"
    return pyspiel.load_game(f"nim(pile_sizes={piles},is_misere={form})").new_initial_state()


def piles(state: Any) -> list[int]:
    """`(0): 1 3 5 7` as [1, 3, 5, 7]."""
    return [int(size) for size in str(state).partition(": ")[2].split()]


def legal(state: Any) -> dict[str, int]:
    """OpenSpiel's actions (`pile:3, take:2;`) under our names (the leftmost object taken)."""
    player, actions = state.current_player(), {}
    for action in state.legal_actions():
        text = re.fullmatch(r"pile:(\d+), take:(\d+);", state.action_to_string(player, action))
        assert text is not None
        pile, take = int(text[1]), int(text[2])
        actions[f"{'abcdefghij'[piles(state)[pile - 1] - take]}{pile}"] = action
    return actions


@pytest.mark.parametrize("misere", [0, 1])
@pytest.mark.parametrize("heaps", [(1, 3, 5, 7), (3, 4, 5), (6, 2), (10, 1, 10, 10)])
def test_random_games_move_by_move(heaps: tuple[int, ...], misere: int) -> None:
    game = ours(heaps, misere)
    scores = set()
    for seed in range(100):
        draw = random.Random(seed)
        state, history = oracle(heaps, misere), list[int]()
        while not state.is_terminal():
            position = game.position(history)
            actions = legal(state)
            assert position.mover == state.current_player()
            assert names(game, position.moves) == sorted(actions)
            rows = position.cells.reshape(len(heaps), max(heaps))
            assert rows.sum(axis=1).tolist() == piles(state)
            name = draw.choice(sorted(actions))
            state.apply_action(actions[name])
            history.append(game.parse_move(name))
        position = game.position(history)
        assert not position.moves
        assert not position.cells.any()
        assert position.score == 1 + state.returns()[0]
        scores.add(position.score)
    assert scores == {0, 2}


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


def test_heaps_of_equal_size_may_be_exchanged() -> None:
    assert [s.name for s in ours((2, 3, 2)).rules.symmetries] == ["heaps 3 2 1"]
    assert len(ours((2, 2, 2, 2)).rules.symmetries) == 23
    assert not load_game("nim").rules.symmetries


def test_empty_heaps_are_left_out() -> None:
    assert load_game("nim:first=0,third=0").rules.board.rows == 2


def test_few_objects_are_small() -> None:
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


@pytest.mark.long
def test_conformance_with_other_rules() -> None:
    check_game(load_game("nim:first=3,third=3,misere=1"), games=100)
