"""What both players see in a game of Go with hidden stones, by our rules."""

import numpy as np

from seedfolio.core.compiler import compiled_entry
from seedfolio.games.go.stones import go_geometry

start = play = view = event = write_cells = told = None


def _views_template(history, sets, numbers, events):
    state = start()
    for ply in range(len(history) + 1):
        for colour in range(2):
            seen = view(state, colour)
            for k in range(4):
                write_cells(seen[:4][k], seen[:4][k], sets[ply, colour, k])
            numbers[ply, colour] = told(seen)
        if ply < len(history):
            after = play(state, history[ply])
            for colour in range(2):
                events[ply, colour] = event(state, history[ply], after, colour)
            state = after


def points_with(cells, content, size):
    return frozenset(divmod(int(index), size) for index in np.flatnonzero(cells == content))


def views_of(game, size, told, count):
    """Return a function of moves: the view of each colour in each position, and all events.

    A view is four sets of points and the `count` numbers that `told` takes from ours. The last
    number is whether a try was refused.
    """
    names = {**game.functions, "write_cells": go_geometry(size).write_cells, "told": told}
    entry = compiled_entry(_views_template, names)

    def views(moves):
        sets = np.zeros((len(moves) + 1, 2, 4, size * size), np.int64)
        numbers = np.zeros((len(moves) + 1, 2, count), np.int64)
        events = np.zeros((len(moves), 2), np.int64)
        entry(moves, sets, numbers, events)
        found = [
            [
                (*(points_with(cells, 1, size) for cells in four), *known.tolist(), bool(refused))
                for four, (*_, refused), known in zip(*pair, pair[1][:, :-1], strict=True)
            ]
            for pair in zip(sets, numbers, strict=True)
        ]
        return found, events

    return views
