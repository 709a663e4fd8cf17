"""The books of a chess portfolio as an opening book in Polyglot's format."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from seedfolio.engines.positions import begun, chess_start
from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.games.chess.pgn import Looked
from seedfolio.games.chess.polyglot import polyglot_file, polyglot_key, polyglot_move
from seedfolio.portfolios.file import PortfolioFile, load_portfolio


def polyglot_book(file: str | Path | PortfolioFile) -> bytes:
    """Return all books of a chess portfolio, or of its file, as the content of a .bin file.

    The weight of a move is the number of games in learning that came to the position in the books
    that play it, each book as often as it is drawn. SpecificationError if there is no such book.

    >>> from seedfolio import boost, polyglot_book
    >>> asked = {"learners": "book", "budget": 2000, "k": 4, "opponents": 17, "study": "c.study"}
    >>> boosted = boost("chess:fen=8/P6k/8/8/8/8/p6K/8_w_-_-_0_1", "table", **asked)
    >>> len(polyglot_book(boosted.portfolios["book"])) // 16
    17
    """
    if isinstance(file, PortfolioFile):
        portfolio, where = file, f"the portfolio of {file.learner}"
    else:
        portfolio, where = load_portfolio(file), str(file)
    if portfolio.book is None:
        raise SpecificationError(f"{where} holds no book; learn one with --learner book")
    start = chess_start(portfolio.game.source)
    if start is None:
        raise SpecificationError(f"{where} has a book of {portfolio.game.source}, not of chess")
    lines = _Lines(start, where)
    shares: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for book in (*portfolio.book.first, *portfolio.book.second):
        choices = Counter(entry.key for entry in book.entries)
        for entry in book.entries:
            if entry.line is None:
                continue
            position = lines.position(tuple(entry.line.split()))
            move = polyglot_move(position, lines.legal(position, entry.move))
            share = book.weight * entry.games / choices[entry.key]
            shares[polyglot_key(position)][move] += share
    return polyglot_file(shares)


class _Lines:
    """The positions after lines of moves, each made once."""

    def __init__(self, fen: str, where: str) -> None:
        self._fen, self._where = fen, where
        self._known: dict[tuple[str, ...], Looked] = {}

    def position(self, line: tuple[str, ...]) -> Looked:
        """Return the position after a line; PortfolioError if a move is illegal."""
        fen, moves = begun(line)
        start = len(line) - len(moves)
        if line[:start] not in self._known:
            self._known[line[:start]] = Looked.from_fen(fen or self._fen)
        known = len(line)
        while line[:known] not in self._known:
            known -= 1
        for ply in range(known, len(line)):
            before = self._known[line[:ply]]
            self._known[line[: ply + 1]] = before.after(self.legal(before, line[ply]))
        return self._known[line]

    def legal(self, position: Looked, move: str) -> str:
        """Return a move; PortfolioError if it is illegal."""
        if move not in position.moves:
            raise PortfolioError(f"{self._where} has an illegal move in its book: {move}")
        return move
