"""Phantom Go with openspiel=1 against OpenSpiel's phantom_go, over random games."""

from collections import Counter

import numpy as np
import pyspiel
import pytest
from naive_go import openspiel_actions
from recording import recorder
from sparing import levels, one_in

from seedfolio.games import load_game

LOOK = 8
"""The whole state is compared at one ply in so many, and at the end; the rest at every ply."""
LETTERS = "ABCDEFGHJ"
STONES = str.maketrans("012", "+XO")


def picture(cells, size):
    """A board as OpenSpiel prints it."""
    text = "".join(map(str, cells.tolist())).translate(STONES)
    rows = [f" {row + 1} {text[row * size : (row + 1) * size]}\n" for row in reversed(range(size))]
    return "".join(rows) + f"   {LETTERS[:size]}\n"


def last_move(record, ply, is_pass):
    """What OpenSpiel tells both players of the move that led to position `ply`."""
    if record.refused[ply]:
        return "Previous move was observational\n"
    text = f"Previous move was valid{' and was a pass' if is_pass else ''}\n"
    captured = np.count_nonzero(record.cells[ply - 1]) - np.count_nonzero(record.cells[ply])
    captured += 0 if is_pass else 1
    return text + (f"In previous move {captured} stones were captured\n" if captured else "")


def whole_state(record, ply, is_pass, size):
    cells = record.cells[ply]
    black, white = np.count_nonzero(cells == 1), np.count_nonzero(cells == 2)
    mover = "BW"[record.movers[ply]]
    return (
        f"GoState(komi=3.5, to_play={mover}, history.size()={ply}, stones_count: w{white} b{black})"
        f"\n\n{picture(cells, size)}"
        f"\nObservation white:\n{picture(record.seen[1][ply], size)}"
        f"\nObservation black:\n{picture(record.seen[0][ply], size)}"
        f"\n{last_move(record, ply, is_pass)}"
    )


def compare_game(theirs, record, size, number, look):
    """Replay a game of ours there; return how it ended.

    Compared at every ply: what may be tried, whose turn it is (so whether the try was accepted),
    and whether it is over; at some, and at the end, the board, what each player sees, the numbers
    of stones and of captures.
    """
    state = theirs.new_initial_state()
    legal, moves = number[record.legal].tolist(), number[record.moves].tolist()
    movers, counts = record.movers.tolist(), record.counts.tolist()
    accepted = (record.refused == 0).tolist()
    boards = {record.cells[0].tobytes()}
    for ply, move in enumerate(moves, 1):
        assert state.legal_actions() == legal[ply - 1][: counts[ply - 1]]
        state.apply_action(move)
        repeats = False
        if accepted[ply] and move != size * size:
            cells = record.cells[ply].tobytes()
            repeats = cells in boards
            boards.add(cells)
        over = repeats or ply == len(moves)
        assert state.is_terminal() == over
        if over or ply % LOOK == look:
            assert str(state) == whole_state(record, ply, move == size * size, size)
        if repeats:
            # OpenSpiel calls it a draw; we play on.
            assert state.returns() == [0, 0]
            return "repetition"
        if not over:
            assert state.current_player() == movers[ply]
            assert accepted[ply] == (movers[ply] != movers[ply - 1])
    assert state.returns()[0] == record.score - 1
    return "passes" if moves[-2:] == [size * size] * 2 else "length"


def compare_games(size, games):
    theirs = pyspiel.load_game(f"phantom_go(board_size={size},komi=3.5)")
    record = recorder(load_game(f"phantom-go:{size}x{size},komi=3.5,openspiel=1"))
    number = openspiel_actions(size)
    return Counter(
        # In every third game the moves are plausible, for more stones on the board.
        compare_game(theirs, record(k, lean=k % 3 == 0), size, number, k % LOOK)
        for k in range(games)
    )


@levels("games", slow=[600], long=[10_000])
@pytest.mark.parametrize("size", one_in(3, [5, 7, 9]))
def test_random_games(size, games):
    ends = compare_games(size, games)
    assert sum(ends.values()) == games
    assert ends.keys() == {"passes", "length", "repetition"}
