"""What a colour knows after given moves, and boards drawn from it: for games that hide things."""

from collections import namedtuple

import numpy as np
from numba import int64
from walking import random_history

from seedfolio.core.compiler import compiled_entry

Drawn = namedtuple("Drawn", "cells seen_by_other")
"""A state drawn by `complete`, and the board as the drawn opponent sees it."""


class Knowing:
    """The compiled `complete` of a game, after moves given from the start."""

    def __init__(self, game):
        self.game = game
        self._complete = compiled_entry(_complete_template, game.functions)

    def complete(self, history, key):
        cells, seen = np.zeros((2, self.game.rules.board.size), np.int64)
        moves = np.asarray(history, np.int64).reshape(-1)
        self._complete(moves, np.uint64(key), cells, seen)
        return Drawn(integers(cells), integers(seen))


start = mover = play = cells = cells_seen = view = complete = None


def _complete_template(history, key, out, seen):
    state = start()
    for move in history:
        state = play(state, move)
    colour = int64(mover(state))
    drawn, _ = complete(view(state, colour), key, int64(0))
    cells(drawn, out)
    cells_seen(drawn, 1 - colour, seen)


def integers(values):
    return tuple(int(value) for value in values)


def prefixes(game, seeds):
    for seed in seeds:
        history = random_history(game, seed)
        yield from (history[:ply] for ply in range(len(history) + 1))


def check_uniform(draws, possible):
    assert len(set(possible)) == len(possible)
    counts = dict.fromkeys(possible, 0)
    for board in draws:
        counts[board] += 1
    expected = len(draws) / len(possible)
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    freedom = len(possible) - 1
    # Mean and five standard deviations of the chi-squared distribution.
    assert chi_squared <= freedom + 5 * (2 * freedom) ** 0.5
