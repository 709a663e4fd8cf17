"""Reproduces Go in "Automatically Reinforcing a Game AI" (St-Pierre et al.): seeds 1 to 32.

GNU Go without Monte Carlo at level 10 on 9x9, one game for each two of its seeds 1 to 32, as the
paper's command has it: the first row of Table I, Fig. 2, 6 and 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.cross_validation import Matrix
from seedfolio.analysis.matrix_game import HEADINGS, Portfolios
from seedfolio.boosting.cross_validation import CrossValidation, validate_matrix
from seedfolio.core.table import Table
from seedfolio.papers.engine_experiment import EngineExperiment, open_engine
from seedfolio.papers.experiment import Outcome, Setting
from seedfolio.papers.gnu_go import classical, gnu_go
from seedfolio.papers.square_tables import curves_table, draw_square, ucbt_table
from seedfolio.study.arms import TrainingArms

BOARD, KOMI = 9, 7.5
"""The paper does not state komi."""
SEEDS = 32
PAPER = ("54.2", "68.5", "38.8", "55.8", "66.6", "11 and 9")
PAPER_BEST = "62"
"""Success of BestArm against seeds left out, in percent, as the paper's text has it."""
_TITLE = "GNU Go, 9x9"


@dataclass(frozen=True, repr=False)
class GoSeeds(Outcome):
    """The outcome: half points of Black's seeds (rows) against White's."""

    points: NDArray[np.uint8]
    redraws: int

    def tables(self) -> list[Table]:
        """Return the row of Table I, cross-validation, UCBT, and portfolios against each other."""
        found = Portfolios.of(self.points / 2)
        rows = [
            ["paper, learnt from", str(SEEDS), *PAPER],
            ["ours, learnt from", str(len(self.points)), *found.printed()],
        ]
        table = Table(["go 9x9", "seeds", *HEADINGS], rows, words=range(2))
        left_out, each_other = self._validated
        return [
            table,
            curves_table("left-out seeds", [left_out], PAPER_BEST),
            ucbt_table(found),
            curves_table("each other", [each_other]),
        ]

    @cached_property
    def _validated(self) -> tuple[CrossValidation, CrossValidation]:
        validate = partial(validate_matrix, _TITLE, Matrix(self.points, 2), redraws=self.redraws)
        return validate(), validate(each_other=True)

    def draw(self, folder: Path) -> list[Path]:
        """Draw Fig. 2, 10 and 6."""
        return draw_square(folder, "go-seeds", Matrix(self.points, 2), *self._validated)


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
