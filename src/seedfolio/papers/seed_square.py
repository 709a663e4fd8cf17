"""Seeds of one program against each other, as in "Automatically Reinforcing a Game AI" (St-Pierre
et al.): the row of Table I, cross-validation as in Fig. 2 to 5, the losing rate of UCBT as in
Fig. 6 to 8, and portfolios against each other as in Fig. 10 and 11.

The paper has no unseen seeds: it judges by the seeds that a draw leaves out, as cross-validation
does here. So unseen seeds play only if they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from seedfolio.analysis.cross_validation import Matrix
from seedfolio.analysis.matrix_game import HEADINGS, Portfolios
from seedfolio.boosting.boost import boost
from seedfolio.boosting.cross_validation import (
    MOST_REDRAWS,
    VALIDATED,
    CrossValidation,
    validate_matrix,
)
from seedfolio.boosting.request import Request
from seedfolio.boosting.results import Boost
from seedfolio.boosting.session import open_session
from seedfolio.core.files import file_name
from seedfolio.core.table import Table
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.papers.experiment import (
    Experiment,
    Outcome,
    Setting,
    as_printed,
    check_named,
    check_opponents,
)
from seedfolio.papers.square_tables import curves_table, draw_square, ucbt_table
from seedfolio.portfolios.portfolio import CRITERIA
from seedfolio.programs.interface import Playable
from seedfolio.programs.load import load_program

PAPER_SEEDS = 100
"""Of each colour, for chess and Havannah."""
SIDES = "first", "second"


@dataclass(frozen=True)
class SeedSquare(Experiment):
    """A row of Table I with a figure of the paper, and the programs that reproduce them."""

    game: str
    """The board unless others are named; these must be boards of the same game."""
    players: tuple[str, ...]
    """One study each, unless a player is named."""
    row: tuple[float, ...]
    """V and the four successes of Table I, in percent."""
    supports: tuple[int, int]
    """How many seeds Nash draws from, the first player's first."""
    best: float
    """Success of BestArm against seeds left out, in percent, as the paper's text has it."""
    takes: str

    options = frozenset({"boards", "player", "arena", "numbers"})

    def makes(self) -> str:
        """What it makes again, in a line."""
        return f"a row of Table I and its figure: {self.game.replace(':', ' ')}"

    def sizes(self, given: Mapping[str, int], paper: bool) -> dict[str, int]:
        """Return K, the number of unseen opponents, and that of draws for each K of the curve."""
        usual = {"k": PAPER_SEEDS, "opponents": 0, "redraws": 1000}
        check_named(given, usual)
        return {**usual, **given}

    def check(self, setting: Setting) -> None:
        """Raise SpecificationError for another game, an unknown player or impossible sizes."""
        own = load_game(self.game).name
        for board in setting.boards:
            if (found := load_game(board).name) != own:
                raise SpecificationError(f"{board!r} is {found}; name boards of {own}")
        if setting["k"] < 2:
            raise SpecificationError("K = 1 leaves no seed out: `k` must be 2 or more")
        if setting["redraws"] > MOST_REDRAWS:
            redraws = setting["redraws"]
            raise SpecificationError(f"redraws must be 1 to {MOST_REDRAWS:,}, not {redraws:,}")
        k = setting["k"]
        # Without opponents the least number that an experiment may have.
        opponents = setting["opponents"] or CRITERIA[-1] + 1
        check_opponents(opponents)
        request = Request(k=k, kt=k, opponents=opponents, learners=VALIDATED)
        for board, player in self._programs(setting):
            request.check(load_program(board, player))

    def play(self, setting: Setting) -> SquareOutcome:
        """Play every program's seeds against each other, each program in a separate study."""
        programs = list(self._programs(setting))
        squares = []
        for number, (board, player) in enumerate(programs, 1):
            program = load_program(board, player)
            setting.run.note(f"{program.title} ({number} of {len(programs)})")
            path = setting.folder / f"{file_name(program.study_name)}.study"
            matrix = _play_square(program, path, setting)
            validated, each_other = (
                validate_matrix(
                    program.title,
                    matrix,
                    redraws=setting["redraws"],
                    each_other=each_other,
                    progress=setting.run.progress,
                )
                for each_other in (False, True)
            )
            luck = program.repeats > 1
            ucbt = ucbt_table(Portfolios.of(matrix.points / matrix.full), luck=luck, sides=SIDES)
            unseen = _boost(board, player, path, setting) if setting["opponents"] else None
            squares.append(Square(path, matrix, validated, each_other, ucbt, unseen))
        return SquareOutcome(self, tuple(squares))

    def _programs(self, setting: Setting) -> Iterator[tuple[str, str]]:
        """Yield every board with every player."""
        players = self.players if setting.player is None else (setting.player,)
        for board in setting.boards or (self.game,):
            for player in players:
                yield board, player


def _play_square(program: Playable, path: Path, setting: Setting) -> Matrix:
    """Play what a study lacks of the seeds against each other."""
    with open_session(program, path, setting.run) as (session, _):
        points, _ = session.matrices(setting["k"], setting["k"])
        return Matrix(points, session.study.full)


def _boost(board: str, player: str, path: Path, setting: Setting) -> Boost:
    """Judge what is learnt from the same games on unseen seeds."""
    return boost(
        board,
        player,
        k=setting["k"],
        kt=setting["k"],
        opponents=setting["opponents"],
        learners=VALIDATED,
        study=path,
        arena=setting.run.arena,
        threads=setting.run.threads,
        progress=setting.run.progress,
        note=setting.run.note,
    )


@dataclass(frozen=True)
class Square:
    """One program: the results of its seeds against each other, and what they say."""

    study: Path
    matrix: Matrix
    validated: CrossValidation
    each_other: CrossValidation
    ucbt: Table
    unseen: Boost | None
    """On unseen seeds, where these have been asked for."""


@dataclass(frozen=True, repr=False)
class SquareOutcome(Outcome):
    """All programs of an experiment."""

    experiment: SeedSquare
    squares: tuple[Square, ...]

    def tables(self) -> list[Table]:
        """Return the row of Table I, the curves of the figures, and any success on unseen seeds."""
        unseen = any(each.unseen for each in self.squares)
        limit = as_printed(self.experiment.best)
        left_out = [each.validated for each in self.squares]
        return [
            self._row(),
            curves_table("left-out seeds", left_out, limit),
            self._ucbt(),
            curves_table("each other", [each.each_other for each in self.squares]),
            *([self._unseen()] if unseen else []),
        ]

    def _row(self) -> Table:
        paper = self.experiment
        numbers = *map(as_printed, paper.row), "{} and {}".format(*paper.supports)
        lines = [["paper", str(PAPER_SEEDS), *numbers]]
        for each in self.squares:
            found = Portfolios.of(each.matrix.points / each.matrix.full)
            lines.append([each.validated.title, str(len(each.matrix)), *found.printed()])
        return Table(["learnt from", "seeds", *HEADINGS], lines, words=range(2))

    def _ucbt(self) -> Table:
        lines = []
        for each in self.squares:
            title = each.validated.title
            for row in each.ucbt.rows:
                lines.append([title, *row])
                title = ""
        headings = self.squares[0].ucbt.headings
        return Table(["losing rate", *headings], lines, words=range(3))

    def _unseen(self) -> Table:
        headings = ["unseen seeds", "learner", *(f"K'={each}" for each in CRITERIA)]
        lines = []
        for boosted in filter(None, (each.unseen for each in self.squares)):
            title = boosted.title
            for row in boosted.rows:
                lines.append([title, row.name, *(each.text for each in row.estimates)])
                title = ""
        return Table(headings, lines, words=range(2))

    def draw(self, folder: Path) -> list[Path]:
        """Draw the figures of every program."""
        paths = []
        for each in self.squares:
            curves = each.validated, each.each_other
            paths += draw_square(folder, each.study.stem, each.matrix, *curves)
        return paths


CHESS = SeedSquare(
    game="chess",
    players=("uct:simulations=1000,leaf=evaluation", "alphabeta"),
    row=(54.52, 59.16, 50.29, 80.31, 86.07),
    supports=(34, 37),
    best=53.5,
    takes="12 minutes on 16 cores",
)


HAVANNAH = SeedSquare(
    game="havannah:base=10",
    players=("rave:simulations=1000",),
    row=(55.36, 58.10, 52.51, 72.69, 75.75),
    supports=(34, 36),
    best=54.0,
    takes="3 hours on 2 busy cores, estimated",
)
