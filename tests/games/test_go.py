"""Go against OpenSpiel's Go over whole games, and its rollout against one in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from naive_go import NaiveGo, openspiel_actions, point_of
from recording import Record, recorder
from walking import names, random_history

from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import mix_int
from seedfolio.games import load_game
from seedfolio.games.game import Game
from seedfolio.games.go.go import KOMI

SIZES = (5, 6, 7, 8, 9)


def play(game: Game, text: str) -> list[int]:
    return [game.parse_move(name) for name in text.split()]


# OpenSpiel.


def oracle(size: int, komi: float) -> Any:
    options = f"board_size={size},komi={komi},max_game_length={3 * size * size}"
    return pyspiel.load_game(f"go({options})").new_initial_state()


def board(state: Any, size: int) -> list[int]:
    rows = [line[3:] for line in str(state).splitlines()[2 : 2 + size]]
    return ["+XO".index(stone) for row in reversed(rows) for stone in row]


def compare_game(record: Record, size: int, komi: float) -> str:
    """Replay a game of ours there, comparing everything; return how it ended."""
    state, number = oracle(size, komi), openspiel_actions(size)
    legal, moves = number[record.legal].tolist(), number[record.moves].tolist()
    cells = record.cells.tolist()
    boards = {str(cells[0])}
    for ply, move in enumerate(moves):
        assert state.current_player() == record.movers[ply]
        assert state.legal_actions() == legal[ply][: record.counts[ply]]
        state.apply_action(move)
        assert board(state, size) == cells[ply + 1]
        if move != size * size and str(cells[ply + 1]) in boards:
            # OpenSpiel calls it a draw when the board repeats; we play on.
            assert state.is_terminal()
            assert state.returns() == [0, 0]
            return "repetition"
        boards.add(str(cells[ply + 1]))
        assert state.is_terminal() == (ply + 1 == len(moves))
    assert state.returns()[0] == record.score - 1
    return "passes" if moves[-2:] == [size * size] * 2 else "length"


@pytest.mark.parametrize(
    ("size", "komi", "games"),
    [
        (5, KOMI[5], 40),
        # Among the games counted with a whole number of points there are draws.
        pytest.param(5, 1.0, 150, marks=pytest.mark.slow),
        *(pytest.param(size, 1.0, 150, marks=pytest.mark.long) for size in SIZES[1:]),
    ],
)
def test_whole_games_against_openspiel(size: int, komi: float, games: int) -> None:
    ends, scores, longest = set(), set(), 0
    record = recorder(load_game(f"go:{size}x{size},komi={komi}"))
    for number in range(games):
        game = record(number, lean=number % 2 == 1)
        ends.add(compare_game(game, size, komi))
        scores.add(game.score)
        longest = max(longest, len(game.moves))
    assert "passes" in ends
    if games > 40:
        assert "repetition" in ends
        assert scores == {0, 1, 2}
        assert longest == 3 * size**2 or size > 5


# By hand.


def test_a_pass_ends_ko() -> None:
    game = load_game("go:5x5")
    history = play(game, "C2 D2 B3 E3 C4 D4 D3 C3 pass pass")
    assert game.position(history).score is not None
    history = play(game, "C2 D2 B3 E3 C4 D4 D3 C3 pass A1")
    assert "d3" in names(game, game.position(history).moves)


def test_empty_regions_count_for_the_one_colour_beside_them() -> None:
    # Black has columns A to C with 15 points, White has D and E with 10.
    walls = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass"
    game = load_game("go:5x5,komi=5")
    assert game.position(play(game, walls)).score == 1
    # A region that both border belongs to nobody, the empty board as well.
    game = load_game("go:5x5,komi=0")
    for text, score in (("pass pass", 1), ("A1 E5 pass pass", 1), ("A1 pass pass", 2), (walls, 2)):
        assert game.position(play(game, text)).score == score


# Plain Python.


@pytest.mark.parametrize("size", [5, pytest.param(9, marks=pytest.mark.slow)])
def test_plausible_moves_fill_no_eyes(size: int) -> None:
    record = recorder(load_game(f"go:{size}x{size}"))
    passes = 0
    for number in range(20 if size == 5 else 4):
        game = record(number, lean=True)
        naive, colour = NaiveGo(size), 0
        for ply, move in enumerate([*game.moves, None]):
            if game.counts[ply] == 0:
                assert set(game.plausible[ply]) == {-1}
                break
            legal = naive.legal(colour)
            assert {point_of(size, m) for m in game.legal[ply, : game.counts[ply]]} == legal | {
                None
            }
            useful = {
                p for p in legal if {naive.stones.get(q) for q in naive.around(p)} != {colour}
            }
            plausible = {point_of(size, m) for m in game.plausible[ply] if m >= 0}
            assert plausible == (useful or {None})
            passes += not useful
            point = None if move is None else point_of(size, int(move))
            naive.ko = None if point is None else naive.ko
            if point is not None:
                assert naive.place(point, colour) is not None
            colour = 1 - colour
    assert passes > 4


start: Any = None
rollout: Any = None


def _rollout_template(history: Any, key: Any, step: Any, out: Any) -> Any:
    state = start()
    for move in history:
        state = play(state, move)
    return rollout(state, key, step, out, 0)


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, *(pytest.param(n, marks=pytest.mark.long) for n in (7, 9))])
def test_rollout_is_the_one_in_plain_python(size: int) -> None:
    game = load_game(f"go:{size}x{size},komi=2")
    entry = compiled_entry(_rollout_template, game.functions)
    out = np.zeros(game.rules.max_moves, np.int64)
    scores = []
    for number in range(60 if size == 5 else 20):
        history = random_history(game, number, number % 5 * size * size // 4)
        naive, colour, passes = NaiveGo(size), 0, 0
        for move in history:
            point = point_of(size, move)
            passes = passes + 1 if point is None else 0
            naive.ko = None if point is None else naive.ko
            assert point is None or naive.place(point, colour) is not None
            colour = 1 - colour
        left, key = 3 * size * size - len(history), mix_int(number)
        expected = naive.rollout(2, colour, passes, left, key, 7)
        moves = np.array(history, np.int64).reshape(-1)
        scores.append(entry(moves, np.uint64(key), np.int64(7), out))
        assert scores[-1] == expected
    assert len(set(scores)) >= 2


# What one may ask for.


def test_komi_is_recorded() -> None:
    assert load_game("go:7x7").parameters == {"size": 7, "komi": KOMI[7]}
    assert load_game("go:7x7,komi=3").parameters == {"size": 7, "komi": 3}
    assert all(komi % 1 == 0.5 for komi in KOMI.values())
