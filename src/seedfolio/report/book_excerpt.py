"""Parts of a large book: what follows a line of moves, and where the book changes most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.sides import symmetry_tables
from seedfolio.portfolios.book_rows import WrittenBook, WrittenEntry, written_book


def after_line(book: WrittenBook, game: Game, line: str) -> WrittenBook:
    """Return the entries that follow a line of moves, or an image of it that the book has.

    SpecificationError if there is none.
    """
    moves = [game.parse_move(name) for name in line.split()]
    images = symmetry_tables(game)[0].tolist()
    for turned in dict.fromkeys(tuple(image[move] for move in moves) for image in images):
        names = [game.move_name(move) for move in turned]
        found = [k for k, entry in enumerate(book.entries) if _begins(entry, names)]
        if found:
            return _part(book, found)
    raise SpecificationError(
        f"the book has no entry after {line}, or none whose line is in the file; shorten `line`"
    )


def most_changed(book: WrittenBook, most: int) -> WrittenBook:
    """Return the entries whose success is most above that of the program's own play."""
    known = [k for k, entry in enumerate(book.entries) if entry.line is not None]
    gains = {k: book.entries[k].success - book.entries[k].original for k in known}
    chosen = sorted(sorted(known, key=lambda k: (-gains[k], k))[:most])
    alone = [replace(book.entries[k], parent=-1) for k in chosen]
    return written_book(book.weight, alone)


def _begins(entry: WrittenEntry, names: Sequence[str]) -> bool:
    return entry.line is not None and entry.line.split()[: len(names)] == [*names]


def _part(book: WrittenBook, kept: Sequence[int]) -> WrittenBook:
    """Return the book with these entries only; those that lose their parent become roots."""
    place = {old: new for new, old in enumerate(kept)}
    entries = [replace(book.entries[k], parent=place.get(book.entries[k].parent, -1)) for k in kept]
    return written_book(book.weight, entries)
