"""Reproduces Table 1 of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).

The paper's games and programs come from GameTestBed, which is no longer available: rules and
players here are our own. Its learner is Exp3 with 400 seeds a side; its baseline at K' = 16 is one
seed, drawn once and kept. The columns of the printed table are shifted; this is its likely reading.

Exp3 gets the paper's 800 iterations, one cell each. Our learners that choose their games get as
many cells; the others learn from the whole matrix, 160,000 cells.
"""

from __future__ import annotations

from seedfolio.papers.board_experiment import BoardExperiment, Numbers
from seedfolio.report.table import FIXED_SEED


def _row(baseline: float, learnt: float, exploited: float) -> dict[str, Numbers]:
    """Return the paper's numbers of a game: the baseline at K' = 16, Exp3 at 1 and 16."""
    return {
        FIXED_SEED: (50.0, None, None, None, baseline),
        "exp3": (learnt, None, None, None, exploited),
    }


PAPER: dict[str, dict[str, Numbers]] = {
    "phantom-four": _row(0.50, 69.00, 8.75),
    "nim": _row(0.00, 73.50, 3.00),
    "phantom-tic-tac-toe": _row(0.50, 65.50, 15.25),
    "morra": _row(47.73, 52.12, 48.11),
    "pig": _row(40.78, 50.04, 41.30),
}

_LEARNERS = ("best-seed", "best-half", "nash", "sparse-nash")
CHOOSING = (
    "exp3",
    "auto:exploiters=1",
    "auto:exploiters=16",
    "halving",
    "halving:keep=16",
    "ucb-widening:each=8",
)

GAMETESTBED = BoardExperiment(
    table="Table 1",
    paper=PAPER,
    methods=(*CHOOSING, *_LEARNERS),
    learners=_LEARNERS,
    choosing=CHOOSING,
    cells=800,
    k=400,
    kt=None,
    takes="1 minute on 2 cores",
)
