"""Readable histories: for each entry of a book, a game that leads there."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from seedfolio.arena.threads import available_cores
from seedfolio.players.book_table import pack
from seedfolio.players.program import Program
from seedfolio.portfolios.book import Book


@dataclass(frozen=True)
class Line:
    """How an entry of a book is reached."""

    moves: tuple[int, ...]
    """All moves of an example, hidden ones too, turned as the book has them."""
    symmetry: int
    """That under which the seed of the entry plays its move there, when its turn begins there."""


def lines_to(
    program: Program,
    book: Book,
    colour: int,
    entries: Iterable[int],
    *,
    symmetric: bool = True,
) -> list[Line]:
    """Replay for each of the entries the game of learning that it was first seen in.

    `symmetric` is that of the learning.
    """
    # The second one has all that is compiled, before threads ask for it.
    nothing = pack([[], []], symmetric=symmetric)
    bookless = program.with_books(nothing).with_books(nothing)

    def line(entry: int) -> Line:
        way = [(1.0, book.way_to(entry))]
        sides = [way, []] if colour == 0 else [[], way]
        booked = bookless.with_books(pack(sides, symmetric=symmetric))
        arms = int(book.arms[entry]), int(book.opponents[entry])
        state, move = int(book.states[entry]), int(book.moves[entry])
        ordered = arms if colour == 0 else (arms[1], arms[0])
        symmetry, *moves = booked.line_to(ordered, colour, state, move)
        return Line(tuple(moves), symmetry)

    with ThreadPoolExecutor(available_cores()) as pool:
        return list(pool.map(line, entries))
