"""One board as SVG: coordinates, what lies on the cells, and a move."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from seedfolio.games.board import GO_LETTERS, Board
from seedfolio.games.hex.board import HexBoard
from seedfolio.report.boards.hexagons import Hexagons

CELL = 28
MARGIN = 20
"""Room for the coordinates, to the left and below."""
SANS = "font-family='sans-serif'"
ARROW = (
    "<defs><marker id='head' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='5' markerHeight='5' "
    "orient='auto'><path d='M0 0 L8 4 L0 8 z' fill='#c62828'/></marker></defs>"
)
"""The head of arrows, once for each file."""
_WOOD, _LINE, _TARGET, _SOURCE = "#f5f0e6", "#8d8372", "#ffd54f", "#c62828"
_SIDES = {1: "#1f4e8c", 2: "#b3402a"}
"""By content: colours of the two players' pieces that are no stones."""
_HALF = 15
"""Half the width of a hexagonal cell."""


def board_size(board: Board) -> tuple[int, int]:
    """Return the width and height of a drawn board."""
    if isinstance(board, HexBoard):
        hexagons = Hexagons(board, _HALF)
        return hexagons.width + 2 * MARGIN, hexagons.height + MARGIN
    return board.columns * CELL + MARGIN, board.rows * CELL + MARGIN


def moves_piece(cells: Sequence[int], move: Sequence[int]) -> bool:
    """Tell whether a move takes a piece from the first of its two cells to the other."""
    return len(move) == 2 and bool(cells[move[0]])


def board_parts(board: Board, cells: Sequence[int], move: Sequence[int]) -> list[str]:
    """Return the elements of a board, its upper left corner at (0, 0).

    `move` are the cells that a move names. If the first of two holds a piece, the move takes that
    from there to the other: an arrow. Otherwise it fills all of them.
    """
    carries = moves_piece(cells, move)
    targets = move[1:] if carries else move
    parts = _ground(board, targets) + _coordinates(board)
    for cell in range(board.size):
        if cells[cell]:
            parts += _piece(board, cell, int(cells[cell]))
    if carries:
        (x, y), (to_x, to_y) = (_centre(board, cell) for cell in move)
        half = CELL / 2 - 2
        parts.append(
            f"<rect x='{x - half}' y='{y - half}' width='{2 * half}' height='{2 * half}' "
            f"fill='none' stroke='{_SOURCE}' stroke-width='2' stroke-dasharray='4 3'/>"
        )
        parts.append(
            f"<line x1='{x}' y1='{y}' x2='{to_x}' y2='{to_y}' stroke='{_SOURCE}' "
            "stroke-width='3' marker-end='url(#head)'/>"
        )
    return parts


def _ground(board: Board, targets: Sequence[int]) -> list[str]:
    """Return the empty board: squares, or for Go the crossing lines of its points."""
    if isinstance(board, HexBoard):
        return _hexagonal_ground(board, targets)
    go = board.letters == GO_LETTERS
    parts = []
    for cell in range(board.size):
        x, y = (place - CELL / 2 for place in _centre(board, cell))
        fill = _TARGET if cell in targets else _WOOD
        stroke = "none" if go else _LINE
        size = f"width='{CELL}' height='{CELL}'"
        parts.append(f"<rect x='{x}' y='{y}' {size} fill='{fill}' stroke='{stroke}'/>")
    if go:
        left, top = _centre(board, (board.rows - 1) * board.columns)
        right, bottom = _centre(board, board.columns - 1)
        for k in range(board.columns):
            x = left + k * CELL
            parts.append(f"<path d='M{x} {top}V{bottom}' stroke='{_LINE}'/>")
        for k in range(board.rows):
            y = top + k * CELL
            parts.append(f"<path d='M{left} {y}H{right}' stroke='{_LINE}'/>")
    for cell in targets if go else ():
        x, y = _centre(board, cell)
        parts.append(f"<circle cx='{x}' cy='{y}' r='6' fill='{_TARGET}' stroke='{_SOURCE}'/>")
    return parts


def _hexagonal_ground(board: HexBoard, targets: Sequence[int]) -> list[str]:
    parts = [f"<g transform='translate({MARGIN} {MARGIN})'>"]
    for row, column in board.places:
        fill = _TARGET if row * board.columns + column in targets else _WOOD
        points = Hexagons(board, _HALF).outline(row, column)
        parts.append(f"<polygon points='{points}' fill='{fill}' stroke='{_LINE}'/>")
    return [*parts, "</g>"]


def _coordinates(board: Board) -> list[str]:
    style = f"{SANS} font-size='11' fill='#555' text-anchor='middle'"
    if isinstance(board, HexBoard):
        texts = [
            *(((row, board.columns_of(row)[0] - 1), f"{row + 1}") for row in range(board.rows)),
            *((place, board.letters[place[1]]) for place in board.letter_places),
        ]
        hexagons = Hexagons(board, _HALF)
        found = [(*hexagons.centre(*place), text) for place, text in texts]
        return [
            f"<text x='{x + MARGIN}' y='{y + MARGIN + 4}' {style}>{text}</text>"
            for x, y, text in found
        ]
    below = board.rows * CELL + 14
    names = [
        f"<text x='{MARGIN + k * CELL + CELL / 2}' y='{below}' {style}>{board.letters[k]}</text>"
        for k in range(board.columns)
    ]
    numbers = [
        f"<text x='{MARGIN / 2}' y='{(board.rows - k - 0.5) * CELL + 4}' {style}>{k + 1}</text>"
        for k in range(board.rows)
    ]
    return names + numbers


def _piece(board: Board, cell: int, content: int) -> list[str]:
    """Return what lies on a cell: a black or white stone, or a tile with its letter."""
    x, y = _centre(board, cell)
    glyph = board.glyphs[content]
    if glyph in ("X", "O"):
        fill = "#222" if glyph == "X" else "white"
        radius = CELL / 2 - 3
        return [f"<circle cx='{x}' cy='{y}' r='{radius}' fill='{fill}' stroke='#222'/>"]
    half = CELL / 2 - 2
    fill = _SIDES.get(content, "#777")
    return [
        f"<rect x='{x - half}' y='{y - half}' width='{2 * half}' height='{2 * half}' rx='4' "
        f"fill='{fill}'/>",
        f"<text x='{x}' y='{y + 5}' text-anchor='middle' {SANS} font-size='14' fill='white'>"
        f"{escape(glyph)}</text>",
    ]


def _centre(board: Board, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, board.columns)
    if isinstance(board, HexBoard):
        x, y = Hexagons(board, _HALF).centre(row, column)
        return x + MARGIN, y + MARGIN
    return MARGIN + column * CELL + CELL / 2, (board.rows - 1 - row) * CELL + CELL / 2
