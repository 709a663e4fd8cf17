"""Reproduces Table I and Fig. 1 and 2 of "Learning opening books in partially observable games:
using random seeds in Phantom Go" (Cazenave, Liu, Teytaud, Teytaud 2016).

The paper's program is Golois: flat Monte Carlo with determinization, as here. It says neither the
playouts a move nor komi; here they are 1000 in all and the game's default.
"""

from __future__ import annotations

from seedfolio.papers.board_experiment import BoardExperiment, Numbers
from seedfolio.report.table import FIXED_SEED

PAPER: dict[str, dict[str, Numbers]] = {
    "phantom-go:5x5": {
        FIXED_SEED: (50.0, 30.5, 12.5, 0.5, 0.0),
        "best-seed": (70.7, 49.8, 23.4, 4.8, 0.2),
        "nash": (63.8, 56.1, 50.3, 45.4, 41.3),
        "sparse-nash:alpha=0.5": (68.3, 56.4, 43.9, 32.8, 24.4),
        "sparse-nash": (74.7, 57.7, 36.7, 20.2, 9.0),
        "sparse-nash:alpha=1.0": (76.2, 55.2, 31.9, 8.7, 0.9),
    },
    "phantom-go:7x7": {
        FIXED_SEED: (50.0, 23.0, 8.5, 0.5, 0.5),
        "best-seed": (66.5, 44.1, 19.9, 3.9, 0.1),
        "nash": (58.3, 52.8, 48.1, 44.2, 41.1),
        "sparse-nash:alpha=0.5": (59.6, 51.1, 44.0, 38.7, 33.2),
        "sparse-nash": (58.7, 44.1, 30.9, 21.4, 14.5),
        "sparse-nash:alpha=1.0": (56.4, 33.0, 13.7, 1.7, 0.0),
    },
    "phantom-go:9x9": {
        FIXED_SEED: (50.0, 27.0, 4.0, 1.0, 0.0),
        "best-seed": (54.4, 32.8, 12.2, 2.8, 0.1),
        "nash": (51.9, 48.4, 45.6, 43.5, 41.6),
        "sparse-nash:alpha=0.5": (52.2, 45.3, 39.4, 35.3, 31.1),
        "sparse-nash": (52.4, 38.6, 27.6, 18.4, 12.5),
        "sparse-nash:alpha=1.0": (52.9, 27.3, 8.2, 1.2, 0.1),
    },
}

_LEARNERS = (
    "best-seed",
    "nash",
    "sparse-nash:alpha=0.5",
    "sparse-nash",
    "sparse-nash:alpha=1.0",
)

PHANTOM_GO = BoardExperiment(
    table="Table I",
    paper=PAPER,
    methods=_LEARNERS,
    learners=_LEARNERS,
    k=380,
    kt=None,
    takes="9 minutes on one H200; a core plays 20, 6 and 1 games a second",
    player="flat:playouts=1000",
)
