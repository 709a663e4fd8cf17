"""A book as SGF, for games with Go stones: a tree of boards, with success in comments.

Without hidden information, the nodes are moves. With hidden information, each entry is a node that
sets up the board as the colour sees it; a triangle marks the book's move.
"""

from __future__ import annotations

from itertools import pairwise

from seedfolio.errors import SpecificationError
from seedfolio.games.board import PASS
from seedfolio.games.game import Game
from seedfolio.games.go.area import has_go_stones
from seedfolio.portfolios.book.rows import WrittenBook, WrittenEntry
from seedfolio.report.books.tree import Shown, line_moves, shown_entries
from seedfolio.report.records.sgf import COLOURS, points_with, root_text, setup_text, vertex


def book_sgf(book: WrittenBook, game: Game, colour: int, most: int) -> str:
    """Return the `most` entries that most games reached; SpecificationError without Go stones."""
    if not has_go_stones(game):
        raise SpecificationError(
            f"{game.title} is not played with stones on a Go board; leave out `sgf`"
        )
    shown = shown_entries(book, game, colour, most)
    komi = f"{game.parameters['komi']:g}" if "komi" in game.parameters else ""
    name = f"book of {game.rules.board.colours[colour]}, {game.title}"
    root = root_text(game.rules.board.columns, KM=komi, GN=name)
    return f"(;{root}{_variations(shown, 0, game, colour)})\n"


def _variations(shown: list[Shown], depth: int, game: Game, colour: int) -> str:
    """Return the variations at one depth: each entry with all entries below it."""
    text = ""
    begins = [k for k, each in enumerate(shown) if each.depth == depth]
    for begin, end in pairwise([*begins, len(shown)]):
        behind = _variations(shown[begin + 1 : end], depth + 1, game, colour)
        text += f"\n({_nodes(shown[begin], game, colour)}{behind})"
    return text


def _nodes(shown: Shown, game: Game, colour: int) -> str:
    entry, size = shown.entry, game.rules.board.columns
    comment = (
        f"success {100 * entry.success:.1f}%, the program by itself {100 * entry.original:.1f}%, "
        f"{entry.games:,} games"
    )
    if shown.choices > 1:
        comment += f", one of {shown.choices} moves"
    if not game.rules.hides:
        moves = [*shown.before.split(), entry.move]
        # The colours alternate, and the book's colour plays last.
        colours = [COLOURS[(colour + len(moves) - 1 - k) % 2] for k in range(len(moves))]
        nodes = "".join(
            f";{side}[{vertex(move, size)}]" for side, move in zip(colours, moves, strict=True)
        )
        return f"{nodes}C[{comment}]"
    mark = f"TR[{vertex(entry.move, size)}]" if entry.move != PASS else ""
    return f";{_setup(entry, game, colour)}{mark}C[{shown.before} {comment}]"


def _setup(entry: WrittenEntry, game: Game, colour: int) -> str:
    """Return SGF properties that set up the whole board as the colour sees it."""
    cells, size = game.information(line_moves(entry, game), colour).cells, game.rules.board.columns
    contents = ((0, "AE"), (1, "AB"), (2, "AW"))
    return setup_text({name: points_with(each, cells, size) for each, name in contents}, colour)
