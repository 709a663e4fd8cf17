"""Board diagrams of a book's entries, as one SVG file."""

from __future__ import annotations

from seedfolio.errors import SpecificationError
from seedfolio.games.board import Panel
from seedfolio.games.game import Game
from seedfolio.portfolios.book.rows import WrittenBook
from seedfolio.report.boards.sheet import Diagram, sheet_svg
from seedfolio.report.boards.svg import BoardPicture
from seedfolio.report.books.tree import Shown, line_moves, shown_entries

_ACROSS = 4
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
    diagrams = [_diagram(each, number, game, colour) for number, each in enumerate(shown, 1)]
    carries = any(each.arrow is not None for each in diagrams)
    said = _WHAT.format(arrow=_ARROW if carries else "") + (_HIDDEN if game.rules.hides else "")
    side = f"{board.colours[colour]} ({('first', 'second')[colour]} player)"
    return sheet_svg(f"{game.title}: book of {side}", said, diagrams, _ACROSS)


def _diagram(shown: Shown, number: int, game: Game, colour: int) -> Diagram:
    entry, history = shown.entry, line_moves(shown.entry, game)
    seen, move = game.information(history, colour).cells, game.rules.board.cells_of(entry.move)
    # A move that names two cells, the first with a piece on it, takes that piece to the other.
    arrow = (move[0], move[1]) if len(move) == 2 and seen[move[0]] else None
    line = _line(history, game)
    caption = (
        f"{number}. {shown.move}",
        f"after {' '.join(line)}" if line else "at the start",
        f"{100 * entry.success:.1f}% ({100 * entry.original:.1f}%), {entry.games:,} games",
    )
    targets = move if arrow is None else move[1:]
    return Diagram(BoardPicture.of(game, history, seen, targets), caption, arrow)


def _line(history: list[int], game: Game) -> list[str]:
    """Return the moves as people write them, refused tries in brackets."""
    names = [game.move_name(move) for move in history]
    if not game.rules.hides:
        return names
    refused = [game.position(history[: ply + 1]).refused for ply in range(len(history))]
    return [f"({n})" if no else n for n, no in zip(names, refused, strict=True)]
