"""How an external engine answers what every program is asked, about books above all."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from seedfolio.engines.specification import Specification
from seedfolio.errors import SpecificationError
from seedfolio.players.book_table import Books, pack

Words = NDArray[np.uint64]


class Booked:
    """The answers; `engines.program.EngineProgram` gives them."""

    specification: Specification
    books: Books | None
    proposing: bool

    file: str

    book_pays_from = 1_000
    turns_books = False

    @property
    def for_books(self) -> Self:
        """The program with one game a cell and empty books."""
        words = pack([[], []], symmetric=False)
        return replace(self, repeats=1, books=Books(words))  # type: ignore[type-var]

    def single(self) -> Self:
        """Return the program with one game a cell."""
        return replace(self, repeats=1)  # type: ignore[type-var]

    def with_books(self, words: Words) -> Self:
        """Return the program with these books (see `players.book_table`) for its arms to play."""
        return replace(self, books=Books(words))  # type: ignore[type-var]

    def studying(self, words: Words) -> Self:
        """Return the program with books, whose arms also tell what they would play instead."""
        return replace(self, books=Books(words), proposing=True)  # type: ignore[type-var]

    def book_arms(self, games: Words) -> tuple[Words, Words]:
        """Return our arms and the opponent's in learning games with these numbers."""
        return self.specification.all_arms.pairs(games)

    def proposer(self, theirs: int) -> int:
        """Return the arm that proposes moves in a learning game against the arm `theirs`."""
        _, proposers = self.book_arms(np.array([theirs], np.uint64))
        return int(proposers[0])

    def with_symmetries(self) -> Self:
        """Raise SpecificationError: the symmetries of an engine's board are not known."""
        raise SpecificationError(
            f"{self.file} is an external engine, whose symmetries are not known; leave out "
            "`symmetries`"
        )

    def for_arms(self, *arms: NDArray[np.uint64]) -> Self:
        """Return the program as it plays these arms: as it is."""
        return self

    def compiled(self) -> NoReturn:
        """Raise SpecificationError: nothing is compiled here."""
        raise SpecificationError(f"{self.file} is an external engine: it has no compiled program")

    @property
    def behaviour(self) -> str:
        """A digest of all that results depend on, except the engine itself."""
        return self.specification.digest
