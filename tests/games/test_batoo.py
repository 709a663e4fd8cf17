"""Batoo against stones in plain Python, and what each player knows of the other's choice."""

from collections import Counter

import numpy as np
import pytest
from naive_go import NaiveGo, point_of
from recording import recorder
from scipy.stats import chisquare

from seedfolio.core.compiler import compiled_entry
from seedfolio.games import load_game
from seedfolio.games.go.batoo import KOMI

SIZE, BASE = 5, 3
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def game():
    return load_game("batoo:5x5")


def play(game, text):
    return [game.parse_move(name) for name in text.split()]


def revealed(black, white, size):
    """The board on which both base builds have been put."""
    board = NaiveGo(size)
    board.stones = dict.fromkeys(black - white, 0) | dict.fromkeys(white - black, 1)
    dead = {stone for stone in board.stones if board.chain_without_liberty(stone)}
    board.stones = {p: colour for p, colour in board.stones.items() if p not in dead}
    return board


def shown(board):
    return [1 + board.stones[p] if p in board.stones else 0 for p in board.points()]


def legal_points(record, ply, size):
    return [point_of(size, int(m)) for m in record.legal[ply, : record.counts[ply]]]


def check_building(record, size, base):
    chosen = set(), set()
    points = NaiveGo(size).points()
    for ply in range(2 * base):
        colour = ply // base
        assert record.movers[ply] == colour
        free = [p for p in points if p not in chosen[colour]]
        assert legal_points(record, ply, size) == free
        assert [point_of(size, int(m)) for m in record.plausible[ply] if m >= 0] == free
        both = [(p in chosen[0]) + 2 * (p in chosen[1]) for p in points]
        assert record.cells[ply].tolist() == both
        for side in (0, 1):
            own = [(side + 1) * (p in chosen[side]) for p in points]
            assert record.seen[side][ply].tolist() == own
        point = point_of(size, int(record.moves[ply]))
        chosen[colour].add(point)
    return revealed(*chosen, size)


def check_go(record, board, first):
    passes, colour, end = 0, 0, len(record.moves)
    for ply in range(first, end + 1):
        assert record.movers[ply] == colour
        for seen in (record.cells, *record.seen):
            assert seen[ply].tolist() == shown(board)
        if ply == end:
            break
        assert set(legal_points(record, ply, board.size)) == {*board.legal(colour), None}
        point = point_of(board.size, int(record.moves[ply]))
        passes = passes + 1 if point is None else 0
        board.ko = None if point is None else board.ko
        assert point is None or board.place(point, colour) is not None
        colour = 1 - colour
    assert passes == 2 or end == first + 3 * board.size**2
    assert record.score == board.half_points(KOMI)


def test_whole_games_against_plain_python(game):
    record = recorder(game)
    collisions = 0
    for number in range(40):
        played = record(number, lean=number % 2 == 1)
        board = check_building(played, SIZE, BASE)
        collisions += len(board.stones) < 2 * BASE
        check_go(played, board, 2 * BASE)
    assert 5 < collisions < 38


def test_stones_without_liberty_are_removed_of_both_colours_at_once(game):
    assert game.draw(play(game, "A1 A3 B2 A2 B1 E5")).splitlines()[3:6] == [
        " 3 X . . . . 3",
        " 2 . X . . . 2",
        " 1 . O . . . 1",
    ]


def test_white_chooses_without_knowing(game):
    builds = ["A1 B2 C3", "E5 D4 C3", "B2 A1 E1"]
    for own in ("", "C3", "C3 A1"):
        seen = [game.information(play(game, f"{build} {own}"), 1) for build in builds]
        assert len({(known.history, tuple(known.cells)) for known in seen}) == 1
    seen = [game.information(play(game, f"{build} C3 A1 E4"), 1) for build in builds]
    assert len({known.history for known in seen}) == 3


def test_black_learns_the_choice_but_not_its_order(game):
    def known(white):
        return game.information(play(game, f"A1 B2 C3 {white}"), 0).history

    assert known("C3 D4") == known("E1 E2"), "not before it is complete"
    assert known("C3 D4 E5") == known("E5 C3 D4")
    # The board is the same, and yet it is known who had chosen what.
    assert known("C3 D4 E5") != known("B2 D4 E5")


start = view = complete = cells = None


def _drawn_template(history, keys, boards):
    """Write a board that White may think of for each key; return the steps after."""
    state = start()
    for move in history:
        state = play(state, move)
    step = 0
    for k in range(len(keys)):
        state, step = complete(view(state, 1), keys[k], 4)
        cells(state, boards[k])
    return step


def test_the_hidden_choice_is_drawn_uniformly(game):
    entry = compiled_entry(_drawn_template, game.functions)
    keys = np.arange(4000, dtype=np.uint64)
    boards = np.zeros((len(keys), SIZE * SIZE), np.int64)
    history = play(game, "A1 B1 C1 D4 E5")
    assert entry(np.array(history), keys, boards) == 4 + BASE
    black = (boards & 1).astype(bool)
    assert set(black.sum(axis=1)) == {BASE}
    # Where White has stones Black may have some, too.
    own = [SIZE * 3 + 3, SIZE * 4 + 4]
    assert (np.flatnonzero((boards & 2).all(axis=0)) == own).all()
    assert chisquare(black.sum(axis=0)).pvalue > 1e-3
    pairs = Counter(tuple(np.flatnonzero(row)[:2]) for row in black)
    assert len(pairs) > 200
