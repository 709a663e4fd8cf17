"""Board diagrams of a book's entries, as one SVG file."""

from __future__ import annotations

from xml.sax.saxutils import escape

from seedfolio.errors import SpecificationError
from seedfolio.games.board import Panel
from seedfolio.games.game import Game
from seedfolio.portfolios.book_file import WrittenBook
from seedfolio.report.board_svg import cells_of_move
from seedfolio.report.book_tree import Shown, line_moves, shown_entries

_CELL, _GAP, _ACROSS = 22, 24, 4
_CAPTION = 34
_FONT = "font-family='sans-serif'"


def book_svg(book: WrittenBook, game: Game, colour: int, most: int) -> str:
    """Return diagrams of the `most` entries that most games reached.

    Each shows the board as the colour sees it, with the book's move marked, and its success.
    SpecificationError for a game without a board.
    """
    board = game.rules.board
    if isinstance(board, Panel):
        raise SpecificationError(f"{game.title} has no board to draw; leave out `svg`")
    shown = shown_entries(book, game, colour, most)
    width, height = board.columns * _CELL + _GAP, board.rows * _CELL + _GAP + _CAPTION
    across = max(1, min(_ACROSS, len(shown)))
    size = across * width + _GAP, max(1, -(-len(shown) // across)) * height + _GAP
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{size[0]}' height='{size[1]}' "
        f"viewBox='0 0 {size[0]} {size[1]}'>",
        f"<rect width='{size[0]}' height='{size[1]}' fill='white'/>",
    ]
    for number, each in enumerate(shown):
        row, column = divmod(number, across)
        corner = _GAP + column * width, _GAP + row * height
        parts += _diagram(each, number, game, colour, corner)
    return "\n".join([*parts, "</svg>", ""])


def _diagram(
    shown: Shown, number: int, game: Game, colour: int, corner: tuple[int, int]
) -> list[str]:
    board, entry = game.rules.board, shown.entry
    cells = game.information(line_moves(entry, game), colour).cells
    marked = cells_of_move(entry.move, game)
    parts = [f"<g transform='translate({corner[0]} {corner[1]})'>"]
    for cell in range(board.size):
        row, column = divmod(cell, board.columns)
        x, y = column * _CELL, (board.rows - 1 - row) * _CELL
        fill = "#ffd54f" if cell in marked else "#f5f0e6"
        parts.append(
            f"<rect x='{x}' y='{y}' width='{_CELL}' height='{_CELL}' fill='{fill}' stroke='#999'/>"
        )
        if cells[cell]:
            glyph = escape(board.glyphs[int(cells[cell])])
            parts.append(
                f"<text x='{x + _CELL // 2}' y='{y + _CELL - 6}' text-anchor='middle' {_FONT} "
                f"font-size='14'>{glyph}</text>"
            )
    told = (
        f"{number + 1}. {shown.before} {shown.move}".replace("  ", " "),
        f"{100 * entry.success:.1f}% ({100 * entry.original:.1f}%), {entry.games:,} games",
    )
    for line, text in enumerate(told):
        y = board.rows * _CELL + 13 + 14 * line
        parts.append(f"<text x='0' y='{y}' {_FONT} font-size='11'>{escape(text)}</text>")
    return [*parts, "</g>"]
