"""Phantom Go by hand: the referee's answers, what follows from them, and what is drawn for them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from naive_go import NaiveGo
from walking import names, random_history

from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import mix_int
from seedfolio.games import load_game
from seedfolio.games.game import Game, Position
from seedfolio.games.go.phantom_go import KOMI
from seedfolio.games.go.stones import go_geometry

BLACK, WHITE = 0, 1


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("phantom-go:5x5")


@pytest.fixture(scope="module")
def variant() -> Game:
    return load_game("phantom-go:5x5,openspiel=1")


def tries(game: Game, text: str) -> list[int]:
    return [game.parse_move(name) for name in text.split()]


def after(game: Game, text: str) -> Position:
    return game.position(tries(game, text))


def seen(game: Game, text: str, colour: int) -> list[str]:
    """The board as a colour sees it, from the top."""
    rows = game.draw(tries(game, text), colour).splitlines()[1:-1]
    return [row[3:-2] for row in rows]


def events(game: Game, text: str, colour: int) -> tuple[int, ...]:
    return game.information(tries(game, text), colour).events


def may_try(game: Game, text: str) -> set[str]:
    return set(names(game, after(game, text).moves))


# The referee.

CORNER = "A2 E5 B1 E4 C2 A1"
"""White is refused at A1 as illegal."""
KO = "C2 D2 B3 E3 C4 D4 D3 C3"
"""White takes D3 with C3."""


@pytest.mark.slow
def test_two_passes_end_it_and_a_refused_try_parts_them_in_the_variant_only(
    game: Game, variant: Game
) -> None:
    for rules in (game, variant):
        assert after(rules, "C3 pass").moves != ()
        assert after(rules, "C3 pass pass").moves == ()
    # White passes, Black is refused, Black passes.
    text = "C3 D3 B2 pass D3 pass"
    assert after(game, text).moves == ()
    assert after(variant, text).moves != ()
    assert after(variant, f"{text} pass").moves == ()


def test_the_variant_of_openspiel(variant: Game) -> None:
    """It deduces nothing, tells of refusals and ends after four tries a point."""
    assert after(variant, CORNER).refused
    assert seen(variant, CORNER, WHITE)[3:] == [". . . . .", ". . . . ."]
    assert "a1" in may_try(variant, CORNER)
    assert seen(variant, KO, BLACK)[1:4] == [". . X . .", ". X . . .", ". . X . ."]
    assert len(events(variant, CORNER, BLACK)) == len(CORNER.split())
    text = f"{CORNER[:-3]} {' '.join(['A1'] * 95)}"
    assert after(variant, text).moves == ()
    assert after(variant, text.removesuffix(" A1")).moves != ()


# Determinization.

start: Any = None
play: Any = None
view: Any = None
complete: Any = None
write_cells: Any = None


def _completions_template(history: Any, colour: Any, key: Any, out: Any) -> None:
    """Write drawn boards, own stones 1 and others 2."""
    state = start()
    for move in history:
        state = play(state, move)
    mine, step = view(state, colour), np.int64(0)
    for k in range(len(out)):
        drawn, step = complete(mine, key, step)
        write_cells(drawn[0], drawn[1], out[k])


def completions(game: Game, history: list[int], number: int) -> Any:
    size = int(game.parameters["size"])
    bound = {**game.functions, "write_cells": go_geometry(size).write_cells}
    entry = compiled_entry(_completions_template, bound)
    out = np.zeros((number, size * size), np.int64)
    moves = np.array(history, np.int64).reshape(-1)
    colour = game.position(history).mover
    entry(moves, np.int64(colour), np.uint64(mix_int(len(history))), out)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, pytest.param(9, marks=pytest.mark.long)])
def test_drawn_boards_hold_what_is_known_and_the_right_number(size: int) -> None:
    game = load_game(f"phantom-go:{size}x{size}")
    hidden = 0
    for seed in range(20):
        history = random_history(game, seed, 3 * seed)
        position = game.position(history)
        mover = position.mover
        board = game.information(history, mover).cells
        own, known = board == mover + 1, board == 2 - mover
        number = np.count_nonzero(position.cells == 2 - mover)
        drawn = completions(game, history, 200)
        assert ((drawn == 1) == own).all()
        assert (drawn[:, known] == 2).all()
        assert (np.count_nonzero(drawn == 2, axis=1) == number).all()
        hidden += number - np.count_nonzero(known)
    assert hidden > 40


# The same, but White has a stone at A5 that Black does not know of.
HIDDEN = "C2 D2 B3 E3 C4 D4 D3 A5 B1 C3"


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("C3 A1 B2 A3 D4 A5", ()),
        # Black has just lost D3.
        (HIDDEN, ("D3",)),
        (f"{HIDDEN} D3", ("D3",)),
        (f"{HIDDEN} B5 E5", ()),
        # White was refused at A1 as illegal.
        ("A2 E5 B1 E4 C2 A1", ("A1",)),
    ],
)
def test_hidden_stones_are_drawn_uniformly_where_they_can_be(
    game: Game, text: str, empty: tuple[str, ...]
) -> None:
    history = tries(game, text)
    mover = game.position(history).mover
    board = game.information(history, mover).cells
    free = board == 0
    for row, column in (divmod(game.parse_move(name), 6) for name in empty):
        free[5 * row + column] = False
    hidden = np.count_nonzero(game.position(history).cells == 2 - mover)
    hidden -= np.count_nonzero(board == 2 - mover)
    assert hidden > 0
    draws = 4000
    drawn = completions(game, history, draws)
    counts = np.count_nonzero(drawn == 2, axis=0)
    assert (counts[~free & (board == 0)] == 0).all()
    share = shares(board, mover, np.flatnonzero(free), hidden)
    deviation = np.sqrt(draws * share * (1 - share))
    assert (np.abs(counts[free] - draws * share) <= 4.5 * deviation).all()
    assert all(all_live(cells == 1, cells == 2) for cells in drawn)


def shares(board: Any, mover: int, free: Any, hidden: int) -> Any:
    """How often each free point holds a stone, over all boards on which every chain lives."""
    own, known = board == mover + 1, board == 2 - mover
    count, found = np.zeros(len(free)), 0
    for chosen in combinations(range(len(free)), hidden):
        others = known.copy()
        others[free[list(chosen)]] = True
        if all_live(own, others):
            count[list(chosen)] += 1
            found += 1
    return count / found


def all_live(own: Any, others: Any) -> bool:
    go = NaiveGo(5)
    go.stones = {divmod(int(p), 5): 0 for p in np.flatnonzero(own)}
    go.stones |= {divmod(int(p), 5): 1 for p in np.flatnonzero(others)}
    return not any(go.chain_without_liberty(stone) for stone in go.stones)


# What one may ask for.


def test_komi_is_recorded(game: Game) -> None:
    assert game.parameters == {"size": 5, "komi": KOMI[5], "openspiel": 0}
    assert all(komi % 1 == 0.5 for komi in KOMI.values())
    assert game.rules.player == "flat:playouts=100"
