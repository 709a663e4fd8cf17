"""Hex and Havannah: kinds of win, random games that fill the board, and boards for people."""

import re
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from numba import int64
from scipy.stats import chisquare
from sparing import levels

from seedfolio import HexBoard, load_game, mix
from seedfolio.core.compiler import compiled_entry
from seedfolio.games.hex.grid import hex_grid
from seedfolio.games.hex.hex import hex_fill

HAVANNAH, HEX = "havannah:base=4,swap=1", "hex:3x3,swap=1"
LARGE = [*(f"havannah:base={n}" for n in range(5, 11)), *(f"hex:{n}x{n}" for n in range(4, 12))]

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


def with_answers(game, stones, colour, answers):
    """A game in which `colour` places `stones`, the other places `answers` and harmless ones."""
    free = [m for m in game.position([]).moves if m not in stones and m not in answers]
    # Two of every three are left out, so that nothing is connected.
    harmless = [*answers, *free[::3]]
    history = []
    for number, stone in enumerate(stones):
        history += [stone, harmless[number]] if colour == 0 else [harmless[number], stone]
    return history[:-1] if colour == 0 else history


def turns(game):
    return [range(len(game.rules.move_names)), *(s.moves for s in game.rules.symmetries)]


def named(game, text):
    return [game.parse_move(name) for name in text.split()]


@pytest.mark.parametrize("colour", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", WINS)
def test_each_kind_of_win_under_all_symmetries(kind, colour):
    game = load_game(HAVANNAH)
    assert len(turns(game)) == 12
    stones, answers = named(game, WINS[kind]), named(game, OTHERS.get(kind, ""))
    for turn in turns(game):
        moved = [int(turn[stone]) for stone in stones]
        given = [int(turn[answer]) for answer in answers]
        for first in range(len(stones)):
            turned = moved[first:] + moved[:first]
            if kind == "ring around a stone of its own":
                turned.sort(key=lambda stone: stone != int(turn[game.parse_move("c3")]))
            history = with_answers(game, turned, colour, given)
            end = game.position(history)
            assert (end.moves, end.score) == ((), 2 * (1 - colour)), game.draw(history)
            assert game.position(history[:-1]).moves


@pytest.mark.parametrize("kind", NO_WINS)
def test_what_does_not_win(kind):
    game = load_game(HAVANNAH)
    for turn in turns(game):
        stones = [int(turn[stone]) for stone in named(game, NO_WINS[kind])]
        assert game.position(with_answers(game, stones, 0, [])).moves


def test_a_full_board_without_a_winner_is_a_draw():
    game = load_game(HAVANNAH)
    drawn = named(
        game,
        "f3 c3 a3 g6 c6 b5 a4 d4 f7 d2 c4 e7 e4 f6 g7 c5 d5 f4 f5 b4 d1 e5 b1 e3 c2 b3 d6 c1 g5 g4"
        " d3 a1 e2 b2 a2 d7 e6",
    )
    assert game.position(drawn).score == 1
    assert game.position(drawn[:-1]).score is None


# Random games, by chains in Havannah, and in Hex by filling the board.
start = mover = moves = play = score = trace = random_move = rollout = None


def _traces_template(games, out):
    """Return the first game where trace, rollout and rules differ, or -1, and all points."""
    rolled, played = 0, 0
    for number in range(games):
        key = mix(np.uint64(2 * number))
        state, step = start(), int64(0)
        # From the start, where a trace does not tell in which order a stone is taken over, and
        # from some way on.
        for _ in range(number % 7):
            move, step = random_move(state, key, step, out, int64(0))
            if move >= 0:
                state = play(state, move)
        points, count = trace(state, key, step, out, int64(0))
        turn, over = state, moves(state, np.zeros(400, np.int64), 0) == 0
        next_ = [0, 0]
        while not over:
            colour = mover(turn)
            at = next_[colour]
            while at < count and out[at] & 1 != colour:
                at += 1
            if at == count:
                break
            next_[colour] = at + 1
            turn = play(turn, out[at] >> 1)
            over = moves(turn, np.zeros(400, np.int64), 0) == 0
        replayed = number % 7 < 2 or (over and score(turn) == points)
        if not replayed or rollout(state, key, step, out, int64(0)) != points:
            return number, rolled, played
        rolled += points
        key, step, move = mix(np.uint64(2 * number + 1)), int64(0), int64(0)
        while move >= 0:
            move, step = random_move(state, key, step, out, int64(0))
            if move >= 0:
                state = play(state, move)
        played += score(state)
    return -1, rolled, played


@levels("text", slow=[HAVANNAH, HEX], long=LARGE)
def test_random_games_to_the_end_are_games_by_the_rules_and_as_random(text):
    game, games = load_game(text), 20_000
    entry = compiled_entry(_traces_template, game.functions)
    wrong, rolled, played = entry(games, np.zeros(game.rules.room + game.rules.max_plies, np.int64))
    assert wrong == -1
    assert abs(rolled - played) / games < 4 * (2 / games) ** 0.5


def test_the_mover_gets_any_half_of_the_cells():
    share = hex_fill(hex_grid(HexBoard.rhombus(3))).share
    free = (0, 1, 4, 6, 9)
    empty = np.uint64(sum(1 << cell for cell in free))
    shares = [share(empty, np.uint64(mix(np.uint64(n))), 0) for n in range(20_000)]
    assert all(int(one) | int(other) == int(empty) and not one & other for one, other in shares)
    counts = Counter(int(one) for one, _ in shares)
    assert {*counts} == {sum(1 << cell for cell in three) for three in combinations(free, 3)}
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_boards_are_drawn_as_players_know_them():
    game = load_game(HAVANNAH)
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
    game = load_game(HEX)
    assert game.draw(named(game, "a1 c3")).splitlines() == [
        "  a b c",
        " 1 X . .",
        "  2 . . .",
        "   3 . . O",
    ]


def test_the_last_move_is_marked_and_colours_do_not_move_anything():
    board = HexBoard.rhombus(3)
    cells = [1, 0, 0, 0, 2, 0, 0, 0, 0]
    assert board.draw(cells, [4]).splitlines()[2] == "  2 .[O]."
    assert board.draw(cells, [2]).splitlines()[1] == " 1 X .(.)"
    painted = board.draw(cells, [4], lambda content, glyph: f"<{content}{glyph}>")
    assert re.sub(r"<\d(.)>", r"\1", painted) == board.draw(cells, [4])
    for no_cell in ("a5", "h1", "e1", "swap", "pass"):
        assert HexBoard.hexagon(4).cells_of(no_cell) == ()
