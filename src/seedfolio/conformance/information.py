"""Checks of what each colour knows: that must follow only from the events it has noticed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numpy.typing import NDArray

from seedfolio.conformance import secrecy
from seedfolio.conformance.failure import ConformanceError, broken, moves_text, rules_may_raise
from seedfolio.conformance.inspection import GUARD
from seedfolio.conformance.random_numbers import random_numbers
from seedfolio.conformance.secrecy import bind_replay, bind_twin
from seedfolio.conformance.walk import not_integer
from seedfolio.games.game import Game

_NEEDED = ("start", "mover", "moves", "play", "score", "cells")
_OPTIONAL = (
    *("random_move", "rollout", "trace", "plausible", "refused"),
    *("view", "event", "complete", "assume", "cells_seen"),
)


def check_facts(game: Game) -> None:
    """Check everything that needs no compiling."""
    _check_functions(game)
    _check_numbers(game)
    _check_board(game)
    _check_names(game)
    _check_symmetries(game)


def _check_functions(game: Game) -> None:
    for name in (*_NEEDED, *_OPTIONAL):
        function = getattr(game.rules, name)
        if function is None and name not in _NEEDED:
            continue
        if not isinstance(function, Dispatcher):
            raise broken(game, f"{name} is not marked @compiled")
        if used := random_numbers(function):
            raise broken(
                game,
                f"{name} uses {used}; rules must not draw random numbers, a die is a mover: CHANCE",
            )
    _check_parts(game)
    _check_functions_of_what_is_hidden(game)


def _check_parts(game: Game) -> None:
    parts = game.rules.parts
    if parts is None:
        return
    if game.rules.rollout is not None:
        raise broken(game, "rollout and parts are both given; leave out one of them")
    for each in fields(parts):
        if not isinstance(getattr(parts, each.name), Dispatcher):
            raise broken(game, f"{each.name} of parts is not marked @compiled")


def _check_functions_of_what_is_hidden(game: Game) -> None:
    for name in ("event", "complete"):
        if game.rules.hides and getattr(game.rules, name) is None:
            raise broken(game, f"view is given without {name}; hidden information needs both")
    for name in ("event", "complete", "assume", "cells_seen"):
        if not game.rules.hides and getattr(game.rules, name) is not None:
            raise broken(game, f"{name} is given without view; without view nothing is hidden")


def _check_numbers(game: Game) -> None:
    for name, value, least in (
        ("version", game.version, 1),
        ("max_moves", game.rules.max_moves, 1),
        ("max_plies", game.rules.max_plies, 0),
    ):
        if not isinstance(value, int) or value < least:
            raise broken(game, f"{name} is {value!r}; it must be a whole number from {least} up")


def _check_board(game: Game) -> None:
    board = game.rules.board
    if board.rows < 1 or board.columns < 1:
        raise broken(game, f"a board of {board.rows}x{board.columns} has no cells")
    if board.columns > len(board.letters):
        raise broken(game, f"{board.columns} columns are more than {len(board.letters)} letters")
    if not board.glyphs:
        raise broken(game, "the board has no glyphs to draw its cells with")


def _check_names(game: Game) -> None:
    seen: dict[str, int] = {}
    for move, name in enumerate(game.rules.move_names):
        if not isinstance(name, str):
            raise broken(game, f"the name of move {move} is {name!r}, not text")
        if not name:
            continue
        if name.split() != [name]:
            raise broken(game, f"the name {name!r} of move {move} has a space in it")
        if (other := seen.setdefault(name.lower(), move)) != move:
            raise broken(game, f"moves {other} and {move} have the same name {name!r}")
    for move, name in enumerate(game.rules.move_names):
        if name and game.parse_move(name) != move:
            raise broken(game, f"the name {name!r} of move {move} reads back as another move")


def _check_symmetries(game: Game) -> None:
    named = np.array([bool(name) for name in game.rules.move_names], np.bool_)
    group: dict[bytes, str] = {}
    identity = np.arange(len(named), dtype=np.int64)
    group[identity[named].tobytes()] = "the identity"
    for symmetry in game.rules.symmetries:
        images = _permutation(game, symmetry.name, symmetry.moves, named)
        known = group.setdefault(images[named].tobytes(), symmetry.name)
        if known != symmetry.name:
            raise broken(game, f"symmetry {symmetry.name!r} is the same as {known!r}")
    for one in game.rules.symmetries:
        for two in game.rules.symmetries:
            if two.moves[one.moves][named].astype(np.int64).tobytes() not in group:
                raise broken(
                    game,
                    f"symmetry {one.name!r} followed by {two.name!r} is missing from symmetries",
                )


def _permutation(
    game: Game, name: str, images: NDArray[Any], named: NDArray[np.bool_]
) -> NDArray[np.int64]:
    if images.shape != named.shape or images.dtype.kind not in "iu":
        raise broken(game, f"symmetry {name!r} is not one move number for each of {len(named)}")
    inside = (images >= 0) & (images < len(named))
    for move in np.flatnonzero(named):
        if not inside[move] or not named[images[move]]:
            raise broken(
                game, f"symmetry {name!r} takes {game.move_name(int(move))} to no move of the game"
            )
    if len(np.unique(images[named])) < named.sum():
        raise broken(game, f"symmetry {name!r} takes two moves to the same move")
    return images.astype(np.int64)


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
