"""The books of a chess portfolio as an opening book in Polyglot's format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from seedfolio.engines.specification.positions import chess_start
from seedfolio.engines.specification.specification import OPEN_SPIEL
from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.games.chess.polyglot import polyglot_file, polyglot_key, polyglot_move
from seedfolio.games.chess.position import ChessPosition
from seedfolio.portfolios.book.rows import shares as shares_of
from seedfolio.portfolios.file import PortfolioFile
from seedfolio.report.books.show import Result, open_books


def polyglot_book(file: str | Path | PortfolioFile | Result, learner: str | None = None) -> bytes:
    """Return all books of a chess portfolio, or of its file, as the content of a .bin file.

    The weight of a move is how often the books play it at its position: each book as often as it
    is drawn, the moves of a state as often as it draws them. Lines that meet at a position count by
    their games in learning. SpecificationError if there is no book of chess, or an empty one.

    Args:
        file: A portfolio file with a book of chess.
        learner: As in `show_book`.

    >>> from seedfolio import boost, polyglot_book
    >>> asked = {"learners": "book", "budget": 2000, "k": 4, "opponents": 17, "study": "c.study"}
    >>> boosted = boost("chess:fen=8/P6k/8/8/8/8/p6K/8_w_-_-_0_1", "table", **asked)
    >>> len(polyglot_book(boosted)) // 16
    10
    """
    opened = open_books(file, learner)
    source = opened.portfolio.game.source
    start = chess_start(source)
    if start is None:
        raise SpecificationError(f"{opened.where} has a book of {source}, not of chess")
    if not source.startswith(OPEN_SPIEL):
        opened.load_game()  # refuses what could not be played
    shares: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    line = _Line(ChessPosition.from_fen(start), opened.where)
    for book in (*opened.books.first, *opened.books.second):
        entries = book.entries
        for entry, often in zip(entries, shares_of(entries), strict=True):
            if entry.line is None:
                raise PortfolioError(f"{opened.where} has an entry without its line")
            position = line.position(entry.line.split())
            move = polyglot_move(position, line.checked(entry.move))
            share = book.weight * entry.games * often
            shares[polyglot_key(position)][move] += share
    if not shares:
        raise SpecificationError(f"the books of {opened.where} have no entries")
    return polyglot_file(shares)


class _Line:
    """A line of moves with its positions; the next line shares its beginning, mostly."""

    def __init__(self, start: ChessPosition, where: str) -> None:
        self._moves: list[str] = []
        self._positions = [start]
        self._where = where

    def position(self, moves: Sequence[str]) -> ChessPosition:
        """Return the position after these moves; PortfolioError if one is illegal."""
        shared = 0
        for one, other in zip(self._moves, moves, strict=False):
            if one != other:
                break
            shared += 1
        del self._moves[shared:], self._positions[shared + 1 :]
        for move in moves[shared:]:
            self._positions.append(self._positions[-1].after(self.checked(move)))
            self._moves.append(move)
        return self._positions[-1]

    def checked(self, move: str) -> str:
        """Return a move; PortfolioError if it is illegal at the last position."""
        if move not in self._positions[-1].moves:
            raise PortfolioError(
                f"{self._where} has a book that is not playable: {move} is not legal after "
                f"{' '.join(self._moves) or 'no moves'}"
            )
        return move
