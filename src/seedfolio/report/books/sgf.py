"""A book as SGF, for games with Go stones: a tree of boards, with success in comments.

Without hidden information, the nodes are moves. With hidden information, each entry is a node that
sets up the board as the colour sees it; a triangle marks the book's move.
"""

from __future__ import annotations

from itertools import pairwise

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.go.area import has_go_stones
from seedfolio.portfolios.book.rows import WrittenBook, WrittenEntry
from seedfolio.report.books.tree import Shown, line_moves, shown_entries
from seedfolio.version import __version__

_COLOURS = "BW"


def book_sgf(book: WrittenBook, game: Game, colour: int, most: int) -> str:
    """Return the `most` entries that most games reached; SpecificationError without Go stones."""
    if not has_go_stones(game):
        raise SpecificationError(
            f"{game.title} is not played with stones on a Go board; leave out `sgf`"
        )
    shown = shown_entries(book, game, colour, most)
    komi = f"KM[{game.parameters['komi']:g}]" if "komi" in game.parameters else ""
    root = (
        f";FF[4]GM[1]CA[UTF-8]AP[Seedfolio:{__version__}]SZ[{game.rules.board.columns}]"
        f"{komi}GN[book of {game.rules.board.colours[colour]}, {game.title}]"
    )
    return f"({root}{_variations(shown, 0, game, colour)})\n"


def _variations(shown: list[Shown], depth: int, game: Game, colour: int) -> str:
    """Return the variations at one depth: each entry with all entries below it."""
    text = ""
    begins = [k for k, each in enumerate(shown) if each.depth == depth]
    for begin, end in pairwise([*begins, len(shown)]):
        behind = _variations(shown[begin + 1 : end], depth + 1, game, colour)
        text += f"\n({_nodes(shown[begin], game, colour)}{behind})"
    return text


def _nodes(shown: Shown, game: Game, colour: int) -> str:
    entry = shown.entry
    comment = (
        f"success {100 * entry.success:.1f}%, the program by itself {100 * entry.original:.1f}%, "
        f"{entry.games:,} games"
    )
    if shown.choices > 1:
        comment += f", one of {shown.choices} moves"
    if not game.rules.hides:
        moves = [*shown.before.split(), entry.move]
        # The colours alternate, and the book's colour plays last.
        colours = [_COLOURS[(colour + len(moves) - 1 - k) % 2] for k in range(len(moves))]
        nodes = "".join(
            f";{side}[{_vertex(game, move)}]" for side, move in zip(colours, moves, strict=True)
        )
        return f"{nodes}C[{comment}]"
    return f";{_setup(entry, game, colour)}{_mark(game, entry.move)}C[{shown.before} {comment}]"


def _setup(entry: WrittenEntry, game: Game, colour: int) -> str:
    """Return SGF properties that set up the whole board as the colour sees it."""
    cells = game.information(line_moves(entry, game), colour).cells
    size = game.rules.board.columns
    text = ""
    for content, name in ((0, "AE"), (1, "AB"), (2, "AW")):
        places = [divmod(cell, size) for cell in range(len(cells)) if cells[cell] == content]
        if places:
            text += name + "".join(f"[{_point(row, column, size)}]" for row, column in places)
    return f"{text}PL[{_COLOURS[colour]}]"


def _mark(game: Game, move: str) -> str:
    return f"TR[{_vertex(game, move)}]" if move != "pass" else ""


def _vertex(game: Game, name: str) -> str:
    """Return a move in SGF notation: `A1` on 5x5 is `ae`, and a pass is empty."""
    if name == "pass":
        return ""
    board = game.rules.board
    return _point(int(name[1:]) - 1, board.letters.index(name[0]), board.columns)


def _point(row: int, column: int, size: int) -> str:
    return f"{chr(ord('a') + column)}{chr(ord('a') + size - 1 - row)}"
