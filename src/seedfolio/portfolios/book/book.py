"""The book of one colour as a value: its entries, their states, and why they were entered.

Mostly a state has one entry. If several moves are nearly as good, it can have an entry for each.
All are played equally often, or each as often as it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Brief
from seedfolio.players.books.table import Instructions, pack
from seedfolio.players.program import Program
from seedfolio.portfolios.portfolio import Portfolio, adds_up

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Values = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Book(Brief):
    """Entries in parallel arrays, each after the one that leads to it."""

    states: Words
    """The hash of the colour's history."""
    moves: Numbers
    """The move played there."""
    parents: Numbers
    """The index of the entry that leads to it; -1: none."""
    games: Numbers
    """Games that reached the state in learning."""
    values: Values
    """The success of the move there, with the book; an estimate from learning."""
    natural: Values
    """The success of the program's own play at the state."""
    arms: Words
    """An arm that chose this move there in learning; empty for a book from a file."""
    times: Numbers | None = None
    """How often the move is drawn, beside the others of its state; None: equally often."""

    def __len__(self) -> int:
        return len(self.states)

    @classmethod
    def none(cls) -> Book:
        """Return an empty book."""
        words, numbers, values = np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0)
        return cls(words, numbers, numbers, numbers, values, values, words)

    @property
    def learnt(self) -> int:
        """Games in learning that reached a first state with an entry: nearly all."""
        first = np.flatnonzero(self.parents < 0)
        _, each = np.unique(self.states[first], return_index=True)
        return int(self.games[first][each].sum())

    def instructions(self) -> Instructions:
        """Return it in the form for compiled play."""
        return Instructions.of(self.states, self.moves, self.times)

    def way_to(self, entry: int) -> Instructions:
        """Return only the moves that a game must play to reach an entry."""
        above: list[int] = []
        while (entry := int(self.parents[entry])) >= 0:
            above.append(entry)
        return Instructions.of(self.states[above], self.moves[above])

    def _summary(self) -> str:
        return f"{len(self):,} entries"


@dataclass(frozen=True, repr=False)
class MixedBook(Brief):
    """Books of one colour of which one is drawn for each game; none: the original program."""

    books: tuple[Book, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.books) != len(self.weights):
            raise ValueError("a mixture needs a weight for each book")
        if self.weights and not adds_up(self.weights):
            raise ValueError("weights must be above 0 and add up to 1")

    def __len__(self) -> int:
        return sum(len(book) for book in self.books)

    def weighted(self) -> list[tuple[float, Instructions]]:
        """Return it in the form that `pack` takes."""
        return [(w, book.instructions()) for w, book in zip(self.weights, self.books, strict=True)]

    def _summary(self) -> str:
        return f"{len(self.books)} books, {len(self):,} entries"


ORIGINAL = MixedBook((), ())


def equal_mixture(books: Iterable[Book]) -> MixedBook:
    """Return the mixture that plays each of these books equally often."""
    every = tuple(books)
    return MixedBook(every, (1 / len(every),) * len(every))


def one_book(book: Book) -> MixedBook:
    """Return the mixture that always plays this book."""
    return equal_mixture([book])


@dataclass(frozen=True, repr=False)
class BookPortfolio(Brief):
    """Books for both colours; where they end, or without one, the program plays on."""

    first: MixedBook
    second: MixedBook
    symmetric: bool = True
    """Whether a symmetry of the board is drawn for each game."""
    behind: Portfolio | None = None
    """The arms that play on; None: a fresh seed each game."""

    def __getitem__(self, colour: int) -> MixedBook:
        return (self.first, self.second)[colour]

    def played_by(self, program: Program) -> Program:
        """Return the program with the books."""
        return program.with_books(self.words())

    @property
    def distributions(self) -> Portfolio | None:
        """The distributions over arms; None if a fresh seed plays each game."""
        return self.behind

    @property
    def sizes(self) -> tuple[int, int]:
        """How many entries the first and the second player have."""
        return len(self.first), len(self.second)

    @property
    def is_original(self) -> bool:
        """Whether it plays as the original program: its books have no entries."""
        return self.behind is None and not any(self.sizes)

    @property
    def arms(self) -> tuple[int, ...]:
        """The arms of the portfolio: none if a fresh seed plays each game."""
        return () if self.behind is None else self.behind.arms

    def turned(self, symmetries: int) -> BookPortfolio:
        """Return the same: books draw a symmetry for each game anyway."""
        return self

    def words(self) -> NDArray[np.uint64]:
        """Return the books for `Program.with_books`."""
        return packed([self.first, self.second], symmetric=self.symmetric)

    def _summary(self) -> str:
        return f"{len(self.first):,}+{len(self.second):,} entries"


def packed(sides: Sequence[MixedBook], *, symmetric: bool = True) -> NDArray[np.uint64]:
    """Return the words of the books of both colours, for `Program.with_books`."""
    return pack([side.weighted() for side in sides], symmetric=symmetric)
