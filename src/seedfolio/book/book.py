"""The book of one colour as a value: what was entered at which state, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.deciding import Decisions, Values, entered
from seedfolio.book.statistics import Numbers, Words
from seedfolio.book.tree import Tree
from seedfolio.players.book_table import Instructions, pack


@dataclass(frozen=True)
class Book:
    """Entries in parallel arrays, each after the one that leads to it."""

    states: Words
    """The hash of the colour's history."""
    moves: Numbers
    """What is played there."""
    parents: Numbers
    """The entry before it, by its index; -1: none."""
    games: Numbers
    """Games that have come there in learning."""
    values: Values
    """What the state is worth with the book, as success; an estimate that learning made."""
    natural: Values
    """What the program made of it by itself."""
    arms: Words
    """An arm that chose this move there in learning."""
    opponents: Words
    """The arm that it met there."""

    def __len__(self) -> int:
        return len(self.states)

    @classmethod
    def none(cls) -> Book:
        """Return an empty book."""
        words, numbers, values = np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0)
        return cls(words, numbers, numbers, numbers, values, values, words, words)

    @classmethod
    def of(cls, tree: Tree, decided: Decisions, met: Callable[[Words], Words]) -> Book:
        """Return the book that was decided on; `met` says whom our arms met."""
        kept = entered(tree, decided)
        edges = decided.best[kept]
        place = np.full(len(tree) + 1, -1, np.int64)
        place[kept] = np.arange(len(kept))
        above = tree.parents[kept]
        return cls(
            states=tree.states[kept],
            moves=tree.moves[edges],
            parents=place[np.where(above >= 0, tree.nodes[np.maximum(above, 0)], len(tree))],
            games=decided.games[kept],
            values=decided.values[kept],
            natural=decided.natural[kept],
            arms=tree.arms[edges],
            opponents=met(tree.arms[edges]),
        )

    def instructions(self) -> Instructions:
        """Return it as compiled play takes it."""
        return Instructions.of(self.states, self.moves)


@dataclass(frozen=True)
class MixedBook:
    """Books of one colour of which one is drawn for each game; none: the original program."""

    books: tuple[Book, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.books) != len(self.weights):
            raise ValueError("a mixture needs a weight for each book")
        if self.weights and not (min(self.weights) > 0 and abs(sum(self.weights) - 1) <= 1e-6):
            raise ValueError("weights must be above 0 and add up to 1")

    def __len__(self) -> int:
        return sum(len(book) for book in self.books)

    def weighted(self) -> list[tuple[float, Instructions]]:
        """Return it as `pack` takes it."""
        return [(w, book.instructions()) for w, book in zip(self.weights, self.books, strict=True)]


ORIGINAL = MixedBook((), ())


def one_book(book: Book) -> MixedBook:
    """Return the mixture that always plays this book."""
    return MixedBook((book,), (1.0,))


def packed(sides: Sequence[MixedBook], *, symmetric: bool = True) -> NDArray[np.uint64]:
    """Return the words of the books of both colours, for `Program.with_books`."""
    return pack([side.weighted() for side in sides], symmetric=symmetric)
