"""Go against OpenSpiel's Go over whole games, and its rollout against one in plain Python."""

import numpy as np
import pyspiel
import pytest
from naive_go import NaiveGo, neighbours, openspiel_actions, point_of
from recording import recorder
from sparing import levels
from walking import names, random_history

from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import mix_int
from seedfolio.games import load_game

KOMI = 1.0
"""With a whole number of points there are draws."""


def ours(size):
    return load_game(f"go:{size}x{size},komi={KOMI}")


def board(state, size):
    rows = [line[3:] for line in str(state).splitlines()[2 : 2 + size]]
    return ["+XO".index(stone) for row in reversed(rows) for stone in row]


def plausible(cells, legal, colour, size):
    """All legal moves but into eyes; the pass if there is no other."""
    useful = set()
    for move in legal[:-1]:
        around = {
            cells[size * row + column] for row, column in neighbours(size, divmod(move, size))
        }
        if around != {colour + 1}:
            useful.add(move)
    return useful or {size * size}


def compare_game(theirs, record, size):
    """Replay a game of ours there, comparing everything; return how it ended."""
    state, number = theirs.new_initial_state(), openspiel_actions(size)
    moves, cells = number[record.moves].tolist(), record.cells.tolist()
    boards = {str(cells[0])}
    for ply, move in enumerate(moves):
        assert state.current_player() == record.movers[ply]
        legal = number[record.legal[ply, : record.counts[ply]]].tolist()
        assert state.legal_actions() == legal
        likely = record.plausible[ply]
        useful = plausible(cells[ply], legal, record.movers[ply], size)
        assert {*number[likely[likely >= 0]].tolist()} == useful
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
    assert set(record.plausible[-1]) == {-1}
    return "passes" if moves[-2:] == [size * size] * 2 else "length"


@levels(("size", "games"), [(5, 100)], slow=[(9, 4)], long=[(n, 150) for n in (6, 7, 8, 9)])
def test_whole_games_against_openspiel(size, games):
    form = f"go(board_size={size},komi={KOMI},max_game_length={3 * size * size})"
    theirs, record = pyspiel.load_game(form), recorder(ours(size))
    records = [record(number, lean=number % 2 == 1) for number in range(games)]
    ends = {compare_game(theirs, each, size) for each in records}
    assert "passes" in ends
    if games > 4:
        assert "repetition" in ends
        assert {each.score for each in records} == {0, 1, 2}
        assert max(len(each.moves) for each in records) == 3 * size**2 or size > 5


def test_a_pass_ends_ko():
    game = ours(5)
    text = "C2 D2 B3 E3 C4 D4 D3 C3 pass A1"
    history = [game.parse_move(name) for name in text.split()]
    assert "d3" in names(game, game.position(history).moves)


start = play = rollout = None


def _rollout_template(history, key, step, out):
    state = start()
    for move in history:
        state = play(state, move)
    return rollout(state, key, step, out, 0)


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, *(pytest.param(n, marks=pytest.mark.long) for n in (7, 9))])
def test_rollout_is_the_one_in_plain_python(size):
    game = ours(size)
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
        expected = naive.rollout(KOMI, colour, passes, left, key, 7)
        moves = np.array(history, np.int64).reshape(-1)
        scores.append(entry(moves, np.uint64(key), np.int64(7), out))
        assert scores[-1] == expected
    assert len(set(scores)) >= 2
