"""Checks of what each colour knows: that must follow only from the events it has noticed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.conformance import secrecy
from seedfolio.conformance.failure import ConformanceError, broken, moves_text, rules_may_raise
from seedfolio.conformance.inspection import GUARD
from seedfolio.conformance.secrecy import bind_replay, bind_twin
from seedfolio.conformance.walk import not_integer
from seedfolio.games.game import Game

_NAMES = ("the first player", "the second player")


@dataclass(frozen=True)
class _Known:
    """What a colour knew after certain events."""

    view: Any
    cells: int
    """A hash of the board as it saw it."""
    history: NDArray[np.int64]
    """The moves that led there."""


class Knowledge:
    """Checks random games of one game, and remembers what each colour knew in all of them."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self._game = game
        self._replay, self._twin = bind_replay(game), bind_twin(game)
        self._memory: dict[tuple[int, int], _Known] = {}
        moves, cells = max(rules.max_moves, 1), rules.board.size + 2 * GUARD
        self._room = (
            len(rules.board.glyphs),
            np.zeros((2, moves), np.int64),
            np.zeros((2, moves), np.int64),
            np.zeros((2, cells), np.int64),
        )

    def check(self, history: NDArray[np.int64], key: int) -> None:
        """Raise ConformanceError if a colour knows more, or less, than its events tell it.

        For each colour, also replay another game that this colour cannot tell from `history`.
        """
        self._check_replay(history, key, closely=True)
        for colour in (0, 1):
            twin = np.zeros(len(history), np.int64)
            legal = np.zeros((2, self._game.rules.max_moves), np.int64)
            plies = np.zeros(1, np.int64)
            with rules_may_raise(self._game, twin, plies):
                self._twin(history, colour, np.uint64(key), legal, twin, plies)
            self._check_replay(twin[: int(plies[0])], key, closely=False)

    def _check_replay(self, history: NDArray[np.int64], key: int, *, closely: bool) -> None:
        game = self._game
        plies = np.zeros(1, np.int64)
        hashes = np.zeros((len(history) + 1, 2, 2), np.uint64)
        with rules_may_raise(game, history, plies):
            (fault, detail, other), views, drawn = self._replay(
                history, np.uint64(key), closely, plies, hashes, *self._room
            )
        if fault != secrecy.FINE:
            sentence = _sentence(game, int(fault), int(detail), int(other))
            raise broken(game, sentence, history[: int(plies[0])])
        for name, parts in (("view", views[0]), ("a state of complete", drawn)):
            if kind := not_integer(parts):
                rule = f"{name} has a part of type {kind}; all parts must be integers of fixed type"
                raise broken(game, rule)
        for ply, pair in enumerate(views):
            for colour in (0, 1):
                hashed, cells = (int(value) for value in hashes[ply, colour])
                self._remember(colour, hashed, _Known(pair[colour], cells, history[:ply]))

    def _remember(self, colour: int, hashed: int, now: _Known) -> None:
        then = self._memory.setdefault((colour, hashed), now)
        if then.view != now.view:
            raise self._differs("view", colour, then, now)
        if then.cells != now.cells:
            raise self._differs("cells_seen", colour, then, now)

    def _differs(self, what: str, colour: int, then: _Known, now: _Known) -> ConformanceError:
        before = moves_text(self._game, then.history) or "the start"
        rule = f"{what} of {_NAMES[colour]} does not follow from the events it noticed: compare"
        return broken(self._game, f"{rule} {before}", now.history)


def _sentence(game: Game, fault: int, detail: int, other: int) -> str:
    move, second = game.move_name(detail), game.move_name(other)
    completed = "the state that complete draws"
    glyphs = len(game.rules.board.glyphs) - 1
    sentences = {
        secrecy.VIEW: f"{completed} has another view",
        secrecy.MOVER: f"{completed} has another player to move",
        secrecy.REFUSED: f"{completed} differs in refused",
        secrecy.MOVES: f"{completed} offers other moves, or in another order: moves may depend on"
        " the mover's view only",
        secrecy.PLAUSIBLE: f"{completed} has other plausible moves, or in another order: plausible"
        " may depend on the mover's view only",
        secrecy.CELLS: f"{completed} looks different to the mover: cells_seen may depend on the"
        " view only",
        secrecy.ASSUMED: f"{completed} from assume(view, {move}) has another player to move, offers"
        " other moves or looks different to the mover",
        secrecy.UNSTEADY: "complete returns something else when called again",
        secrecy.STEP: "complete returns a step smaller than it was given",
        secrecy.ENDLESS: f"{completed} leads to a game beyond max_plies={game.rules.max_plies}",
        secrecy.CELL: f"cells_seen leaves out a cell, or writes something other than 0 to {glyphs}",
        secrecy.CELLS_OUTSIDE: f"cells_seen writes to out[{detail}] on {game.rules.board.size}"
        " cells",
        secrecy.EVENT: f"event is below -1 for {move}",
        secrecy.OWN_MOVE: f"event tells the mover nothing of its own move {move}",
        secrecy.OWN_MOVES: f"event is the same to the mover for its own moves {second} and {move}",
        secrecy.UNNOTICED: f"{move} has event -1 for a colour, but changes its view or cells_seen",
        secrecy.LEAK: f"{second} and {move} have the same event for a colour, but leave it"
        " different views or cells_seen",
    }
    return sentences[fault]
