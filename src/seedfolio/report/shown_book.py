"""The book of one colour in a portfolio file, to look into."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.portfolios.book_file import WrittenBook
from seedfolio.portfolios.file import load_portfolio
from seedfolio.report.book_diagrams import book_svg
from seedfolio.report.book_sgf import book_sgf
from seedfolio.report.book_tree import book_data, book_text


@dataclass(frozen=True)
class ShownBook:
    """A book of one colour, of which the `most` entries met most often are shown."""

    book: WrittenBook
    game: Game
    colour: int
    most: int

    @property
    def text(self) -> str:
        """A tree of moves with success and visits in learning."""
        return book_text(self.book, self.game, self.colour, self.most)

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return book_data(self.book, self.game, self.colour, self.most)

    @property
    def svg(self) -> str:
        """Diagrams of the boards, as SVG."""
        return book_svg(self.book, self.game, self.colour, self.most)

    @property
    def sgf(self) -> str:
        """The tree as SGF; SpecificationError for a game without Go stones."""
        return book_sgf(self.book, self.game, self.colour, self.most)


def show_book(
    file: str | Path, *, second: bool = False, number: int = 1, most: int = 40
) -> ShownBook:
    """Return a book of a portfolio file: the first player's, or with `second` the second's.

    `number` says which, where several are mixed.

    >>> from seedfolio import boost, show_book
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> asked = {"learners": "book", "budget": 2000, "k": 8, "opponents": 17, "study": "b.study"}
    >>> files = boost(*program, **asked).save_portfolios()
    >>> print(show_book(files["book"], most=1).text.splitlines()[1])
    > b2b3                                        76.6%   55.1%      1,000 games
    """
    path = Path(file)
    portfolio = load_portfolio(path)
    if portfolio.book is None:
        raise SpecificationError(f"{path} holds no book; use seedfolio show")
    colour = 1 if second else 0
    mixed = (portfolio.book.first, portfolio.book.second)[colour]
    if not 1 <= number <= len(mixed):
        raise SpecificationError(f"{path} has {len(mixed)} books of that colour, not {number}")
    game = portfolio.loaded_game(path.parent)
    if portfolio.engine is None:
        portfolio.book.portfolio(game)  # refuses what could not be played
    return ShownBook(mixed[number - 1], game, colour, most)
