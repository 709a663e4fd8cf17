"""The portfolio file: readable JSON with all that is needed to play a boosted program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError, model_validator
from rich.table import Table

from seedfolio.core.display import Displayed
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification import (
    OPEN_SPIEL,
    parse_specification,
    serving_command,
)
from seedfolio.errors import PortfolioError, SeedfolioError, StudyError
from seedfolio.games import load_game, split_source
from seedfolio.games.game import Game
from seedfolio.players.program import Program
from seedfolio.portfolios.book import BookPortfolio
from seedfolio.portfolios.book_file import WrittenBooks
from seedfolio.portfolios.engine_book import engine_books
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.portfolios.shown import arms_table, evaluation_table
from seedfolio.portfolios.written import (
    FilePart,
    Identity,
    Provenance,
    UnseenEvaluation,
    Weights,
    WrittenBestResponse,
    WrittenCertificates,
    WrittenEngine,
    distribution_of,
)
from seedfolio.programs.load import load_built_in
from seedfolio.study.files import atomic_write

_SCHEMA = 1
_FORMAT = "seedfolio portfolio"


class PortfolioFile(Displayed, FilePart):
    """A portfolio with all its data, for people and for programs.

    >>> from seedfolio import boost
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> file = boosted.portfolios["best-seed"]
    >>> file.game.source, file.player.source, file.provenance.games
    ('domineering:4x4', 'uct:simulations=5', 64)
    >>> file.evaluation.success[0].exploiter
    1
    """

    format: Literal["seedfolio portfolio"] = "seedfolio portfolio"
    schema_version: Literal[1] = 1
    game: Identity
    player: Identity
    behaviour: str
    learner: str
    first: Weights
    second: Weights
    certificate: WrittenCertificates | None
    confidence: WrittenCertificates | None = None
    provenance: Provenance
    evaluation: UnseenEvaluation
    best_response: WrittenBestResponse | None = None
    engine: WrittenEngine | None = None
    """The program, if it is an external engine."""
    book: WrittenBooks | None = None
    """The books, if books were learnt; where they end, the seeds of first and second play, or a
    fresh one if there are none."""

    @model_validator(mode="after")
    def _check_kind(self) -> PortfolioFile:
        if not (self.first and self.second) and self.book is None:
            raise ValueError("first and second have no seeds to draw, and there is no book")
        return self

    def _summary(self) -> str:
        program = f"{self.game.source}, {self.player.source}"
        success = 100 * self.evaluation.success[0].success
        return f"{program}: {self.learner}, {success:.1f}% at K'=1"

    def _parts(self) -> list[Table]:
        title = f"{self.game.source}, {self.player.source}"
        table = evaluation_table(title, self.learner, self.evaluation)
        if self.book is not None:
            return [table]
        names = {} if self.engine is None else self.engine.arms
        return [table, arms_table(self.first, self.second, names)]

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each arm, or for each entry of a book."""
        colours = ("first", "second")
        if self.book is None:
            weights = zip(colours, (self.first, self.second), strict=True)
            return [
                {"colour": name, "arm": arm, "weight": weight}
                for name, arms in weights
                for arm, weight in arms.items()
            ]
        return [
            {"colour": name, "book": number + 1, **entry.model_dump()}
            for name, books in zip(colours, (self.book.first, self.book.second), strict=True)
            for number, book in enumerate(books)
            for entry in book.entries
        ]

    @property
    def served_by(self) -> str:
        """The command of Seedfolio for playing against it."""
        if self.engine is None:
            return "play"
        return serving_command(self.engine.specification.get("player", {}).get("protocol"))

    def plays(self, game: Game) -> Portfolio | BookPortfolio:
        """Return what plays; PortfolioError if a book does not fit the game."""
        return self.portfolio() if self.book is None else self.book.portfolio(game)

    def plays_engine(self, program: EngineProgram) -> Portfolio | BookPortfolio:
        """Return what plays with an external engine; PortfolioError if a book does not fit it."""
        behind = self.portfolio() if self.first and self.second else None
        if self.book is None:
            return self.portfolio()
        return replace(engine_books(program, self.book), behind=behind)

    def portfolio(self) -> Portfolio:
        """Return the distributions over arms; there are none with a book of a built-in player."""
        return Portfolio(distribution_of(self.first), distribution_of(self.second))

    def text(self) -> str:
        """Return the file's content."""
        # A book has thousands of entries: `seedfolio book show` prints them readably.
        return self.model_dump_json(indent=2 if self.book is None else None) + "\n"

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        try:
            atomic_write(path, self.text().encode())
        except StudyError as error:
            raise PortfolioError(str(error)) from error

    def program(self, folder: Path = Path()) -> Program:
        """Return the program of the portfolio; PortfolioError if it plays differently here.

        Looks for the file of a user's own game or player at its given path, then beside the
        portfolio in `folder`, then in the folder above, from which a study in `studies` was made.
        """
        if self.engine is not None:
            raise PortfolioError(
                f"{self.player.name} is an external engine, without a board here: use it in "
                f"another program, with the command seedfolio {self.served_by} and this file"
            )
        game, player = (_found(each.source, folder) for each in (self.game, self.player))
        try:
            program = load_built_in(game, player, self.provenance.repeats)
        except SeedfolioError as error:
            raise PortfolioError(f"cannot play this portfolio here: {error}") from error
        identity = program.identity_of_parts()
        for kind, mine in (("game", self.game), ("player", self.player)):
            for key in ("name", "version", "parameters"):
                there, here = getattr(mine, key), identity[kind][key]
                if there != here:
                    raise PortfolioError(
                        f"this portfolio was learnt with {kind} {mine.name} of {key} {there}, "
                        f"but here it has {key} {here}: learn it again with seedfolio boost"
                    )
        if program.behaviour != self.behaviour:
            raise PortfolioError(
                f"{program.game.title} with {self.player.source} plays other moves here than where "
                "this portfolio was learnt: learn it again with seedfolio boost"
            )
        return program

    def loaded_game(self, folder: Path = Path()) -> Game:
        """Return the game alone, without compiling its player; found as in `program`.

        Go of an external engine is shown on a board of Seedfolio's own Go.
        """
        source = self.game.source
        if self.engine is not None and source == "go":
            board, komi = (self.game.parameters[name] for name in ("board", "komi"))
            source = f"go:{board}x{board},komi={komi}"
        if source.startswith(OPEN_SPIEL):
            raise PortfolioError(
                f"cannot show this portfolio here: {source} has no board in Seedfolio; the file "
                "itself has the moves"
            )
        try:
            return load_game(_found(source, folder))
        except SeedfolioError as error:
            raise PortfolioError(f"cannot show this portfolio here: {error}") from error

    def engine_program(self, folder: Path = Path()) -> EngineProgram:
        """Return the external engine; PortfolioError if there is none or it is different here.

        Paths are relative to the folder of its specification; if that does not exist, to the folder
        of the portfolio or the one above.
        """
        if self.engine is None:
            raise PortfolioError(f"{self.player.name} is not an external engine")
        places = [Path(self.engine.file), folder / Path(self.engine.file).name]
        places.append(folder.parent / self.engine.file)
        home = next((place.parent for place in places if place.is_file()), folder)
        try:
            found = parse_specification(self.engine.specification, "this portfolio")
            if found.digest != self.engine.digest:
                raise PortfolioError("the specification in this portfolio has been changed")
            program = EngineProgram(found, home.resolve(), self.engine.file)
            identity = program.engine_identity
        except SeedfolioError as error:
            raise PortfolioError(f"cannot play this portfolio here: {error}") from error
        if identity != self.engine.identity:
            raise PortfolioError(
                f"this portfolio was learnt with {self.engine.identity}, but here is {identity}: "
                "learn it again with seedfolio boost"
            )
        return program


def parse_portfolio(text: str, where: str) -> PortfolioFile:
    """Return the portfolio in `text`; PortfolioError, which names `where`, if there is none."""
    try:
        return PortfolioFile.model_validate_json(text)
    except ValidationError as error:
        raise PortfolioError(f"{where} is not a portfolio: {_first_problem(error)}") from error


def load_portfolio(path: str | Path) -> PortfolioFile:
    """Read a portfolio file.

    >>> from seedfolio import boost, load_portfolio
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> load_portfolio(boosted.save_portfolios()["nash"]).learner
    'nash'
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PortfolioError(f"there is no portfolio file {path}") from None
    except IsADirectoryError:
        raise PortfolioError(
            f"{path} is a folder; a portfolio is a .json file that seedfolio boost has made"
        ) from None
    except UnicodeDecodeError:
        raise PortfolioError(
            f"{path} is not a portfolio; a portfolio is a .json file that seedfolio boost has made"
        ) from None
    except OSError as error:
        raise PortfolioError(f"cannot read portfolio file {path}: {error}") from error
    return parse_portfolio(text, str(path))


def _found(source: str, folder: Path) -> str:
    """Return the short form of a game or player, with its file where it is now."""
    name, options = split_source(source)
    if not name.endswith(".py"):
        return source
    places = [Path(name), folder / Path(name).name, folder.parent / name]
    found = next((place for place in places if place.is_file()), places[1])
    return f"{found}:{options}"


def _first_problem(error: ValidationError) -> str:
    problem: Any = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    if place == "schema_version":
        return f"it has schema version {problem['input']}; this program reads version {_SCHEMA}"
    if place == "format":
        return f"its format is not {_FORMAT!r}"
    message = str(problem["msg"]).splitlines()[0]
    return f"{place}: {message}" if place else message
