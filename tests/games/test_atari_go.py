"""Atari-Go against OpenSpiel's Go up to the first capture."""

import random

import pyspiel
from sparing import levels
from walking import names

from seedfolio.games import load_game


def ours(size):
    return load_game(f"atari-go:{size}x{size}")


def legal(state, size):
    """OpenSpiel's legal moves but the pass; it calls them `B a1`."""
    player = state.current_player()
    return {
        state.action_to_string(player, action).split()[1]: action
        for action in state.legal_actions()
        if action != size * size
    }


def stones(state):
    board = str(state).split("\n", 2)[2]
    return board.count("X") + board.count("O")


def compare_game(game, size, seed, careful):
    """Play a random game on both sides, comparing them; return how it ended.

    `careful` players do not capture if they can help it, nor let themselves be captured.
    """
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
def test_random_games_move_by_move(size):
    game = ours(size)
    ends = [compare_game(game, size, seed, careful=False) for seed in range(30)]
    assert set(ends) == {"capture"}
    if size == 5:
        ends = [compare_game(game, size, seed, careful=True) for seed in range(100)]
        assert ends.count("no move") >= 3
        assert ends.count("capture") >= 3


def test_player_without_a_legal_move_loses():
    game = ours(5)
    text = "B1 A2 A3 C5 D1 B4 C4 E5 C3 B5 C2 A5 E1 D3 B3 E3 C1 E4 A4 D5 D4 A1 E2"
    history = [game.parse_move(name) for name in text.split()]
    # White is to move. Both empty points would be suicide.
    assert game.draw(history).splitlines()[1:6] == [
        " 5 O O O O O 5",
        " 4 X O X X O 4",
        " 3 X X X O O 3",
        " 2 O . X . X 2",
        " 1 O X X X X 1",
    ]
    end = game.position(history)
    assert (end.mover, end.moves, end.score) == (1, (), 2)
