"""Domineering against a naive implementation, and against the known winners of small boards."""

import random

import numba
import numpy as np
from numba.typed import Dict
from sparing import levels
from walking import names

from seedfolio.games import load_game

Cell = tuple[int, int]


def ours(rows, columns):
    return load_game(f"domineering:{rows}x{columns}")


def board(rows, columns):
    return frozenset((row, column) for row in range(rows) for column in range(columns))


def dominoes(free, colour):
    step = (1, 0) if colour == 0 else (0, 1)
    pairs = [(cell, (cell[0] + step[0], cell[1] + step[1])) for cell in sorted(free)]
    return [pair for pair in pairs if pair[1] in free]


def name(domino):
    return "".join("abcdefghijklmnopqrstuvwxyz"[c] + str(r + 1) for r, c in domino)


LONG = [(1, 1), (1, 7), (8, 8), (9, 9), (5, 9), (6, 11), (5, 25), (12, 10), (8, 16), (16, 8)]


@levels(("rows", "columns"), [(4, 4), (10, 10)], slow=[(7, 1)], long=[*LONG, (64, 2)])
def test_random_games_move_by_move(rows, columns):
    game = ours(rows, columns)
    for seed in range(20):
        draw = random.Random(seed)
        free, colour, history = board(rows, columns), 0, list[int]()
        while fits := {name(domino): domino for domino in dominoes(free, colour)}:
            position = game.position(history)
            assert position.mover == colour
            assert names(game, position.moves) == sorted(fits)
            assert {divmod(int(c), columns) for c in np.flatnonzero(position.cells == 0)} == free
            chosen = draw.choice(sorted(fits))
            history.append(game.parse_move(chosen))
            free, colour = free - set(fits[chosen]), 1 - colour
        end = game.position(history)
        assert (end.mover, end.moves) == (colour, ())
        assert end.score == (0 if colour == 0 else 2)


SQUARES = {2: True, 3: True, 4: True, 5: False, 6: True}
"""Whether who begins wins: solved by Breuker, Uiterwijk and van den Herik (2000)."""


def solve(size):
    game = ours(size, size)
    rules = game.rules
    start, moves, play, score = rules.start, rules.moves, rules.play, rules.score

    @numba.njit
    def mover_wins(state, known, out, at):
        if state in known:
            return known[state]
        count = moves(state, out, at)
        found = count == 0 and score(state) == 2 * (1 - state[1])
        for k in range(count):
            if not mover_wins(play(state, out[at + k]), known, out, at + count):
                found = True
                break
        known[state] = found
        return found

    @numba.njit
    def first_wins(known, out):
        return mover_wins(start(), known, out, 0)

    start.compile(())
    state_type = start.overloads[()].signature.return_type
    known = Dict.empty(state_type, numba.types.boolean)
    out = np.zeros(game.rules.max_moves * (game.rules.max_plies + 1), np.int64)
    return bool(first_wins(known, out))


@levels("size", slow=(4, 5), long=[size for size in SQUARES if size not in (4, 5)])
def test_who_wins_with_best_play(size):
    assert solve(size) == SQUARES[size]
