"""Chess pieces as SVG, in a cell of 40 by 40, coloured by the style sheet of a page."""

from __future__ import annotations

from seedfolio.games.board import Board

_OUTLINES = {
    "P": (
        "M20 8a5 5 0 0 0-3.6 8.5c-1.8.9-2.9 2.5-2.9 4.5h3.2c-.6 4-2.4 6.6-5.2 8.5V34h17v-4.5"
        "c-2.8-1.9-4.6-4.5-5.2-8.5h3.2c0-2-1.1-3.6-2.9-4.5A5 5 0 0 0 20 8z"
    ),
    "N": (
        "M12.5 34c0-5.6 5-8.4 5.4-13-2 1.6-3.9 1.8-5.1 3.6-1.4 1.4-3.8.6-4.3-1.2-.5-1.6.6-3 1.4"
        "-4.4l3-6.2c.4-1 .3-2.3.8-3.2L13.6 6l3.6 2.3C24.5 7.6 30.5 12.5 30.5 24v10z"
    ),
    "B": (
        "M20 5.5a2.4 2.4 0 0 0-1.5 4.3c-3.3 2.2-5.5 5.8-5.5 9.2 0 2.6 1.2 4.6 3 6l-.7 3.3c-2.3.6"
        "-4.3 1.5-5.3 2.9V34h20v-2.8c-1-1.4-3-2.3-5.3-2.9L24 25c1.8-1.4 3-3.4 3-6 0-3.4-2.2-7-5.5"
        "-9.2A2.4 2.4 0 0 0 20 5.5z"
    ),
    "R": "M11 8h4v3h3V8h4v3h3V8h4v7l-3 2.6v8.8l3 2.6v5H11v-5l3-2.6v-8.8L11 15z",
    "Q": (
        "M7 11.5l4.6 14.5-1.1 3.5V34h19v-4.5L28.4 26 33 11.5 28 18 26.7 8.5 22.8 17 20 7.5"
        "l-2.8 9.5-3.9-8.5L12 18z"
    ),
    "K": (
        "M18.8 4.5h2.4v2.3h2.3v2.4h-2.3v3.6c1.3-1.3 3.1-2 5.3-2 3.4 0 6 2.6"
        " 6 5.8 0 3.4-2.2 6.3-4.5 8.9l1 3.5v5H11v-5l1-3.5c-2.3-2.6-4.5-5.5-4.5"
        "-8.9 0-3.2 2.6-5.8 6-5.8 2.2 0 4 .7 5.3 2V9.2h-2.3V6.8h2.3z"
    ),
}
_DETAILS = {
    "P": "",
    "N": "M15.6 13.2v1.6",
    "B": "M20 13.5v6.5M17 16.5h6M15.5 25.5h9",
    "R": "M14 17.6h12M14 26.4h12",
    "Q": "M11.8 26.2h16.4M11 30h18",
    "K": "M20 14.5v9M12.2 25.5h15.6M11.5 30h17",
}
"""Lines inside the outline, in the colour of the other side."""
KINDS = "".join(_OUTLINES)


def has_chess_pieces(board: Board) -> bool:
    """Tell whether the contents of the cells are chess pieces, White's in capital letters."""
    pieces = {*board.glyphs[1:]}
    return {"K", "k"} <= pieces <= {*KINDS, *KINDS.lower()}


def chess_piece(glyph: str, x: int, y: int) -> str:
    """Return a piece whose cell has its left upper corner at (x, y)."""
    kind, shade = glyph.upper(), "light" if glyph.isupper() else "dark"
    lines = f'<path class="detail" d="{_DETAILS[kind]}"/>' if _DETAILS[kind] else ""
    return (
        f'<g class="man {shade}" transform="translate({x} {y})"><path d="{_OUTLINES[kind]}"/>'
        f"{lines}</g>"
    )
