"""Success of seeds and of a book against the strength of the program and the number of games.

No paper has this. "Automatically Reinforcing a Game AI" (St-Pierre et al.) names limited computing
power as a use, and "The Rectangular Seeds" (Cazenave et al.) expects more from more seeds. Every
program is `uct` with a good exploration and a number of simulations a move; each learner chooses
its games. With `--repetitions` ± is over learnings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from seedfolio.boosting.compare import compare
from seedfolio.boosting.repetitions import over_learnings
from seedfolio.boosting.results import Comparison
from seedfolio.core.files import file_name
from seedfolio.core.table import Table
from seedfolio.errors import SpecificationError
from seedfolio.papers.experiment import (
    Experiment,
    Outcome,
    Setting,
    check_named,
    check_opponents,
    make_folder,
)
from seedfolio.programs.load import load_program
from seedfolio.report.plots.figures import drawn_figure, panels
from seedfolio.report.table import MIXTURE, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BOARDS = ("domineering:5x5", "domineering:7x7", "atari-go:5x5", "atari-go:7x7", "breakthrough:6x6")
SIMULATIONS = (30, 100, 300, 1000, 3000)
LEARNERS = ("best-seed", "nash", "book")
COLUMNS = (0, -1)
"""K'=1 and K'=16."""
STEP = 10
"""The smaller budget is so many times smaller."""


@dataclass(frozen=True)
class Scaling(Experiment):
    """Several boards and strengths of one program, and two budgets."""

    takes: str
    options = frozenset({"boards", "arena", "numbers", "repetitions"})

    def makes(self) -> str:
        """What it makes again, in a line."""
        return "no table of a paper: gain against simulations and games, of seeds and of a book"

    def sizes(self, given: Mapping[str, int], paper: bool) -> dict[str, int]:
        """Return the games of each learner, the unseen opponents, and the most simulations."""
        usual = {"games": 10_000, "opponents": 50, "simulations": 100}
        check_named(given, usual)
        return {**usual, **given}

    def check(self, setting: Setting) -> None:
        """Raise SpecificationError for an unknown board or impossible sizes."""
        check_opponents(setting["opponents"])
        if setting["simulations"] < SIMULATIONS[0]:
            least = SIMULATIONS[0]
            raise SpecificationError(f"simulations must be {least} or more, as that is the first")
        for board in setting.boards:
            load_program(board, player_of(SIMULATIONS[0]))

    def play(self, setting: Setting) -> ScalingOutcome:
        """Compare learners on every board with every strength, each in a separate study."""
        games = setting["games"]
        found = {}
        for board in setting.boards or BOARDS:
            for simulations in SIMULATIONS:
                if simulations > setting["simulations"]:
                    continue
                setting.run.note(f"{board}, {simulations:,} simulations")
                found[board, simulations] = compare(
                    board,
                    player_of(simulations),
                    budget=[max(1, games // STEP), games],
                    repetitions=setting.repetitions,
                    learners=LEARNERS,
                    opponents=setting["opponents"],
                    study=setting.folder / f"{file_name(board)}-{simulations}.study",
                    arena=setting.run.arena,
                    threads=setting.run.threads,
                    progress=setting.run.progress,
                )
        return ScalingOutcome(found)


def player_of(simulations: int) -> str:
    """Return the program with that many simulations a move."""
    return f"uct:simulations={simulations},exploration=0.3"


@dataclass(frozen=True, repr=False)
class ScalingOutcome(Outcome):
    """The comparisons, by board and simulations."""

    found: Mapping[tuple[str, int], Comparison]

    def tables(self) -> list[Table]:
        """Return one table: a line for each board, strength, budget and learner."""
        lines = []
        for (board, simulations), each in self.found.items():
            titles = [board.replace(":", " "), f"{simulations:,}"]
            for games, row in _rows(each):
                texts = [row.estimates[column].text for column in COLUMNS]
                lines.append([*titles, games, row.name, *texts])
                titles = ["", ""]
        headings = ["game", "simulations", "games", "method", "K'=1", "K'=16"]
        return [Table(headings, lines, words=(0, 3))]

    def draw(self, folder: Path) -> list[Path]:
        """Draw success against simulations for every board, an SVG file each."""
        make_folder(folder)
        paths = []
        for board in dict.fromkeys(board for board, _ in self.found):
            paths.append(folder / f"scaling-{file_name(board)}.svg")
            drawn_figure(lambda board=board: self._figure(board), paths[-1])  # type: ignore[misc]
        return paths

    def _figure(self, board: str) -> Figure:
        figure, axes = panels(len(COLUMNS), share_y=True)
        figure.suptitle(f"{board.replace(':', ' ')}, uct", x=0.01, horizontalalignment="left")
        strengths = [simulations for name, simulations in self.found if name == board]
        for axis, column, title in zip(axes, COLUMNS, ("K'=1", "K'=16"), strict=True):
            for name in (MIXTURE, *LEARNERS):
                last = [self.found[board, each].rows for each in strengths]
                rows = [next(row for row in found if row.name == name) for found in last]
                mean = [100 * row.estimates[column].mean for row in rows]
                error = [100 * row.estimates[column].error for row in rows]
                axis.errorbar(strengths, mean, error, marker="o", markersize=3.5, label=name)
            axis.set_xscale("log")
            axis.set_title(title)
            axis.set_xlabel("simulations a move")
        figure.legend(
            *axes[0].get_legend_handles_labels(),
            title="success in %, bars: ±1 standard error",
            loc="outside lower center",
            ncols=4,
        )
        return figure


def _rows(found: Comparison) -> Iterator[tuple[str, Row]]:
    """Yield the original, and what was learnt with each budget."""
    yield "-", next(row for row in found.rows if row.name == MIXTURE)
    for budget in found.budgets:
        learnt = [each.rows for each in found.learnings if each.budget == budget]
        rows = over_learnings(learnt) if len(learnt) > 1 else learnt[0]
        yield from ((f"{budget:,}", row) for row in rows if row.name in LEARNERS)


SCALING = Scaling(
    takes="about 10 minutes on 2 cores, estimated; 3 boards with games=200000 and simulations=1000 "
    "9 minutes on one H200, shared"
)
