"""Readable histories: for each entry of a book, a game that leads there."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from seedfolio.arena.threads import available_cores
from seedfolio.errors import SpecificationError
from seedfolio.players.books.table import pack
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import Book


@dataclass(frozen=True)
class Line:
    """How a game reaches an entry of a book."""

    moves: tuple[int, ...]
    """All moves of an example game, including hidden ones, turned as in the book."""
    symmetry: int
    """The symmetry under which the entry's seed plays its move, if its turn begins there."""


def lines_to(
    program: Program,
    book: Book,
    colour: int,
    entries: Iterable[int],
    *,
    symmetric: bool = True,
) -> list[Line | None]:
    """Replay, for each of the entries, the game of learning that first reached it.

    `symmetric` must be the same as in learning. A book from a file does not name its games. None
    where a game met the book of a rival (see `learning.book.self_play`), which is not known here.
    """
    if len(book.arms) < len(book):
        raise ValueError("a book from a file does not name the games that reached its entries")
    # Twice: the second program has everything compiled before threads use it.
    nothing = pack([[], []], symmetric=symmetric)
    bookless = program.with_books(nothing).with_books(nothing)
    own, met = program.book_arms(book.arms)
    theirs = program.opposing(met, 1 - colour)

    def line(entry: int) -> Line | None:
        way = [(1.0, book.way_to(entry))]
        sides = [way, []] if colour == 0 else [[], way]
        booked = bookless.with_books(pack(sides, symmetric=symmetric)).facing(colour)
        arms = int(own[entry]), int(theirs[entry])
        state, move = int(book.states[entry]), int(book.moves[entry])
        ordered = arms if colour == 0 else (arms[1], arms[0])
        try:
            symmetry, *moves = booked.line_to(ordered, colour, state, move)
        except SpecificationError:
            if book.times is None or not program.traits.hides:
                raise
            return None
        return Line(tuple(moves), symmetry)

    with ThreadPoolExecutor(available_cores()) as pool:
        return list(pool.map(line, entries))
