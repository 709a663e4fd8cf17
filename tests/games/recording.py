"""Whole random games of ours, recorded ply by ply, to be replayed on an oracle."""

from collections import namedtuple

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import below, mix_int

Record = namedtuple("Record", "moves movers refused counts legal plausible cells seen score")
"""One random game. Rows of all but `moves` are positions, the last one the end. `counts` says how
many legal moves there are; -1 follows the plausible ones; `seen` is the board by colour."""


def recorder(game):
    """Return record(number, lean=False): a random game; a lean one has mostly plausible moves."""
    rules = game.rules
    entry = compiled_entry(_record_template, game.functions)
    positions = rules.max_plies + 1
    moves = np.zeros(rules.max_plies, np.int64)
    facts = np.zeros((3, positions), np.int64)
    lists = np.zeros((2, positions, rules.max_moves), np.int64)
    boards = np.zeros((3, positions, rules.board.size), np.int64)

    def record(number, lean=False):
        plies, score = entry(np.uint64(mix_int(number)), lean, moves, facts, lists, boards)
        end = plies + 1
        movers, refused, counts = facts[:, :end].copy()
        legal, plausible = lists[:, :end].copy()
        cells, first, second = boards[:, :end].copy()
        facts_of = (moves[:plies].copy(), movers, refused, counts, legal, plausible)
        return Record(*facts_of, cells, (first, second), int(score))

    return record


start = mover = moves = plausible = refused = play = score = cells = cells_seen = None


def _record_template(key, lean, out, facts, lists, boards):
    state = start()
    step, ply = int64(0), 0
    while True:
        facts[0, ply], facts[1, ply] = mover(state), refused(state)
        cells(state, boards[0, ply])
        cells_seen(state, 0, boards[1, ply])
        cells_seen(state, 1, boards[2, ply])
        count = moves(state, lists[0, ply], 0)
        facts[2, ply] = count
        likely = plausible(state, lists[1, ply], 0)
        lists[1, ply, likely:] = -1
        if count == 0:
            return ply, score(state)
        if lean and below(key, step + 1, 40) > 0:
            move = lists[1, ply, below(key, step, likely)]
        else:
            move = lists[0, ply, below(key, step, count)]
        step += 2
        out[ply] = move
        state = play(state, move)
        ply += 1
