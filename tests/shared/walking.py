"""Random games and counts of games, for comparing rules with an oracle."""

import random

import numpy as np

from seedfolio.core.compiler import compiled_entry


def random_history(game, seed, plies=None):
    draw = random.Random(seed)
    history = []
    while (moves := game.position(history).moves) and len(history) != plies:
        history.append(draw.choice(moves))
    return history


def played_out(game, *choose):
    """Play a game whose movers choose by functions of the history; return it and its end."""
    history = []
    while (position := game.position(history)).moves:
        history.append(choose[position.mover](history))
    return history, position


def names(game, moves):
    return sorted(game.move_name(move).lower() for move in moves)


def count_lines(game):
    """Return perft(depth, history): the number of ways to go on for exactly `depth` moves."""
    rules = game.rules
    entry = compiled_entry(
        _perft_template, {"start": rules.start, "moves": rules.moves, "play": rules.play}
    )
    out = np.zeros(rules.max_moves, np.int64)

    def perft(depth, history=()):
        return int(entry(depth, np.asarray(history, np.int64).reshape(-1), out))

    return perft


start = moves = play = None


def _perft_template(depth, history, out):
    state = start()
    for move in history:
        state = play(state, move)
    states, depths = [state], [0]
    lines = 0
    while len(states) > 0:
        state = states.pop()
        level = depths.pop()
        count = moves(state, out, 0)
        if level + 1 == depth:
            lines += count
        else:
            for k in range(count):
                states.append(play(state, out[k]))
                depths.append(level + 1)
    return lines
