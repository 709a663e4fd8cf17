"""Havannah against OpenSpiel, its kinds of win under all symmetries, and its random games."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from hex_walks import mean_scores, replay_with, traces_with

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game

BASES = range(4, 11)
BOARD = "havannah:base=4,swap=1"
bases = pytest.mark.parametrize(
    "base",
    [pytest.param(b, marks=pytest.mark.slow if b == 4 else pytest.mark.long) for b in BASES],
)


def oracle_game(game: Any, seed: int, number: Any) -> tuple[list[int], list[list[int]], int]:
    """The moves of a random game, the legal moves before each, and the score, all in our numbers.

    `number` takes OpenSpiel's number of a move to ours.
    """
    draw = random.Random(seed)
    state = game.new_initial_state()
    history, legal = [], []
    while not state.is_terminal():
        actions = state.legal_actions()
        action = actions[int(draw.random() * len(actions))]
        legal.append([number(each) for each in actions])
        history.append(number(action))
        state.apply_action(action)
    return history, legal, int(state.returns()[0]) + 1


def check_random_games(base: int, seeds: range) -> set[int]:
    game = load_game(f"havannah:base={base}")
    oracle = pyspiel.load_game(f"havannah(board_size={base})")
    replay = replay_with(game)
    first = game.parse_move("a1")
    found = set()
    for seed in seeds:
        history, legal, score = oracle_game(oracle, seed, lambda action: first + action)
        assert replay(history, legal) == (-1, score), (base, seed)
        found.add(score)
    return found


@bases
def test_random_games_ply_by_ply(base: int) -> None:
    assert check_random_games(base, range(1000 if base == 4 else 20_000)) >= {0, 2}


# Whichever stone is placed last wins, but the one in the middle of a filled ring.
WINS = {
    "ring": "b2 c2 d3 d4 c4 b3",
    "ring around a stone of its own": "b2 c3 c2 d3 d4 c4 b3",
    "ring around the other's stones": "b2 c2 d2 e3 e4 d4 c4 b3",
    "bridge": "a1 b1 c1 d1",
    "fork": "b1 b2 b3 a3 c4 d5 e6 f7",
    "bridge along the middle": "a4 b4 c4 d4 e4 f4 g4",
}
OTHERS = {"ring around the other's stones": "c3 d3"}
NO_WINS = {
    "two sides and a corner": "a1 a2 b2 b1",
    "a loop around nothing": "b2 b3 c3",
    "a full row of the middle but one": "a4 b4 c4 d4 e4 f4",
}


def with_answers(game: Game, stones: list[int], colour: int, answers: list[int]) -> list[int]:
    """A game in which `colour` places `stones`, and the other places `answers` and harmless ones.

    Only the last stone may end it.
    """
    free = [m for m in game.position([]).moves if m not in stones and m not in answers]
    # Two of every three are left out, so that nothing is connected.
    harmless = [*answers, *free[::3]]
    history: list[int] = []
    for number, stone in enumerate(stones):
        history += [stone, harmless[number]] if colour == 0 else [harmless[number], stone]
    return history[:-1] if colour == 0 else history


def turns(game: Game) -> list[Any]:
    return [range(len(game.rules.move_names)), *(s.moves for s in game.rules.symmetries)]


def named(game: Game, text: str) -> list[int]:
    return [game.parse_move(name) for name in text.split()]


@pytest.mark.parametrize("colour", [0, 1])
@pytest.mark.parametrize("kind", WINS)
def test_each_kind_of_win_under_all_symmetries(kind: str, colour: int) -> None:
    game = load_game(BOARD)
    assert len(turns(game)) == 12
    stones, answers = named(game, WINS[kind]), named(game, OTHERS.get(kind, ""))
    for turn in turns(game):
        moved = [int(turn[stone]) for stone in stones]
        given = [int(turn[answer]) for answer in answers]
        # The last stone may be any of them.
        for first in range(len(stones)):
            turned = moved[first:] + moved[:first]
            if kind == "ring around a stone of its own":
                turned.sort(key=lambda stone: stone != int(turn[game.parse_move("c3")]))
            history = with_answers(game, turned, colour, given)
            end = game.position(history)
            assert (end.moves, end.score) == ((), 2 * (1 - colour)), game.draw(history)
            assert game.position(history[:-1]).moves


@pytest.mark.parametrize("kind", NO_WINS)
def test_what_does_not_win(kind: str) -> None:
    game = load_game(BOARD)
    for turn in turns(game):
        stones = [int(turn[stone]) for stone in named(game, NO_WINS[kind])]
        assert game.position(with_answers(game, stones, 0, [])).moves


def test_a_full_board_without_a_winner_is_a_draw() -> None:
    # Found by random play: draws are rare.
    game = load_game(BOARD)
    oracle = pyspiel.load_game("havannah(board_size=4)")
    first = game.parse_move("a1")
    for seed in range(40_000):
        history, _, score = oracle_game(oracle, seed, lambda action: first + action)
        if score == 1:
            assert len(history) == 37
            assert game.position(history).score == 1
            assert game.position(history[:-1]).score is None
            return
    pytest.fail("no draw found")


@bases
def test_random_games_by_chains_are_games_by_the_rules(base: int) -> None:
    wrong, points = traces_with(load_game(f"havannah:base={base}"))(20_000)
    assert wrong == -1
    assert points > 0


@pytest.mark.slow
def test_random_games_by_chains_are_as_random_as_others() -> None:
    game = load_game(BOARD)
    # The second player may take the stone, or leave it.
    for opening in ([], named(game, "d4")):
        rolled, played = mean_scores(game, opening, 40_000)
        assert abs(rolled - played) < 4 * (2 / 40_000) ** 0.5


def test_swap_takes_over_the_first_stone() -> None:
    game = load_game(BOARD)
    assert "swap" not in [game.move_name(move) for move in game.position([]).moves]
    before = named(game, "d4")
    assert game.parse_move("swap") in game.position(before).moves
    after = game.position([*before, game.parse_move("swap")])
    assert after.mover == 0
    assert after.cells.max() == 2
    assert len(after.moves) == 36
    later = game.position(named(game, "d4 a1"))
    assert game.parse_move("swap") not in later.moves
    assert game.parse_move("swap") not in game.position(named(game, "d4 swap a1")).moves


def test_the_board_is_drawn_as_players_know_it() -> None:
    game = load_game(BOARD)
    assert game.draw(named(game, "a1 g4 d7")).splitlines() == [
        "       a b c d",
        "    1 X . . . e",
        "   2 . . . . . f",
        "  3 . . . . . . g",
        " 4 . . . . . . O",
        "  5 . . . . . .",
        "   6 . . . . .",
        "    7 X . . .",
    ]


@pytest.mark.parametrize("options", ["base=3", "base=11", "base=5,swap=2", "7x7"])
def test_boards_that_cannot_be(options: str) -> None:
    with pytest.raises(SpecificationError, match=r"^havannah"):
        load_game(f"havannah:{options}")
