"""Board diagrams of a book's entries, as one SVG file."""

from __future__ import annotations

import textwrap
from xml.sax.saxutils import escape

from seedfolio.errors import SpecificationError
from seedfolio.games.board import Panel
from seedfolio.games.game import Game
from seedfolio.portfolios.book.rows import WrittenBook
from seedfolio.report.boards.diagram import ARROW, SANS, board_parts, board_size, moves_piece
from seedfolio.report.books.tree import Shown, line_moves, shown_entries

_GAP, _ACROSS = 28, 4
_LEAST_WIDTH = 190
"""Of a diagram, so that its captions fit."""
_LETTER, _LINE = 6.7, 15
"""The most that a letter of a caption is wide on average, and the height of a line."""
_WHAT = (
    "Each diagram is a position that the book knows, with its move in yellow{arrow}. Percent: "
    "success of that move in learning; in brackets, that of the program's own play there. Games: "
    "how many reached the position in learning."
)
_ARROW = ", and an arrow from the piece that moves to its target"
_HIDDEN = (
    " The board is what this player sees; the line is one game that leads there, with the moves "
    "that it does not see, and refused tries in brackets."
)


def book_svg(book: WrittenBook, game: Game, colour: int, most: int) -> str:
    """Return diagrams of the `most` entries that most games reached.

    Each shows the board as the colour sees it, with coordinates, the book's move, its success and
    the line that leads there. SpecificationError for a game without a board.
    """
    board = game.rules.board
    if isinstance(board, Panel):
        raise SpecificationError(f"{game.title} has no board to draw; leave out `svg`")
    shown = shown_entries(book, game, colour, most)
    across = max(1, min(_ACROSS, len(shown)))
    column = max(_LEAST_WIDTH, board_size(board)[0])
    width = _GAP + across * (column + _GAP)
    side = f"{board.colours[colour]} ({('first', 'second')[colour]} player)"
    parts, top = _heading(f"{game.title}: book of {side}", _explanation(shown, game), width)
    captions = [_caption(each, n, game, column) for n, each in enumerate(shown)]
    drawn = list(zip(shown, captions, strict=True))
    for row in (drawn[k : k + across] for k in range(0, len(drawn), across)):
        for place, (each, caption) in enumerate(row):
            parts.append(f"<g transform='translate({_GAP + place * (column + _GAP)} {top})'>")
            parts += _diagram(each, caption, game, colour)
            parts.append("</g>")
        top += board_size(board)[1] + _LINE * max(len(caption) for _, caption in row) + _GAP
    opening = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{top}' "
        f"viewBox='0 0 {width} {top}'>"
    )
    ground = f"<rect width='{width}' height='{top}' fill='white'/>"
    return "\n".join([opening, ARROW, ground, *parts, "</svg>", ""])


def _explanation(shown: list[Shown], game: Game) -> str:
    """Return what the diagrams show, and what their numbers mean."""
    entries = [each.entry for each in shown]
    carries = any(
        moves_piece(game.picture(line_moves(entry, game)), game.rules.board.cells_of(entry.move))
        for entry in entries
    )
    return _WHAT.format(arrow=_ARROW if carries else "") + (_HIDDEN if game.rules.hides else "")


def _heading(title: str, explanation: str, width: int) -> tuple[list[str], int]:
    """Return the title and the explanation, and where the first diagram begins."""
    lines = _wrapped(explanation, width - 2 * _GAP)
    parts = [f"<text x='{_GAP}' y='26' {SANS} font-size='15'>{escape(title)}</text>"]
    parts += _texts(lines, _GAP, 32)
    return parts, 32 + _LINE * len(lines) + _GAP


def _diagram(shown: Shown, caption: list[str], game: Game, colour: int) -> list[str]:
    board = game.rules.board
    cells = game.picture(line_moves(shown.entry, game), colour)
    parts = board_parts(board, cells, board.cells_of(shown.entry.move))
    return parts + _texts(caption, 0, board_size(board)[1])


def _caption(shown: Shown, number: int, game: Game, width: int) -> list[str]:
    entry = shown.entry
    line = _line(line_moves(entry, game), game)
    way = f"after {' '.join(line)}" if line else "at the start"
    return [
        f"{number + 1}. {shown.move}",
        *_wrapped(way, width),
        f"{100 * entry.success:.1f}% ({100 * entry.original:.1f}%), {entry.games:,} games",
    ]


def _line(history: list[int], game: Game) -> list[str]:
    """Return the moves as people write them, refused tries in brackets."""
    names = [game.move_name(move) for move in history]
    if not game.rules.hides:
        return names
    refused = [game.position(history[: ply + 1]).refused for ply in range(len(history))]
    return [f"({n})" if no else n for n, no in zip(names, refused, strict=True)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, int(width / _LETTER), break_on_hyphens=False)


def _texts(lines: list[str], x: int, y: int) -> list[str]:
    return [
        f"<text x='{x}' y='{y + _LINE * (number + 1)}' {SANS} font-size='12'>{escape(line)}</text>"
        for number, line in enumerate(lines)
    ]
