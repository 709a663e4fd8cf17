"""Checks without playing: names, limits, board, symmetries."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numpy.typing import NDArray

from seedfolio.conformance.failure import broken
from seedfolio.conformance.random_numbers import random_numbers
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
