"""Checks of symmetries: a game replayed under one must be the same but for its move names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.conformance.report import broken, moves_text
from seedfolio.conformance.walk import equal_odds
from seedfolio.core.compiler import compiled_entry
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE

_FINE, _MOVER, _MOVES, _REFUSED, _ODDS, _SCORE = range(6)
_WHAT = {
    _MOVER: "player to move",
    _MOVES: "moves",
    _REFUSED: "refusal of a try",
    _ODDS: "odds",
    _SCORE: "score",
}


def check_symmetries(game: Game) -> None:
    """Check that the symmetries are permutations of the moves and form a group."""
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


class Mirror:
    """Replays games of one game under all its symmetries."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._replay = _bind(game)

    def check(self, history: NDArray[np.int64]) -> None:
        """Raise ConformanceError if a symmetry changes anything but the names of the moves."""
        game = self._game
        left, right = np.zeros((2, game.rules.max_moves), np.int64)
        marks = np.zeros(len(game.rules.move_names), np.int8)
        for symmetry in game.rules.symmetries:
            images = symmetry.moves.astype(np.int64)
            fault, ply = self._replay(history, images, left, right, marks)
            if fault != _FINE:
                mirrored = moves_text(game, images[history[:ply]])
                raise broken(
                    game,
                    f"symmetry {symmetry.name!r} does not keep the {_WHAT[fault]}: compare"
                    f" {mirrored or 'the start'}",
                    history[:ply],
                )


def _bind(game: Game) -> Callable[..., Any]:
    odds = game.rules.odds or equal_odds
    return compiled_entry(_replay_template, {**game.functions, "odds": odds})


# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
refused: Any = None
odds: Any = None


def _replay_template(history: Any, images: Any, left: Any, right: Any, marks: Any) -> Any:
    """Replay a finished game and its image; return (what differs, after how many moves)."""
    state = start()
    image = start()
    for ply in range(len(history) + 1):
        if mover(state) != mover(image):
            return _MOVER, ply
        if refused(state) != refused(image):
            return _REFUSED, ply
        count = moves(state, left, 0)
        if moves(image, right, 0) != count:
            return _MOVES, ply
        for move in range(len(marks)):
            marks[move] = 0
        for k in range(count):
            marks[right[k]] = 1
        for k in range(count):
            if marks[images[left[k]]] == 0:
                return _MOVES, ply
            turned = images[left[k]]
            if mover(state) == CHANCE and odds(state, left[k]) != odds(image, turned):
                return _ODDS, ply
        if ply < len(history):
            state = play(state, history[ply])
            image = play(image, images[history[ply]])
    return (_FINE if score(state) == score(image) else _SCORE), len(history)
