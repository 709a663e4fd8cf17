"""Games with Go stones: how to recognise them, and their margin by area."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seedfolio.games.board import GO_LETTERS
from seedfolio.games.game import Game

_BLACK, _WHITE = 1, 2


def has_go_stones(game: Game) -> bool:
    """Return whether all moves of a game put a stone on a point of a Go board, or pass."""
    board = game.rules.board
    if board.rows != board.columns or board.letters != GO_LETTERS or game.rules.chance:
        return False
    cells = [divmod(cell, board.columns) for cell in range(board.size)]
    points = {board.cell_name(row, column) for row, column in cells}
    return all(not name or name in points or name == "pass" for name in game.rules.move_names)


def margin_text(game: Game, history: Sequence[int]) -> str | None:
    """Return the result by area as GTP and SGF write it: `B+3.5`, `W+1.5`, `0`.

    All stones on the board count as alive. Return None for a game without area scoring.
    """
    if "komi" not in game.parameters or not has_go_stones(game):
        return None
    position = game.position(history)
    margin = area_lead(position.cells, game.rules.board.columns) - game.parameters["komi"]
    if position.score is not None and position.score - 1 != np.sign(margin):
        return None
    if margin == 0:
        return "0"
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def area_lead(cells: Sequence[int] | NDArray[np.int64], size: int) -> int:
    """Return Black's area minus White's: stones, and empty regions that touch only one colour."""
    contents = [int(content) for content in cells]
    lead = contents.count(_BLACK) - contents.count(_WHITE)
    seen: set[int] = set()
    for cell, content in enumerate(contents):
        if content or cell in seen:
            continue
        region, border = _region(contents, size, cell)
        seen |= region
        if len(border) == 1:
            lead += len(region) if border == {_BLACK} else -len(region)
    return lead


def _region(contents: Sequence[int], size: int, cell: int) -> tuple[set[int], set[int]]:
    """Return the empty cells connected to `cell`, and the colours that touch them."""
    region, border, waiting = {cell}, set[int](), [cell]
    while waiting:
        row, column = divmod(waiting.pop(), size)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if not (0 <= r < size and 0 <= c < size):
                continue
            near = r * size + c
            if contents[near]:
                border.add(contents[near])
            elif near not in region:
                region.add(near)
                waiting.append(near)
    return region, border
