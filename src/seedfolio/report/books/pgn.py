"""A book of chess as PGN: its lines as games, for opening trees and as openings of a match."""

from __future__ import annotations

from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.positions import chess_start
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.portfolios.book.rows import WrittenBook
from seedfolio.report.books.tree import shown_entries
from seedfolio.report.records.pgn import pgn_text


def book_pgn(book: WrittenBook, game: Game, colour: int, most: int) -> str:
    """Return the lines of the `most` entries that most games reached, with success as comments.

    SpecificationError for another game than chess.
    """
    fen = chess_start(game.source)
    if fen is None:
        raise SpecificationError(f"{game.title} is not chess; leave out `pgn`")
    notes: dict[tuple[str, ...], str] = {}
    for each in shown_entries(book, game, colour, most):
        line = *(each.entry.line or "").split(), each.entry.move
        notes[line] = f"{100 * each.entry.success:.1f}%, {each.entry.games:,} games"
    begun = {line[:end] for line in notes for end in range(1, len(line))}
    tags = {"Event": f"book of {game.rules.board.colours[colour]}"}
    games = []
    for line in notes:
        if line not in begun:
            said = tuple(notes.get(line[: end + 1], "") for end in range(len(line)))
            record = GameRecord(moves=line, points=1, ending=Ending.UNFINISHED, notes=said)
            games.append(pgn_text(record, fen, tags))
    return "\n".join(games)
