"""The papers' experiments with built-in games: boards to boost, and the papers' numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from seedfolio.boosting.boost import boost
from seedfolio.boosting.repetitions import over_learnings, repeated_trials, seeds_apart
from seedfolio.boosting.request import Request
from seedfolio.boosting.results import Boost
from seedfolio.core.table import Table, percent
from seedfolio.errors import SpecificationError
from seedfolio.learning.registry import matrix_learner
from seedfolio.papers.experiment import (
    Experiment,
    Outcome,
    Setting,
    as_printed,
    check_opponents,
    make_folder,
)
from seedfolio.portfolios.portfolio import CRITERIA
from seedfolio.programs.load import load_program
from seedfolio.report.plots.study import PlayedMatrices, draw_k_curves
from seedfolio.report.table import FIXED_SEED, MIXTURE, Row
from seedfolio.study.store import Study

Numbers = Sequence[float | None]
"""Success in percent for each of CRITERIA, None where the paper has none."""

_NOTHING = "-"


@dataclass(frozen=True)
class BoardExperiment(Experiment):
    """A table of a paper as data, and how to reproduce it."""

    table: str
    """Its name in a sentence: `Table 3`."""
    paper: Mapping[str, Mapping[str, Numbers]]
    """By game and method."""
    methods: tuple[str, ...]
    """Learners in the order of our table; one that does not exist here has only the paper's row."""
    learners: tuple[str, ...]
    """The methods that exist here and learn from the matrix."""
    k: int
    kt: int | None
    """None: as many as K."""
    takes: str
    opponents: int = 100
    player: str | None = None
    """None: the game's own."""
    choosing: tuple[str, ...] = ()
    """Learners that choose their games."""
    cells: int = 0
    """How many cells each of these may choose; a cell is one game, or several in games of luck."""

    options = frozenset({"kt", "boards", "player", "arena", "repetitions", "learners"})

    def makes(self) -> str:
        """What it makes again, in a line."""
        return f"{self.table}: {', '.join(name.replace(':', ' ') for name in self.paper)}"

    def sizes(self, given: Mapping[str, int], paper: bool) -> dict[str, int]:
        """Return K, Kt and the number of opponents."""
        usual = {"k": self.k, "opponents": self.opponents, **given}
        return {"kt": min(usual["k"], self.kt or usual["k"]), **usual}

    def check(self, setting: Setting) -> None:
        """Raise SpecificationError for a board that is not in the table, or impossible sizes."""
        for game in setting.boards:
            if game not in self.paper:
                known = ", ".join(self.paper)
                raise SpecificationError(f"{game!r} is not in {self.table}; it has {known}")
        check_opponents(setting["opponents"])
        for name in setting.learners:
            matrix_learner(name)
        request = Request(
            k=setting["k"],
            kt=setting["kt"],
            opponents=setting["opponents"],
            learners=self.learners,
        )
        program = load_program(next(iter(self.paper)), setting.player or self.player)
        seeds_apart(program, [request], setting.repetitions)

    def play(self, setting: Setting) -> BoardOutcome:
        """Boost every board, each in a separate study."""
        if setting.learners:
            more = replace(
                self,
                methods=(*self.methods, *setting.learners),
                learners=(*self.learners, *setting.learners),
            )
            return more.play(replace(setting, learners=()))
        boards = setting.boards or list(self.paper)
        player = setting.player or self.player
        results = []
        for number, game in enumerate(boards, 1):
            setting.run.note(f"{game} ({number} of {len(boards)})")
            run = partial(
                boost,
                game,
                player,
                k=setting["k"],
                opponents=setting["opponents"],
                study=_file(setting.folder, game),
                arena=setting.run.arena,
                threads=setting.run.threads,
                progress=setting.run.progress,
                note=setting.run.note,
            )
            rows: tuple[Row, ...] = ()
            if self.choosing:
                budget = self.cells * load_program(game, player).repeats
                rows = run(learners=self.choosing, budget=budget).rows
            # The matrices come last: the study keeps the last result.
            outcome = run(learners=self.learners, kt=setting["kt"])
            if setting.repetitions > 1:
                rows = self._repeat(setting, outcome, rows)
            results.append(Result(game, outcome, rows))
        return BoardOutcome(self, tuple(results))

    def _repeat(self, setting: Setting, outcome: Boost, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        """Learn again with other seeds; return the means of all learnings in place of the rows."""
        game = next(name for name in self.paper if _file(setting.folder, name) == outcome.study)
        program = load_program(game, setting.player or self.player)
        last = outcome.request
        choosing = last.model_copy(
            update={"learners": self.choosing, "budget": self.cells * program.repeats}
        )
        requests = [choosing, last] if self.choosing else [last]
        found = [(*rows, *outcome.rows)]
        numbers = range(1, setting.repetitions)
        for number, each in enumerate(
            repeated_trials(program, requests, outcome.study, numbers, setting.run), 2
        ):
            setting.run.note(f"{game}: learning {number} of {setting.repetitions}")
            found.append(tuple(row for trials in each for row in trials.rows))
        return over_learnings(found)


def _file(folder: Path, game: str) -> Path:
    return folder / f"{game.replace(':', '-')}.study"


@dataclass(frozen=True)
class Result:
    """One game of an experiment, boosted."""

    game: str
    outcome: Boost
    chosen: tuple[Row, ...] = ()
    """The rows of learners that chose their games; with repetitions, the means of all rows."""


@dataclass(frozen=True, repr=False)
class BoardOutcome(Outcome):
    """All boards of an experiment, boosted."""

    experiment: BoardExperiment
    results: tuple[Result, ...]

    def tables(self) -> list[Table]:
        """Return the table, ours beside the paper's."""
        exact = any(
            row.best_response is not None for each in self.results for row in each.outcome.rows
        )
        columns = [f"K'={opponents}" for opponents in CRITERIA] + ["best response"] * exact
        lines = []
        for result in self.results:
            name = result.game.replace(":", " ")
            for method, whose, numbers in self._lines(result):
                lines.append([name, method, whose, *numbers[: len(columns)]])
                name = ""
        return [Table(["game", "method", "", *columns], lines, words=range(3))]

    def _lines(self, result: Result) -> Iterator[tuple[str, str, list[str]]]:
        """Yield (method, whose, numbers as printed), the best response last."""
        rows = {row.name: row for row in (*result.outcome.rows, *result.chosen)}
        paper = self.experiment.paper[result.game]
        for name in (FIXED_SEED, MIXTURE, *self.experiment.methods):
            if name in paper:
                printed = [_NOTHING if each is None else as_printed(each) for each in paper[name]]
                yield name, "paper", [*printed, _NOTHING]
            if name not in rows:
                yield name, "ours", [_NOTHING] * (len(CRITERIA) + 1)
                continue
            exact = rows[name].best_response
            last = _NOTHING if exact is None else percent(exact)
            yield name, "ours", [*(each.text for each in rows[name].estimates), last]

    def draw(self, folder: Path) -> list[Path]:
        """Draw success against K for every game, an SVG file each; return the files.

        Where the experiment is square, K seeds learn from K opponents.
        """
        make_folder(folder)
        paths = []
        for result in self.results:
            asked, boosted = result.outcome.request, result.outcome
            sizes = asked.k, asked.kt, asked.opponents
            played = PlayedMatrices(boosted.title, *sizes, boosted.luck)
            paths.append(folder / f"{result.game.replace(':', '-')}-k.svg")
            with Study.read(boosted.study) as study:
                draw_k_curves(
                    study,
                    played,
                    self.experiment.learners,
                    paths[-1],
                    square=self.experiment.kt is None,
                )
        return paths
