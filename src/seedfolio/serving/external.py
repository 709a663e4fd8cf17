"""A boosted external engine for GTP and UCI: it draws an arm for each game, or plays a book."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from seedfolio.core.program_files import is_engine_file
from seedfolio.core.randomness import mix_int
from seedfolio.engines.program import EngineProgram, load_engine_program
from seedfolio.errors import SpecificationError
from seedfolio.players.books.table import Books
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.file import load_portfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.serving.book_reader import BookReader
from seedfolio.serving.external_game import ExternalGame
from seedfolio.serving.load_opponent import is_external


@dataclass
class ExternalEngine:
    """An external engine with a portfolio. Only the last game has running processes."""

    program: EngineProgram
    portfolio: Portfolio | BookPortfolio
    learner: str
    _game: ExternalGame | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The name on screen."""
        return f"Seedfolio boosted {self.program.engine_identity} ({self.learner})"

    def prepare(self) -> None:
        """Do nothing: `load_external` has already started the engine once."""

    def draw(self, key: int) -> tuple[int, int]:
        """Return the arms that `key` (64 random bits) draws, one for each colour.

        With a book, any arm of the engine plays where the book ends.
        """
        drawn, every = self.portfolio.distributions, self.program.training_arms
        keys = [mix_int(mix_int(key) + colour) for colour in (0, 1)]
        if drawn is None:
            return keys[0] % every, keys[1] % every
        return drawn.first.draw(keys[0]), drawn.second.draw(keys[1])

    def reader(self, key: int) -> BookReader | None:
        """Return the reader of the books, of which `key` draws one a colour; None without books."""
        if self.books is None:
            return None
        return BookReader(self.program, self.books.words, mix_int(key))

    @cached_property
    def books(self) -> Books | None:
        """The books as they are played; None without books."""
        return Books(self.portfolio.words()) if isinstance(self.portfolio, BookPortfolio) else None

    def new_game(self, key: int) -> ExternalGame:
        """Begin a game with the arms that `key` draws."""
        self.close()
        self._game = ExternalGame(self.program, self.draw(key), self.reader(key))
        return self._game

    def beginning_at(self, fen: str) -> ExternalEngine:
        """Refuse: only an engine that speaks UCI takes positions, and its lines are passed on."""
        raise SpecificationError("position fen does not work here; use startpos and the moves")

    def close(self) -> None:
        """End all processes."""
        if self._game is not None:
            self._game.close()
            self._game = None


def engine_of(path: str | Path) -> EngineProgram | None:
    """Return the external engine of a specification or a portfolio; None if it is neither.

    That of a portfolio plays its books.
    """
    if is_engine_file(path):
        return load_engine_program(path)
    if is_external(str(path)):
        boosted = load_external(path)
        return replace(boosted.program, books=boosted.books)
    return None


def load_external(path: str | Path) -> ExternalEngine:
    """Return the boosted external engine of a portfolio file."""
    path = Path(path)
    file = load_portfolio(path)
    program = file.engine_program(path.parent)
    return ExternalEngine(program, file.plays_engine(program), file.learner)
