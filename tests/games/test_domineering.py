"""Domineering against a naive implementation, and against the known winners of small boards."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from numba.typed import Dict
from walking import names

from seedfolio.games import load_game
from seedfolio.games.game import Game

Cell = tuple[int, int]
Domino = tuple[Cell, Cell]


def ours(rows: int, columns: int) -> Game:
    return load_game(f"domineering:{rows}x{columns}")


# The naive implementation: a set of free cells.


def board(rows: int, columns: int) -> frozenset[Cell]:
    return frozenset((row, column) for row in range(rows) for column in range(columns))


def dominoes(free: frozenset[Cell], colour: int) -> list[Domino]:
    step = (1, 0) if colour == 0 else (0, 1)
    pairs = [(cell, (cell[0] + step[0], cell[1] + step[1])) for cell in sorted(free)]
    return [pair for pair in pairs if pair[1] in free]


def name(domino: Domino) -> str:
    return "".join("abcdefghijklmnopqrstuvwxyz"[c] + str(r + 1) for r, c in domino)


SLOW = [(1, 7), (7, 1), (7, 7), (5, 25)]
LONG = [(1, 1), (2, 3), (8, 8), (9, 9), (5, 9), (6, 11), (12, 10), (8, 16), (16, 8), (64, 2)]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        *((4, 4), (10, 10)),
        *(pytest.param(*size, marks=pytest.mark.slow) for size in SLOW),
        *(pytest.param(*size, marks=pytest.mark.long) for size in LONG),
    ],
)
def test_random_games_move_by_move(rows: int, columns: int) -> None:
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
        # Whoever cannot place a domino loses.
        assert end.score == (0 if colour == 0 else 2)


# Best play. Who wins is told by a class: 1 the player who begins, 2 the other, V vertical and H
# horizontal whoever begins. Squares as solved by Breuker, Uiterwijk and van den Herik (2000);
# boards of two rows by Berlekamp (1988) and Lachmann, Moore and Rapaport (2002).
SQUARES = {2: "1", 3: "1", 4: "1", 5: "2", 6: "1"}
TWO_ROWS = dict(zip(range(1, 14), "V11HV11HV11H2", strict=True))


def outcome(wins: Callable[[int, int], bool], rows: int, columns: int) -> str:
    """The class of a board, of which `wins` tells whether vertical wins when beginning."""
    vertical = wins(rows, columns)
    horizontal = wins(columns, rows)
    return {(True, True): "1", (False, False): "2", (True, False): "V", (False, True): "H"}[
        vertical, horizontal
    ]


def solve(rows: int, columns: int) -> bool:
    """Tell whether vertical wins when beginning, by a compiled search over the rules."""
    game = ours(rows, columns)
    rules: Any = game.rules
    start, moves, play, score = rules.start, rules.moves, rules.play, rules.score

    @numba.njit
    def mover_wins(state: Any, known: Any, out: Any, at: Any) -> Any:
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
    def first_wins(known: Any, out: Any) -> Any:
        return mover_wins(start(), known, out, 0)

    start.compile(())
    state_type = start.overloads[()].signature.return_type
    known = Dict.empty(state_type, numba.types.boolean)
    out = np.zeros(game.rules.max_moves * (game.rules.max_plies + 1), np.int64)
    return bool(first_wins(known, out))


@pytest.mark.slow
def test_who_wins_with_best_play() -> None:
    for size in (4, 5):
        assert solve(size, size) == (SQUARES[size] == "1")
    assert outcome(solve, 2, 13) == TWO_ROWS[13]
