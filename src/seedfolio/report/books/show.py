"""The book of one colour in a portfolio file, to look into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from seedfolio.core.display import Displayed, Html, preformatted
from seedfolio.core.trust import Permit
from seedfolio.errors import SpecificationError
from seedfolio.games.board import Panel
from seedfolio.games.game import Game
from seedfolio.players.lookup import symmetry_tables
from seedfolio.portfolios.book.file import WrittenBooks
from seedfolio.portfolios.book.rows import WrittenBook, WrittenEntry, written_book
from seedfolio.portfolios.file import PortfolioFile, load_portfolio
from seedfolio.report.books.pgn import book_pgn
from seedfolio.report.books.sgf import book_sgf
from seedfolio.report.books.svg import book_svg
from seedfolio.report.books.tree import book_data, book_text


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


@dataclass(frozen=True, repr=False)
class ShownBook(Displayed):
    """A book of one colour, of which the `most` entries met most often are shown.

    >>> from seedfolio import boost, show_book
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> asked = {"learners": "book", "budget": 2000, "k": 8, "opponents": 17, "study": "b.study"}
    >>> shown = show_book(boost(*program, **asked).portfolios["book"], most=3)
    >>> shown
    <ShownBook domineering 4x4: vertical (first player), 3 of 5 entries>
    >>> [entry["move"] for entry in shown.as_data()["entries"]][:1]
    ['b2b3']
    """

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

    @property
    def pgn(self) -> str:
        """Its lines as PGN; SpecificationError for another game than chess."""
        return book_pgn(self.book, self.game, self.colour, self.most)

    def _summary(self) -> str:
        side = self.game.rules.board.colours[self.colour]
        place, entries = ("first", "second")[self.colour], len(self.book.rows)
        shown = f"{min(self.most, entries):,} of {entries:,} entries"
        return f"{self.game.title}: {side} ({place} player), {shown}"

    def _parts(self) -> list[Html]:
        if isinstance(self.game.rules.board, Panel):
            return [preformatted(self.text)]
        return [Html(self.svg, self.text)]

    def _records(self) -> list[dict[str, Any]]:
        return [{k: v for k, v in each.items() if k != "board"} for each in self._entries()]

    def _entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.as_data()["entries"]
        return found


@dataclass(frozen=True)
class OpenedBooks:
    """The books of a portfolio."""

    portfolio: PortfolioFile
    books: WrittenBooks
    where: str
    """The portfolio's name in messages."""
    folder: Path

    def load_game(self, permit: Permit = Permit.LISTED) -> Game:
        """Return the game; PortfolioError if the books could not be played."""
        game = self.portfolio.loaded_game(self.folder, permit)
        self.books.portfolio(game)
        return game


class Result(Protocol):
    """What `boost` returned."""

    @property
    def title(self) -> str:
        """The game and the player."""
        ...

    @property
    def study(self) -> Path:
        """Its study: files of the user's are found from its folder."""
        ...

    @property
    def portfolios(self) -> Mapping[str, PortfolioFile]:
        """By learner."""
        ...

    @property
    def recommended(self) -> str | None:
        """The learner that the verdict recommends; None: the original."""
        ...


def open_books(
    file: str | Path | PortfolioFile | Result, learner: str | None = None
) -> OpenedBooks:
    """Return the books of a portfolio, of its file, or of a learner in what `boost` returned.

    Without `learner` they are those that the verdict recommends, or the only ones.
    SpecificationError if there are none.
    """
    if isinstance(file, str | Path | PortfolioFile) and learner is not None:
        raise SpecificationError("leave out `learner`: it is for what boost returned")
    if isinstance(file, PortfolioFile):
        portfolio, folder, where = file, Path(), f"the portfolio of {file.learner}"
    elif isinstance(file, str | Path):
        portfolio, folder, where = load_portfolio(file), Path(file).parent, str(file)
    elif hasattr(file, "portfolios"):
        portfolio, folder = _chosen(file, learner), file.study.parent
        where = f"the portfolio of {portfolio.learner}"
    else:
        raise SpecificationError(
            f"a portfolio is a file, or what boost or load_portfolio returned, not {file!r}"
        )
    if portfolio.book is None:
        raise SpecificationError(f"{where} holds no book; use seedfolio show")
    return OpenedBooks(portfolio, portfolio.book, where, folder)


def _chosen(result: Result, learner: str | None) -> PortfolioFile:
    """Return the portfolio of a learner; without one, the recommended book or the only one."""
    books = [name for name, file in result.portfolios.items() if file.book is not None]
    if learner is None and result.recommended in books:
        learner = result.recommended
    if learner is None and len(books) == 1:
        (learner,) = books
    if learner is None:
        known = ", ".join(books)
        what = f"several books; name the `learner`: {known}" if books else "no book; learn one"
        raise SpecificationError(f"{result.title} has {what}")
    if learner not in result.portfolios:
        known = ", ".join(result.portfolios)
        raise SpecificationError(f"there is no portfolio of {learner!r}; there are {known}")
    return result.portfolios[learner]


def show_book(
    file: str | Path | PortfolioFile | Result,
    learner: str | None = None,
    *,
    second: bool = False,
    number: int = 1,
    most: int = 40,
    line: str = "",
    changed: bool = False,
) -> ShownBook:
    """Return a book of a portfolio, or of its file, as a tree of moves.

    `line` also takes an image of the moves under a symmetry. `changed` shows the states where the
    book's success is most above the success of the program's own play.

    Args:
        file: A portfolio file with a book.
        learner: Of what `boost` returned: the learner of the book (default: what the verdict
            recommends, or the only book).
        second: The second player's book, not the first's.
        number: Which book, where several are mixed.
        most: Number of entries, those met most often.
        line: Only what follows these moves: "b1b2 a5b5".
        changed: The states where the book gains most.

    >>> from seedfolio import boost, show_book
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> asked = {"learners": "book", "budget": 2000, "k": 8, "opponents": 17, "study": "b.study"}
    >>> boosted = boost(*program, **asked)
    >>> print(show_book(boosted, most=1).text.splitlines()[1])
    > b2b3                                        73.6%   55.1%      1,000 games
    >>> show_book(boosted.save_portfolios()["book"], second=True)
    <ShownBook domineering 4x4: horizontal (second player), 16 of 16 entries>
    """
    if not isinstance(most, int) or most < 1:
        raise SpecificationError(f"`most` must be 1 or more, not {most!r}")
    opened = open_books(file, learner)
    colour = 1 if second else 0
    mixed = (opened.books.first, opened.books.second)[colour]
    if not 1 <= number <= len(mixed):
        raise SpecificationError(
            f"{opened.where} has {len(mixed)} books of that colour, not {number}"
        )
    game = opened.load_game()
    book = mixed[number - 1]
    if line.strip():
        book = after_line(book, game, line)
    return ShownBook(most_changed(book, most) if changed else book, game, colour, most)
