"""Moves as people type them: in any case, with spaces or dashes, cells in any order."""

from __future__ import annotations

import re

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game, Position


def typed_move(text: str, game: Game, position: Position) -> int:
    """Return the legal move that a person means; SpecificationError if there is none, or doubt.

    `b5 b4` and `B4-B5` are the move b4b5, where `b5b4` is no move of the game and no other legal
    move has these cells.
    """
    compact = re.sub(r"[\s,;:>-]+", "", text)
    named = [_named(each, game) for each in (text, compact)]
    for move in named:
        if move is not None and move in position.moves:
            return move
    board = game.rules.board
    cells = sorted(board.cells_of(compact))
    same = [m for m in position.moves if cells and _cells(m, game) == cells]
    if len(same) == 1 and named == [None, None]:
        return same[0]
    known = [move for move in named if move is not None] or [
        move
        for move, name in enumerate(game.rules.move_names)
        if cells and sorted(board.cells_of(name)) == cells
    ]
    if not known:
        return game.parse_move(text)  # which says what moves look like
    raise SpecificationError(
        f"{game.move_name(known[0])} is not legal now; type moves to list legal moves."
    )


def _named(text: str, game: Game) -> int | None:
    try:
        return game.parse_move(text)
    except SpecificationError:
        return None


def _cells(move: int, game: Game) -> list[int]:
    return sorted(game.rules.board.cells_of(game.move_name(move)))
