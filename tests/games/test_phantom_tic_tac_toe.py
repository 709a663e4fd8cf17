"""Phantom tic-tac-toe against OpenSpiel, and its knowledge against a plain model."""

import random
from itertools import combinations
from math import comb

import pyspiel
from knowing import Knowing, check_uniform, integers, prefixes

from seedfolio.games import load_game

GAME = load_game("phantom-tic-tac-toe")
LINES = [
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}
]  # fmt: skip
NOTHING, CROSS, NOUGHT = 0, 1, 2


def test_information_states_are_those_of_openspiel():
    """A history hash stands for an information state, and an information state for a hash."""
    oracle, strings, hashes, met = pyspiel.load_game("phantom_ttt"), {}, {}, 0
    for seed in range(1500):
        state, history, draw = oracle.new_initial_state(), list[int](), random.Random(seed)
        while not state.is_terminal():
            for colour in (0, 1):
                # OpenSpiel's string does not say whose turn it is; players know.
                turn = state.current_player() == colour
                text = state.information_state_string(colour)
                hashed = GAME.information(history, colour).history
                met += (colour, hashed) in strings
                assert strings.setdefault((colour, hashed), (turn, text)) == (turn, text)
                assert hashes.setdefault((colour, turn, text), hashed) == hashed
            move = draw.choice(state.legal_actions())
            state.apply_action(move)
            history.append(move)
        for colour in (0, 1):  # at the end everything is shown
            seen = GAME.information(history, colour).cells
            assert integers(seen) == integers(GAME.position(history).cells)
    assert met > 5_000
    assert len(hashes) > 5_000


# A plain model of what a player knows: what it tried, what it was told, how many turns there were.
def knowledge(history, colour):
    """Own cells, cells known to be the other's, and the number of the other's stones."""
    stones = set(), set()
    known = set(), set()
    turn = 0
    for cell in history:
        if cell in stones[1 - turn]:
            known[turn].add(cell)
        else:
            stones[turn].add(cell)
            turn = 1 - turn
    return stones[colour], known[colour], len(stones[1 - colour])


def consistent_boards(history, colour):
    own, known, stones = knowledge(history, colour)
    unknown = sorted(set(range(9)) - own - known)
    placements = (known | set(more) for more in combinations(unknown, stones - len(known)))
    mine, its = (CROSS, NOUGHT) if colour == 0 else (NOUGHT, CROSS)
    return [
        tuple(mine if c in own else its if c in other else NOTHING for c in range(9))
        for other in placements
        if not any(line <= other for line in LINES)
    ]


def test_drawn_boards_are_all_those_that_are_consistent_and_equally_likely():
    knowing = Knowing(GAME)
    told, left_out = 0, 0
    for history in random.Random(0).sample(list(prefixes(GAME, range(300))), 60):
        position = GAME.position(history)
        _, known, stones = knowledge(history, position.mover)
        possible = consistent_boards(history, position.mover)
        if not position.moves or len(possible) == 1:
            continue
        check_uniform(
            [knowing.complete(history, key).cells for key in range(50 * len(possible))], possible
        )
        told += bool(known)
        left_out += len(possible) < comb(len(position.moves), stones - len(known))
    assert told > 5
    assert left_out > 5
