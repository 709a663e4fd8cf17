"""A small tree of states, and games in it."""

import numpy as np

from seedfolio.learning.book.statistics import rows_of
from seedfolio.players.books.table import NO_STATE

ROOT, LEFT, RIGHT, DEEP = 0, 10, 20, 30


def rows_from(games):
    """Return rows of games: (arm, state, move, last, last move, planned, half points)."""
    left = [
        [state, last, (move + 1) | (last_move + 1) << 16 | planned << 32]
        for _, state, move, last, last_move, planned, _ in games
    ]
    arms = np.array([game[0] for game in games], np.uint64)
    points = np.array([game[-1] for game in games], np.uint8)
    return rows_of(arms, points, np.array(left, np.uint64).reshape(-1, 3))


def drawn_at(study, number):
    end = int(study.listed[: number + 1].sum())
    listed = study.choices[end - study.listed[number] : end].tolist()
    return listed + [int(study.moves[number])] * int(study.counts[number] - study.listed[number])


def some_games(count=400, key=3):
    """Return games in a small tree, in which move 1 at the root is better than move 0."""
    random = np.random.default_rng(key)
    games = []
    for arm in range(count):
        where = random.integers(0, 5)
        if where < 2:
            move = int(random.integers(0, 3))
            games.append((arm, ROOT, move, NO_STATE, -1, 0, 2 * int(random.random() < 0.5)))
        elif where == 2:
            state = (LEFT, RIGHT)[random.integers(0, 2)]
            move = int(random.integers(0, 2))
            chance = 0.9 if (state, move) == (LEFT, 1) else 0.4
            planned = int(random.integers(0, 2))
            won = 2 * int(random.random() < chance)
            games.append((arm, state, move, ROOT, 1, planned, won))
        elif where == 3:
            games.append((arm, DEEP, 2, LEFT, 1, 0, int(random.integers(0, 3))))
        else:
            games.append((arm, NO_STATE, -1, RIGHT, 0, 0, 1))
    return games
