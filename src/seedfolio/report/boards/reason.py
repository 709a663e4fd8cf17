"""Why a game of stones was won: the stones that did it, and what they are, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seedfolio.games.board import Board
from seedfolio.games.game import Game
from seedfolio.games.hex.board import HexBoard, rim_of_hexagon

Reason = tuple[frozenset[int], str]
_NONE: Reason = frozenset(), ""


def why_won(game: Game, last: int, cells: Sequence[int]) -> Reason:
    """Return the cells that won, and why; nothing where the rules or the score say it.

    `last` is the cell of the last move, and `cells` the contents of all cells.

    >>> from seedfolio import load_game
    >>> from seedfolio.report.boards.reason import why_won
    >>> won, words = why_won(load_game("hex:3x3"), 4, [0, 1, 0, 0, 1, 2, 2, 1, 2])
    >>> sorted(won), words
    ([1, 4, 7], 'a chain from side to side')
    """
    if last < 0 or not cells[last]:
        return _NONE
    match game.name:
        case "hex":
            return _hex(game.rules.board, last, cells)
        case "havannah":
            return _havannah(game.rules.board, last, cells)
        case "atari-go":
            return _captured(game, last, cells)
        case "phantom-tic-tac-toe":
            return _row(game, last, cells, 3)
        case "phantom-four":
            return _row(game, last, cells, 4)
    return _NONE


def _around(board: Board, cell: int) -> list[int]:
    """Return the cells next to a cell."""
    row, column = divmod(cell, board.columns)
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    if isinstance(board, HexBoard):  # the next row lies half a cell to one side
        steps += [(1, -board.lean), (-1, board.lean)]
    places = [(row + down, column + right) for down, right in steps]
    if isinstance(board, HexBoard):
        places = [place for place in places if board.is_cell(*place)]
    return [
        r * board.columns + c for r, c in places if 0 <= r < board.rows and 0 <= c < board.columns
    ]


def _paths(board: Board, starts: Iterable[int], cells: Sequence[int]) -> dict[int, list[int]]:
    """Return the shortest path from one of the starts to each stone of their colour."""
    paths = {start: [start] for start in starts}
    ahead = list(paths)
    for cell in ahead:
        for near in _around(board, cell):
            if cells[near] == cells[cell] and near not in paths:
                paths[near] = [*paths[cell], near]
                ahead.append(near)
    return paths


def _joined(board: Board, first: set[int], second: set[int], cells: Sequence[int]) -> list[int]:
    """Return the shortest chain between two sets of stones; empty if there is none."""
    paths = _paths(board, sorted(first), cells)
    return min((paths[cell] for cell in second if cell in paths), key=len, default=[])


def _hex(board: Board, last: int, cells: Sequence[int]) -> Reason:
    chain = set(_paths(board, [last], cells))
    by_row = cells[last] == 1  # the first player joins the top and the bottom
    ends = [
        {cell for cell in chain if divmod(cell, board.columns)[0 if by_row else 1] == line}
        for line in (0, (board.rows if by_row else board.columns) - 1)
    ]
    found = _joined(board, ends[0], ends[1], cells)
    return (frozenset(found), "a chain from side to side") if found else _NONE


def _havannah(board: Board, last: int, cells: Sequence[int]) -> Reason:
    chain = set(_paths(board, [last], cells))
    corners, sides = rim_of_hexagon((board.columns + 1) // 2)
    numbers = [{r * board.columns + c for r, c in each} & chain for each in (corners, *sides)]
    at_corners, *at_sides = numbers
    if len(at_corners) > 1:
        one = min(at_corners)
        bridge = _joined(board, {one}, at_corners - {one}, cells)
        return frozenset(bridge), "a bridge of two corners"
    if sum(map(bool, at_sides)) > 2:
        return frozenset(chain), "a fork to three sides"
    return (frozenset(chain), "a ring") if len(chain) > 5 else _NONE


def _captured(game: Game, last: int, cells: Sequence[int]) -> Reason:
    board, dead = game.rules.board, set[int]()
    for near in _around(board, last):
        if cells[near] == 3 - cells[last]:
            chain = _paths(board, [near], cells)
            if all(cells[each] for stone in chain for each in _around(board, stone)):
                dead |= set(chain)
    return (frozenset(dead), "a capture") if dead else _NONE


def _row(game: Game, last: int, cells: Sequence[int], length: int) -> Reason:
    board = game.rules.board
    row, column = divmod(last, board.columns)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        found = [last]
        for way in (1, -1):
            r, c = row + way * down, column + way * right
            while 0 <= r < board.rows and 0 <= c < board.columns:
                if cells[r * board.columns + c] != cells[last]:
                    break
                found.append(r * board.columns + c)
                r, c = r + way * down, c + way * right
        if len(found) >= length:
            return frozenset(found), f"{length} in a row"
    return _NONE
