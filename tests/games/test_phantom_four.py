"""Phantom four in a row: the rules against OpenSpiel, the knowledge against a plain model."""

import random
from itertools import product

import numpy as np
import pyspiel
import pytest
from knowing import Knowing, check_uniform, integers, prefixes
from sparing import levels

from seedfolio.games import load_game
from seedfolio.games.phantom_four import ways_to_stack


def ours(rows, columns):
    return load_game(f"phantom-four:{rows}x{columns}")


@levels(("rows", "columns"), [(4, 4)], slow=[(6, 7)], long=[(8, 8), (4, 8), (8, 4), (5, 6)])
def test_random_games_move_by_move(rows, columns):
    """Without its refused tries, a game is one of connect four."""
    game = ours(rows, columns)
    oracle = pyspiel.load_game(f"connect_four(rows={rows},columns={columns})")
    scores, refusals = set(), 0
    for seed in range(60):
        draw = random.Random(seed)
        state, history = oracle.new_initial_state(), list[int]()
        while not state.is_terminal():
            position = game.position(history)
            assert position.mover == state.current_player()
            assert integers(position.cells) == drawn(state)
            notes = take_notes(history, rows, columns)
            for colour in (0, 1):
                seen = game.information(history, colour).cells
                assert integers(seen) == notes[colour].board(colour, notes[colour].known())
                assert all(seen[seen > 0] == position.cells[seen > 0]), "what is known is so"
            # All columns may be tried until they are known to be full.
            levels = [notes[position.mover].level(column) for column in range(columns)]
            assert list(position.moves) == [c for c in range(columns) if levels[c] < rows]
            move = draw.choice(position.moves)
            history.append(move)
            accepted = move in state.legal_actions()
            assert game.position(history).refused != accepted
            refusals += not accepted
            if accepted:
                state.apply_action(move)
        position = game.position(history)
        assert not position.moves
        assert position.score == 1 + state.returns()[0]
        scores.add(position.score)
        for cells in (position.cells, *(game.information(history, c).cells for c in (0, 1))):
            assert integers(cells) == drawn(state)
    assert scores >= {0, 2}
    assert 1 in scores or (rows, columns) != (4, 4)
    assert refusals > 0


def drawn(state):
    return tuple(".xo".index(cell) for row in reversed(str(state).split()) for cell in row)


# A plain model of what a player knows: where its discs came to rest, which columns it found full.
class Notes:
    """The notes of one player of a game on a board of this size."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.own = set()
        self.found_full = set()
        self.discs_of_other = 0

    def level(self, column):
        """Up to where all discs of a column are known."""
        if column in self.found_full:
            return self.rows
        return max((row + 1 for row, place in self.own if place == column), default=0)

    def known(self):
        """The discs of the other that must be where they are."""
        reached = product(range(self.rows), range(self.columns))
        return {(row, c) for row, c in reached if row < self.level(c)} - self.own

    def ways(self, column=0, hidden=None):
        if hidden is None:
            hidden = self.discs_of_other - len(self.known())
        if column == self.columns:
            if hidden == 0:
                yield set()
            return
        level = self.level(column)
        for size in range(min(hidden, self.rows - level) + 1):
            stack = {(row, column) for row in range(level, level + size)}
            for rest in self.ways(column + 1, hidden - size):
                yield stack | rest

    def boards(self, colour):
        known = self.known()
        others = (known | hidden for hidden in self.ways())
        return [self.board(colour, other) for other in others if not has_four(other)]

    def board(self, colour, other):
        mine, its = (1, 2) if colour == 0 else (2, 1)
        return tuple(
            mine if cell in self.own else its if cell in other else 0
            for cell in product(range(self.rows), range(self.columns))
        )


def has_four(discs):
    return any(
        all((row + i * up, column + i * right) in discs for i in range(4))
        for row, column in discs
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def take_notes(history, rows, columns):
    notes = Notes(rows, columns), Notes(rows, columns)
    heights = [0] * columns
    turn = 0
    for column in history:
        if heights[column] == rows:
            notes[turn].found_full.add(column)
        else:
            notes[turn].own.add((heights[column], column))
            heights[column] += 1
            turn = 1 - turn
            notes[turn].discs_of_other += 1
    return notes


@levels(("rows", "columns"), [(4, 4)], long=[(5, 4), (6, 7)])
def test_drawn_boards_are_all_those_that_are_consistent_and_equally_likely(rows, columns):
    game = ours(rows, columns)
    knowing = Knowing(game)
    found_full, left_out = 0, 0
    for history in random.Random(0).sample(list(prefixes(game, range(200))), 60):
        position = game.position(history)
        notes = take_notes(history, rows, columns)[position.mover]
        ways = sum(1 for _ in notes.ways()) if len(history) < 16 or rows < 6 else 1000
        if not position.moves or not 1 < ways < 200:
            continue
        possible = notes.boards(position.mover)
        if len(possible) > 1:
            draws = [knowing.complete(history, key).cells for key in range(50 * len(possible))]
            check_uniform(draws, possible)
            found_full += bool(notes.found_full)
            left_out += len(possible) < ways
    if rows < 6:
        assert found_full > 2
        assert left_out > 2


def test_the_other_knows_of_a_drawn_board_what_it_must():
    """The drawn opponent knows of our discs those that its own lie on."""
    rows, columns = 4, 4
    game = ours(rows, columns)
    knowing = Knowing(game)
    for history in prefixes(game, range(20)):
        colour = game.position(history).mover
        if not game.position(history).moves:
            continue
        drawn = knowing.complete(history, key=len(history))
        board = np.array(drawn.cells).reshape(rows, columns)
        its = board == 2 - colour
        covered = np.logical_or.accumulate(its[::-1])[::-1]
        assert drawn.seen_by_other == integers(np.where(covered, board, 0).flat)


@pytest.mark.parametrize("columns", [4, 7, 8])
def test_ways_to_stack(columns):
    first, ways = ways_to_stack(columns)
    used = set()
    for ones, twos, threes in product(range(columns + 1), repeat=3):
        if ones + twos + threes <= columns:
            row = int(first[twos, threes]) + ones
            used.add(row)
            most = ones + 2 * twos + 3 * threes
            counts = ways[row, : most + 1]
            assert counts.sum(dtype=np.int64) == 2**ones * 3**twos * 4**threes
            assert (counts == counts[::-1]).all()
            assert (counts > 0).all()
            assert not ways[row, most + 1 :].any()
    assert used == {*range(len(ways))}
    for rooms in product((1, 2, 3), repeat=4):
        sums = [sum(sizes) for sizes in product(*(range(room + 1) for room in rooms))]
        counts = ways[first[rooms.count(2), rooms.count(3)] + rooms.count(1)]
        assert counts[:13].tolist() == [sums.count(n) for n in range(13)]
