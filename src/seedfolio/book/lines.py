"""Readable histories: for each entry of a book, a game that leads there, and its arm."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from seedfolio.arena.threads import available_cores
from seedfolio.book.book import ORIGINAL, Book, MixedBook, one_book, packed
from seedfolio.core.arm_numbers import turned_arm
from seedfolio.players.program import Program


@dataclass(frozen=True)
class Line:
    """How an entry of a book is reached."""

    moves: tuple[int, ...]
    """All moves of an example, hidden ones too, turned as the book has them."""
    arm: int
    """The arm that plays the entry's move there when its turn begins there."""


def lines_to(
    program: Program,
    book: Book,
    colour: int,
    entries: Iterable[int],
    *,
    against: MixedBook = ORIGINAL,
    symmetric: bool = True,
) -> list[Line]:
    """Replay for each of the entries the game of learning that it was first seen in.

    `against` and `symmetric` are those of the learning.
    """
    sides = [one_book(book), against] if colour == 0 else [against, one_book(book)]
    booked = program.with_books(packed(sides, symmetric=symmetric))

    def line(entry: int) -> Line:
        arm = int(book.arms[entry])
        state, move = int(book.states[entry]), int(book.moves[entry])
        symmetry, *moves = booked.line_to((arm, arm), colour, state, move)
        return Line(tuple(moves), turned_arm(arm, symmetry))

    with ThreadPoolExecutor(available_cores()) as pool:
        return list(pool.map(line, entries))
