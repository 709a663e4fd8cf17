"""The portfolio file: readable JSON with all that is needed to play a boosted program."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError, model_validator

from seedfolio.core.display import Displayed
from seedfolio.core.files import atomic_write, check_no_link
from seedfolio.core.program_files import (
    BEGINNING,
    COMPRESSED,
    PLAIN,
    beginning,
    engine_file,
    read_portfolio_bytes,
    with_ending,
)
from seedfolio.core.seeds import name_of_arm
from seedfolio.core.table import Table
from seedfolio.core.trust import Permit
from seedfolio.core.user_file import found_source
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.specification import (
    OPEN_SPIEL,
    parse_specification,
    serving_command,
)
from seedfolio.errors import PortfolioError, SeedfolioError, StudyError
from seedfolio.games import load_game
from seedfolio.games.game import Game
from seedfolio.games.seats import OTHERS
from seedfolio.players import found_player, split_players
from seedfolio.players.program import Program
from seedfolio.players.several import MOST_PLAYERS, kind_of_seed
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.book.engine import engine_books
from seedfolio.portfolios.book.file import WrittenBooks, laid_out
from seedfolio.portfolios.portfolio import Portfolio, check_symmetries
from seedfolio.portfolios.shown import arms_table, evaluation_table, kinds_table
from seedfolio.portfolios.written import (
    Identity,
    LearntFile,
    Plain,
    Provenance,
    UnseenEvaluation,
    Weights,
    WrittenBestResponse,
    WrittenCertificates,
    WrittenEngine,
    WrittenLearns,
    distribution_of,
    problem_of,
)
from seedfolio.programs.built_in import load_built_in

FORMAT = "seedfolio portfolio"
VERSION = 2


def _problem(error: ValidationError) -> str:
    """Return the first problem of a file that does not fit the model."""
    problem: Any = error.errors()[0]
    if problem["loc"] == ("schema_version",) and problem["input"] == 1:
        return "it was written before 0.2.0; learn it again"
    return problem_of(error, FORMAT, VERSION)


def is_marked(path: Path) -> bool:
    """Tell whether a file begins as portfolios do."""
    return f'"{FORMAT}"'.encode() in beginning(path, BEGINNING)


def compressed(content: bytes) -> bytes:
    """Return the bytes compressed, without a time or a name: the same for the same content."""
    file = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=9, mtime=0) as packed:
        packed.write(content)
    return file.getvalue()


def other_ending(path: Path) -> Path | None:
    """Return the path with the other ending, if there is a file; else None."""
    other = with_ending(path, PLAIN if path.name.endswith(COMPRESSED) else COMPRESSED)
    return other if other != path and other.is_file() else None


def write_stored(path: Path, content: bytes, replaced: Path | None) -> None:
    """Write a portfolio, whole or not at all; compressed if its name says so.

    It takes the place of `replaced`, too: at every moment there is one of the two. PortfolioError
    if there is a symbolic link, or a file that is not a portfolio.
    """
    try:
        for there in filter(None, (path, replaced)):
            check_no_link(there)
        if path.is_file() and not is_marked(path):
            raise PortfolioError(
                f"cannot write {path}: the file there is not a portfolio; move it away, or choose "
                "another folder"
            )
        if replaced is not None:
            replaced.replace(path)
        atomic_write(path, compressed(content) if path.name.endswith(".gz") else content)
    except (OSError, StudyError) as error:
        raise PortfolioError(str(error)) from error


_LARGE = 10_000
"""A file whose books have more entries than this is compressed."""
ONLY_IF_KNOWN = "fresh", "learns", "against"
"""Fields that are left out where there is nothing to say."""


class PortfolioFile(Displayed, LearntFile):
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
    """Says what the file is."""
    schema_version: Literal[2] = 2
    """The version of this format."""
    game: Identity
    """The game."""
    player: Identity
    """The player: a built-in one, the user's own, or an external engine."""
    behaviour: Plain
    """Digest of sample games."""
    learner: Plain
    """The learner, with its parameters."""
    first: Weights
    """The seeds of the first player, each with its weight; empty with most books."""
    second: Weights
    """The seeds of the second player."""
    certificate: WrittenCertificates | None
    """Bounds of the value of each colour's training matrix."""
    confidence: WrittenCertificates | None = None
    """Bounds of the success against the original program, each with a probability of 95%."""
    provenance: Provenance
    """Where the portfolio comes from."""
    evaluation: UnseenEvaluation
    """Success on unseen arms."""
    fresh: UnseenEvaluation | None = None
    """The same on unseen arms that had no part in its choice; only if it was recommended."""
    learns: WrittenLearns | None = None
    """Success against an opponent who learnt against it; only if that was measured."""
    best_response: WrittenBestResponse | None = None
    """Success against the opponent's best response, where it could be computed."""
    engine: WrittenEngine | None = None
    """The program, if it is an external engine."""
    against: Plain | None = None
    """The known opponent that a built-in program was prepared for; none: itself."""
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
        made_for = "" if self.against is None else f", made for {self.against}"
        made_for = made_for if self.engine is None else self.engine.made_for
        title = f"{self.game.source}, {self.player.source}{made_for}"
        table = evaluation_table(title, self.learner, self.evaluation)
        return [table, *self.arms_tables()]

    @property
    def arm_names(self) -> dict[int, str]:
        """The names of arms that are more than seeds: with settings, or of several players."""
        if self.engine is not None:
            return self.engine.arms
        players = split_players(self.player.source)
        if len(players) == 1:
            return {}
        return {
            arm: f"{name_of_arm(arm)}, {players[kind_of_seed(arm, len(players))]}"
            for arm in (*self.first, *self.second)
        }

    def arms_tables(self) -> list[Table]:
        """Return its heaviest arms, and of several kinds the share of each; none with a book."""
        if self.book is not None:
            return []
        drawn = arms_table(self.first, self.second, self.arm_names)
        kinds, kind_of = self._kinds
        if not 1 < len(kinds) <= MOST_PLAYERS:
            return [drawn]
        return [kinds_table(kinds, kind_of, self.first, self.second), drawn]

    @property
    def _kinds(self) -> tuple[Sequence[str], Callable[[int], int]]:
        """What its arms can be besides seeds, and which of these an arm is."""
        if self.engine is not None:
            found = parse_specification(self.engine.specification, "this portfolio").all_arms
            return found.settings, found.setting_of
        players = split_players(self.player.source)
        return players, lambda arm: kind_of_seed(arm, len(players))

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
            {"colour": name, "book": number + 1, **vars(entry)}
            for name, books in zip(colours, (self.book.first, self.book.second), strict=True)
            for number, book in enumerate(books)
            for entry in book.entries
        ]

    @property
    def served_by(self) -> str:
        """The command of Seedfolio for playing against it."""
        if self.engine is None:
            return "play"
        player = self.engine.specification.get("player")
        return serving_command(player.get("protocol") if isinstance(player, dict) else None)

    def plays(self, game: Game) -> Portfolio | BookPortfolio:
        """Return what plays; PortfolioError if a book does not fit the game."""
        if self.book is not None:
            return self.book.portfolio(game)
        check_symmetries((*self.first, *self.second), game)
        return self.portfolio()

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
        """Return the file's content, as it is before it is compressed."""
        left_out = {name for name in ONLY_IF_KNOWN if getattr(self, name) is None}
        if self.book is None:
            return self.model_dump_json(indent=2, exclude=left_out) + "\n"
        head = self.model_dump_json(indent=2, exclude={"book", *left_out}).removesuffix("\n}")
        return f'{head},\n  "book": {laid_out(self.book)}\n}}\n'

    def save(self, path: str | Path) -> Path:
        """Write the file, whole or not at all; return its path.

        With a large book it is compressed, and the name ends with .json.gz in place of .json. Then
        it replaces an earlier file without that ending, and the other way round, if that has the
        same kind of portfolio, learnt from no more games.
        """
        path = Path(path)
        if self.book is not None and self.book.size > _LARGE:
            path = with_ending(path, COMPRESSED)
        other = other_ending(path)
        replaced = other if other is not None and self._supersedes(other) else None
        write_stored(path, self.text().encode(), replaced)
        return path

    def yields_to(self, path: Path) -> bool:
        """Tell whether a portfolio of the same kind at `path` was learnt from more games."""
        there = map(self._like_this, (path, other_ending(path)))
        return any(each and each.provenance.games > self.provenance.games for each in there)

    def saved_as(self, path: Path) -> Path | None:
        """Return the file at `path`, perhaps compressed, if it holds this portfolio; else None."""
        if self._like_this(path) != self:
            return None
        return path if path.is_file() else with_ending(path, COMPRESSED)

    def _supersedes(self, path: Path) -> bool:
        there = self._like_this(path)
        return there is not None and there.provenance.games <= self.provenance.games

    def _like_this(self, path: Path | None) -> PortfolioFile | None:
        """Return the portfolio at `path` if it is of the same game, player and learner."""
        try:
            there = None if path is None else load_portfolio(path)
        except PortfolioError:
            return None
        names = "game", "player", "learner"
        alike = there and all(getattr(there, each) == getattr(self, each) for each in names)
        return there if alike else None

    def program(self, folder: Path = Path(), permit: Permit = Permit.LISTED) -> Program:
        """Return the program of the portfolio; PortfolioError if it plays differently here.

        A user's own game or player is looked for at its path, in `folder`, and in the one above.
        `permit` says who has named this file.
        """
        if self.engine is not None:
            raise PortfolioError(
                f"{self.player.name} is an external engine, without a board here: use it in "
                f"another program, with the command seedfolio {self.served_by} and this file"
            )
        return built_in_program(self, "boost", self.provenance.repeats, folder, permit)

    def loaded_game(self, folder: Path = Path(), permit: Permit = Permit.LISTED) -> Game:
        """Return the game alone, without compiling its player; found as in `program`.

        Go of an external engine is shown on a board of Seedfolio's own Go.
        """
        source = self.game.source
        if self.engine is not None and source == "go":
            board, komi = (self.game.parameters.get(name) for name in ("board", "komi"))
            if board is None or komi is None:
                raise PortfolioError("cannot show this portfolio: its game has no board or komi")
            source = f"go:{board}x{board},komi={komi}"
        if source.startswith(OPEN_SPIEL):
            raise PortfolioError(
                f"cannot show this portfolio here: {source} has no board in Seedfolio; the file "
                "itself has the moves"
            )
        try:
            return load_game(found_source(source, folder), permit)
        except SeedfolioError as error:
            raise PortfolioError(f"cannot show this portfolio here: {error}") from error

    @property
    def sides(self) -> tuple[str, str]:
        """What the two sides are called."""
        seat = self.game.parameters.get("seat")
        return ("first player", "second player") if seat is None else (f"seat {seat}", OTHERS)

    @property
    def listed(self) -> bool:
        """Whether its opponents are arms of a finite list, and all were learnt from."""
        if self.engine is None or self.engine.against:
            return False
        try:
            found = parse_specification(self.engine.specification, "this portfolio")
        except SeedfolioError:
            return False
        return not found.all_arms.endless

    def engine_program(
        self, folder: Path = Path(), permit: Permit = Permit.LISTED
    ) -> EngineProgram:
        """Return the external engine, whose file is found as `engine_file` says.

        PortfolioError if there is none, it is different here, or it may not be run.
        """
        if self.engine is None:
            raise PortfolioError(f"{self.player.name} is not an external engine")
        place = engine_file(self.engine.file, folder)
        try:
            found = parse_specification(self.engine.specification, "this portfolio")
            if found.digest != self.engine.digest:
                raise PortfolioError("the specification in this portfolio has been changed")
            claim = found.claim(permit, place)
            program = EngineProgram(found, place.parent, self.engine.file, claim=claim)
            program.check_permitted()
            program.engine_identity  # noqa: B018 - raises at once if the engine does not start
        except SeedfolioError as error:
            raise PortfolioError(f"cannot play this portfolio here: {error}") from error
        self.engine.compare(program)
        return program


def built_in_program(
    file: LearntFile,
    command: str,
    repeats: int | None = None,
    folder: Path = Path(),
    permit: Permit = Permit.LISTED,
) -> Program:
    """Return the program of a file that `command` makes; see `PortfolioFile.program`."""
    what = f"this {file.format.removeprefix('seedfolio ')}"
    game = found_source(file.game.source, folder)
    player = found_player(file.player.source, folder)
    try:
        program = load_built_in(game, player, repeats, permit)
    except SeedfolioError as error:
        raise PortfolioError(f"cannot play {what} here: {error}") from error
    identity = program.identity_of_parts()
    for kind, mine in (("game", file.game), ("player", file.player)):
        for key in ("name", "version", "parameters"):
            there, here = getattr(mine, key), identity[kind][key]
            if there != here:
                raise PortfolioError(
                    f"{what} was learnt with {kind} {mine.name} of {key} {there}, but here it has "
                    f"{key} {here}: learn it again with seedfolio {command}"
                )
    if program.behaviour != file.behaviour:
        raise PortfolioError(
            f"{program.game.title} with {file.player.source} plays other moves here than where "
            f"{what} was learnt: learn it again with seedfolio {command}"
        )
    return program


def parse_portfolio(text: str | bytes, where: str) -> PortfolioFile:
    """Return the portfolio in `text`; PortfolioError, which names `where`, if there is none."""
    if isinstance(text, bytes) and text.startswith(b"SQLite format 3"):
        raise PortfolioError(
            f"{where} is not a portfolio: it is a study; name one of its portfolios, the .json "
            "files beside it"
        )
    try:
        return PortfolioFile.model_validate_json(text)
    except ValidationError as error:
        raise PortfolioError(f"{where} is not a portfolio: {_problem(error)}") from error


def load_portfolio(path: str | Path) -> PortfolioFile:
    """Read a portfolio file.

    A compressed one, which ends with .json.gz, is found by its name without .gz as well.

    >>> from seedfolio import boost, load_portfolio
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> load_portfolio(boosted.save_portfolios()["nash"]).learner
    'nash'
    """
    return parse_portfolio(read_portfolio_bytes(Path(path)), str(path))
