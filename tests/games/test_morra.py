"""Morra against a plain model of its rules and against the theory of two-finger Morra."""

import random
from collections import Counter

import numpy as np
from scipy.stats import chisquare
from sparing import levels

from seedfolio.games import load_game

GAME = load_game("morra:fingers=3,rounds=3")


def points(first, second):
    """What two moves score, from the text of the rules."""
    shows, guesses = map(int, first.split("/"))
    other_shows, other_guesses = map(int, second.split("/"))
    up = shows + other_shows
    match guesses == other_shows, other_guesses == shows:
        case True, False:
            return up, 0
        case False, True:
            return 0, up
        case _:
            return 0, 0


@levels(("fingers", "rounds"), [(3, 3)], slow=[(10, 4)])
def test_random_games_move_by_move(fingers, rounds):
    game = load_game(f"morra:fingers={fingers},rounds={rounds}")
    numbers = range(1, fingers + 1)
    every = [f"{shows}/{guesses}" for shows in numbers for guesses in numbers]
    scores = set()
    for seed in range(60):
        draw = random.Random(seed)
        history = []
        totals = [0, 0]
        for _ in range(rounds):
            pair = draw.choice(every), draw.choice(every)
            for colour in (0, 1):
                position = game.position(history)
                assert position.mover == colour
                assert [game.move_name(move) for move in position.moves] == every
                assert position.cells[:2].tolist() == totals
                history.append(game.parse_move(pair[colour]))
            for colour in (0, 1):
                totals[colour] += points(*pair)[colour]
        end = game.position(history)
        assert end.moves == ()
        assert end.cells[:2].tolist() == totals
        assert end.score == 1 + (totals[0] > totals[1]) - (totals[0] < totals[1])
        scores.add(end.score)
    assert len(history) == game.rules.max_plies
    assert scores == {0, 1, 2}


def test_one_round_of_two_finger_morra():
    game = load_game("morra")
    moves = game.position([]).moves
    ends = [[game.position([a, b]).cells for b in moves] for a in moves]
    matrix = [[int(cells[0] - cells[1]) for cells in row] for row in ends]
    # The textbook matrix, for 1/1, 1/2, 2/1 and 2/2.
    assert matrix == [[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]]


def test_both_see_both_moves_once_the_round_is_over_and_not_before():
    draw = random.Random(5)
    moves = GAME.position([]).moves
    for length in (0, 2, 4):
        history = [draw.choice(moves) for _ in range(length)]
        seen = [GAME.information([*history, move], 1) for move in moves]
        assert len({(known.history, known.events, tuple(known.cells)) for known in seen}) == 1
        own = [GAME.information([*history, move], 0) for move in moves]
        assert len({known.history for known in own}) == len(moves)
        # The second player notices that there was a move, and that it is to move now.
        assert seen[0].history != GAME.information(history, 1).history
    for colour in (0, 1):
        ends = [GAME.information([a, b], colour) for a in moves for b in moves]
        assert len({known.history for known in ends}) == len(ends)
        assert len({tuple(known.cells) for known in ends}) == len(ends)


def test_the_hidden_move_is_drawn_uniformly():
    names = GAME.functions
    state = names["play"](names["start"](), 5)
    view = names["view"](state, 1)
    assert view != state
    counts = Counter()
    for key in range(3000):
        drawn, step = names["complete"](view, np.uint64(key), 4)
        assert step == 5
        assert names["view"](drawn, 1) == view
        counts[drawn[3]] += 1
    assert sorted(counts) == list(range(9))
    assert chisquare(list(counts.values())).pvalue > 1e-3
    # The first player has nothing to draw.
    assert names["complete"](names["start"](), np.uint64(0), 4) == (names["start"](), 4)
