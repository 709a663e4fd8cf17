"""A book as part of a portfolio file: readable, and with all that is needed to play it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.program import Program
from seedfolio.portfolios.book import Book, BookPortfolio, MixedBook
from seedfolio.portfolios.book_lines import Line, lines_to
from seedfolio.portfolios.written import FilePart

MOST_LINES = 5_000
"""The file gives a game that leads there for at most this many entries of a book, those that most
games reached: finding each takes a game."""


Share = Annotated[float, Field(ge=0, le=1)]


class WrittenEntry(FilePart):
    """One state of a colour and the move of its book, or one of two equally likely moves."""

    state: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    """The hash of all events that the colour has noticed."""
    line: str | None = None
    """A game that leads there: all its moves, including those that the colour does not see."""
    move: str
    seed: Annotated[int, Field(ge=0, lt=2**48)]
    """The seed that played the move there in learning."""
    opponent: Annotated[int, Field(ge=0, lt=2**48)]
    """The opponent's seed in that game."""
    symmetry: int | None = None
    """The symmetry of the board under which the seed plays the move in the line."""
    parent: Annotated[int, Field(ge=-1)]
    """The place in the list of the entry that leads to it; -1: none."""
    games: Annotated[int, Field(ge=0, lt=2**63)]
    success: Share
    """The success of the move there: an estimate from learning, not from unseen opponents."""
    original: Share
    """The success of the program's own play at the state."""


def _check_entries(entries: list[WrittenEntry]) -> list[WrittenEntry]:
    if len({(entry.state, entry.move) for entry in entries}) != len(entries):
        raise ValueError("a state has the same move twice")
    if any(entry.parent >= place for place, entry in enumerate(entries)):
        raise ValueError("an entry comes before the one that leads to it")
    return entries


class WrittenBook(FilePart):
    """One book of a colour, drawn with a weight."""

    weight: Annotated[float, Field(gt=0, le=1)]
    entries: Annotated[list[WrittenEntry], AfterValidator(_check_entries)]


class WrittenBooks(FilePart):
    """The books of both colours."""

    symmetric: bool
    """Whether a symmetry of the board is drawn for each game."""
    first: list[WrittenBook]
    second: list[WrittenBook]

    def portfolio(self, game: Game) -> BookPortfolio:
        """Return the books as values; PortfolioError if they do not fit the game."""
        return BookPortfolio(_mixed(self.first, game), _mixed(self.second, game), self.symmetric)


def written_books(program: Program, plays: BookPortfolio) -> WrittenBooks:
    """Return the books of a program for a file."""
    symmetric = plays.symmetric
    first, second = (
        [
            WrittenBook(weight=weight, entries=_entries(program, book, colour, symmetric))
            for weight, book in zip(plays[colour].weights, plays[colour].books, strict=True)
        ]
        for colour in (0, 1)
    )
    return WrittenBooks(symmetric=symmetric, first=first, second=second)


def _entries(program: Program, book: Book, colour: int, symmetric: bool) -> list[WrittenEntry]:
    told = np.sort(np.argsort(-book.games, kind="stable")[:MOST_LINES])
    lines: list[Line | None] = [None] * len(book)
    found = lines_to(program, book, colour, told, symmetric=symmetric)
    for entry, line in zip(told, found, strict=True):
        lines[entry] = line
    name = program.game.move_name
    return [
        WrittenEntry(
            state=f"{int(book.states[k]):016x}",
            line=None if line is None else " ".join(name(move) for move in line.moves),
            move=name(int(book.moves[k])),
            seed=int(book.arms[k]),
            opponent=int(book.opponents[k]),
            symmetry=None if line is None else line.symmetry,
            parent=int(book.parents[k]),
            games=int(book.games[k]),
            success=round(float(book.values[k]), 4),
            original=round(float(book.natural[k]), 4),
        )
        for k, line in enumerate(lines)
    ]


def _mixed(books: Sequence[WrittenBook], game: Game) -> MixedBook:
    try:
        weights = tuple(each.weight for each in books)
        return MixedBook(tuple(_book(each.entries, game) for each in books), weights)
    except (ValueError, SpecificationError) as error:
        raise PortfolioError(f"the book in this portfolio is not playable: {error}") from error


def _book(entries: Sequence[WrittenEntry], game: Game) -> Book:
    states = [int(entry.state, 16) for entry in entries]
    book = book_of_entries(entries, states, [game.parse_move(entry.move) for entry in entries])
    book.instructions()  # raises if the book is not playable
    return book


def book_of_entries(
    entries: Sequence[WrittenEntry], states: Sequence[int], moves: Sequence[int]
) -> Book:
    """Return the book of these entries, with the states and moves that they name."""
    return Book(
        states=np.array(states, np.uint64),
        moves=np.array(moves, np.int64),
        parents=np.array([entry.parent for entry in entries], np.int64),
        games=np.array([entry.games for entry in entries], np.int64),
        values=np.array([entry.success for entry in entries], np.float64),
        natural=np.array([entry.original for entry in entries], np.float64),
        arms=np.array([entry.seed for entry in entries], np.uint64),
        opponents=np.array([entry.opponent for entry in entries], np.uint64),
    )
