"""Random games for the checks, and a sentence for each fault in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.conformance import inspection
from seedfolio.conformance.failure import allowed_points, broken, rules_may_raise
from seedfolio.conformance.inspection import GUARD, UNTOUCHED, bind_walk, room_for_moves
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE


@dataclass(frozen=True)
class Walk:
    """One random game without a fault."""

    history: NDArray[np.int64]
    state: Any
    """The final state, as Python sees it: integers in tuples."""
    cells: NDArray[np.int64]
    """The final board."""
    score: int
    """Half points of the first player."""

    def is_same_as(self, other: Walk) -> bool:
        """Return whether two games have the same moves and final state."""
        return bool(self.state == other.state) and np.array_equal(self.history, other.history)


class Walker:
    """Plays random games of one game and reports the first fault."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self._game = game
        self._walk = bind_walk(game)
        self._cells = np.zeros(rules.board.size + 2 * GUARD, np.int64)
        self._given = (
            rules.max_plies,
            rules.chance,
            rules.max_moves,
            len(rules.board.glyphs),
            np.array([bool(name) for name in rules.move_names], np.bool_),
            np.zeros(len(rules.move_names), np.int8),
            room_for_moves(rules),
            room_for_moves(rules),
            self._cells,
            self._cells[GUARD : GUARD + rules.board.size],
            np.zeros(rules.max_moves, np.int64),
        )

    def walk(self, key: int) -> Walk:
        """Play the random game of `key`; raise ConformanceError if it has a fault."""
        game = self._game
        history = np.zeros(game.rules.max_plies + 1, np.int64)
        plies = np.zeros(1, np.int64)
        with rules_may_raise(game, history, plies):
            (fault, detail), score, state = self._walk(np.uint64(key), *self._given, history, plies)
        played = history[: int(plies[0])]
        if fault != inspection.FINE:
            raise broken(game, _sentence(game, int(fault), int(detail)), played)
        if isinstance(score, float) or not 0 <= score <= game.rules.scale:
            raise broken(game, f"score is {score}, not {allowed_points(game.rules)}", played)
        if kind := not_integer(state):
            rule = (
                f"the state has a part of type {kind}; all parts must be integers, and a uint64 of"
                " start must stay one in play"
            )
            raise broken(game, rule, played)
        cells = self._cells[GUARD : GUARD + game.rules.board.size].copy()
        return Walk(played, state, cells, int(score))


def not_integer(state: Any) -> str | None:
    """Return the type of a part of a state that is not an integer, None if there is none."""
    if isinstance(state, tuple):
        return next(filter(None, map(not_integer, state)), None)
    return None if isinstance(state, int) else type(state).__name__


def _seats(seats: int) -> str:
    return "0 or 1" if seats == 2 else f"0 to {seats - 1}"


def _sentence(game: Game, fault: int, detail: int) -> str:
    rules = game.rules
    name = game.move_name(detail)
    room = f"outside of its max_moves={rules.max_moves} entries"
    unwritten = detail == UNTOUCHED
    sentences = {
        inspection.COUNT: f"moves returns {detail}, not 0 to max_moves={rules.max_moves}",
        inspection.MOVES_OUTSIDE: f"moves writes to out[at + {detail}], {room}",
        inspection.OUT_OF_RANGE: "moves counts more moves than it writes"
        if unwritten
        else f"moves offers {detail}, not 0 to {len(rules.move_names) - 1}",
        inspection.NAMELESS: f"moves offers move {detail}, which has no name in move_names",
        inspection.TWICE: f"moves offers {name} twice",
        inspection.MOVER: "mover is CHANCE, though Rules does not say chance=True"
        if detail == CHANCE
        else f"mover is {detail}, not {_seats(rules.seats)}"
        + (" or CHANCE" if rules.chance else ""),
        inspection.RANDOM_MOVE: f"random_move plays {name}, not move number below(key, step, n) of"
        " the n that moves offers",
        inspection.RANDOM_STEP: f"random_move raises step by {detail}, not by 1 (by 0 when over)",
        inspection.RANDOM_OVER: f"random_move plays {name} when the game is over, not -1",
        inspection.RANDOM_OUTSIDE: f"random_move writes to out[at + {detail}], {room}",
        inspection.CELL: "cells leaves out a cell"
        if unwritten
        else f"cells writes {detail}, not an index of glyphs, 0 to {len(rules.board.glyphs) - 1}",
        inspection.CELLS_OUTSIDE: f"cells writes to out[{detail}] on {rules.board.size} cells",
        inspection.ENDLESS: f"the game goes on beyond max_plies={rules.max_plies}",
    }
    return sentences[fault]
