"""Reproduces Go in "Automatically Reinforcing a Game AI" (St-Pierre et al.): seeds 1 to 32.

GNU Go without Monte Carlo at level 10 on 9x9, one game for each two of its seeds 1 to 32, as the
paper's command has it: the first row of Table I, Fig. 2 and Fig. 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.cross_validation import EXPLOITER, Matrix, judge_by_left_out
from seedfolio.analysis.matrix_game import HEADINGS, Portfolios
from seedfolio.core.table import Table
from seedfolio.learning.registry import matrix_learner
from seedfolio.papers.engine_experiment import EngineExperiment, open_engine
from seedfolio.papers.experiment import Outcome, Setting, make_folder
from seedfolio.papers.gnu_go import classical, gnu_go
from seedfolio.papers.ucbt_table import ucbt_table
from seedfolio.report.cross_validation import OverDraws, plot_curve
from seedfolio.study.arms import TrainingArms

BOARD, KOMI = 9, 7.5
"""The paper does not state komi."""
SEEDS = 32
PAPER = ("54.2", "68.5", "38.8", "55.8", "66.6", "11 and 9")
PAPER_BEST = "62"
"""Success of BestArm in the limit of many seeds, in percent."""
LEARNERS = ("best-seed", "nash", "uniform")
_ORIGINAL = "original"


@dataclass(frozen=True, repr=False)
class GoSeeds(Outcome):
    """The outcome: half points of Black's seeds (rows) against White's."""

    points: NDArray[np.uint8]
    redraws: int

    def tables(self) -> list[Table]:
        """Return the row of Table I, cross-validation as in Fig. 2, and UCBT as in Fig. 6."""
        found = Portfolios.of(self.points / 2)
        rows = [
            ["paper, learnt from", str(SEEDS), *PAPER],
            ["ours, learnt from", str(len(self.points)), *found.printed()],
        ]
        table = Table(["go 9x9", "seeds", *HEADINGS], rows, words=range(2))
        return [table, self._validated(), ucbt_table(found)]

    def _validated(self) -> Table:
        lines = []
        for (size, name), spreads in self._curve().items():
            lines.append([str(size), name, *(spread.text for spread in spreads)])
        lines.append(["-", "best-seed in the limit, paper", PAPER_BEST, "-"])
        return Table(["K", "learner", "v original", "v exploiter"], lines, words=range(2))

    def _curve(self) -> dict[tuple[int, str], tuple[OverDraws, OverDraws]]:
        matrix = Matrix(self.points, 2)
        learners = {name: matrix_learner(name) for name in LEARNERS}
        most = 3 * len(matrix) // 4
        found = {}
        for size in sorted({max(1, most // 3), max(1, 2 * most // 3), max(1, most)}):
            judged = judge_by_left_out(matrix, learners, size, range(self.redraws))
            for name, each in judged.items():
                spreads = OverDraws.of(each.against_original), OverDraws.of(each.against_exploiter)
                found[size, name] = spreads
        return found

    def draw(self, folder: Path) -> list[Path]:
        """Draw Fig. 2: success against the number of seeds learnt from."""
        make_folder(folder)
        curve = {
            (size, name, opponent): spread
            for (size, name), spreads in self._curve().items()
            for opponent, spread in zip((_ORIGINAL, EXPLOITER), spreads, strict=True)
        }
        path = folder / "go-seeds.svg"
        plot_curve(path, "GNU Go, level 10, 9x9", (_ORIGINAL, EXPLOITER), curve)
        return [path]


def play_go_seeds(setting: Setting) -> GoSeeds:
    """Play the first `k` of the seeds 1 to 32 against each other."""
    level, k = setting["level"], min(SEEDS, setting["k"])
    program = gnu_go(BOARD, KOMI, classical(level), seeds=f"1..{SEEDS}")
    path = setting.folder / f"seeds-level-{level}.study"
    with open_engine(program, path, setting.run) as session:
        setting.run.note(f"{k} x {k} seeds against each other, level {level}")
        seeds = TrainingArms(0, k).seeds()
        (points,) = session.results([(seeds, seeds)], "seeds against each other")
    return GoSeeds(points, setting["redraws"])


GO_SEEDS = EngineExperiment(
    summary="seeds 1 to 32 of GNU Go without Monte Carlo on 9x9",
    usual={"k": 8, "level": 10, "redraws": 200},
    paper={"k": SEEDS, "level": 10, "redraws": 5000},
    takes="8 minutes on 2 cores; --paper 4 hours on 1 core",
    played_by=play_go_seeds,
)
