"""Go and Atari-Go against OpenSpiel's Go, and Go's rollout against one in plain Python."""

import random

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


def legal(state, size):
    player = state.current_player()
    return {
        state.action_to_string(player, action).split()[1]: action
        for action in state.legal_actions()
        if action != size * size
    }


def stones(state):
    board = str(state).split("\n", 2)[2]
    return board.count("X") + board.count("O")


def compare_atari_go(game, size, seed, careful):
    """Play a random game on both sides; `careful` players avoid all captures if they can."""
    draw = random.Random(seed)
    state = pyspiel.load_game(f"go(board_size={size})").new_initial_state()
    history = []
    while True:
        position = game.position(history)
        actions = legal(state, size)
        assert names(game, position.moves) == sorted(actions)
        if not actions:
            # The player to move has no legal move, and so has lost.
            assert position.score == 2 * position.mover
            return "no move"
        assert position.mover == state.current_player()
        order = sorted(actions)
        draw.shuffle(order)
        quiet = (name for name in order if careful and is_quiet(state, actions[name]))
        name = next(quiet, order[0])
        before = stones(state)
        state.apply_action(actions[name])
        history.append(game.parse_move(name))
        if stones(state) <= before:
            end = game.position(history)
            assert end.moves == ()
            assert end.score == 2 * (1 - position.mover)
            return "capture"


def is_quiet(state, action):
    """Tell whether a move captures nothing and leaves the opponent nothing to capture."""
    after = state.child(action)
    count = stones(after)
    return count > stones(state) and all(
        stones(after.child(reply)) > count for reply in after.legal_actions()[:-1]
    )


@levels("size", [5], long=[6, 7, 8, 9])
def test_atari_go_move_by_move(size):
    game = load_game(f"atari-go:{size}x{size}")
    ends = [compare_atari_go(game, size, seed, careful=False) for seed in range(30)]
    assert set(ends) == {"capture"}
    if size == 5:
        ends = [compare_atari_go(game, size, seed, careful=True) for seed in range(100)]
        assert ends.count("no move") >= 3
        assert ends.count("capture") >= 3
