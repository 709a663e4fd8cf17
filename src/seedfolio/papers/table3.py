"""Reproduces Table 3 of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).

The paper has K = 9000 and Kt = 900, and does not say how many simulations its MCTS had; here it is
UCT with 100 a move.
"""

from __future__ import annotations

from seedfolio.papers.board_experiment import BoardExperiment, Numbers

PAPER: dict[str, dict[str, Numbers]] = {
    "domineering:5x5": {
        "uniform": (49.03, 41.55, 32.53, 28.95, 25.06),
        "best-seed": (82.50, 75.00, 59.50, 53.00, 50.00),
        "nash": (78.50, 67.54, 55.96, 50.00, 50.00),
    },
    "domineering:7x7": {
        "uniform": (53.33, 44.33, 39.58, 37.97, 36.55),
        "best-seed": (67.50, 54.50, 44.50, 41.50, 28.50),
        "nash": (66.98, 58.01, 52.79, 50.71, 48.72),
    },
    "domineering:9x9": {
        "uniform": (50.68, 46.68, 44.06, 42.50, 41.56),
        "best-seed": (65.50, 36.50, 14.50, 3.50, 0.50),
        "nash": (58.60, 53.43, 50.04, 47.15, 45.11),
    },
    "atari-go:5x5": {
        "uniform": (49.95, 46.72, 43.26, 40.78, 37.85),
        "best-seed": (69.50, 56.50, 41.00, 21.00, 7.00),
        "nash": (61.16, 57.91, 54.33, 51.18, 47.96),
    },
    "atari-go:7x7": {
        "uniform": (49.76, 47.61, 45.10, 43.02, 41.84),
        "best-seed": (59.50, 45.50, 20.50, 5.00, 1.00),
        "nash": (57.79, 54.66, 51.40, 47.97, 45.99),
    },
    "atari-go:9x9": {
        "uniform": (50.16, 48.39, 47.01, 46.04, 45.11),
        "best-seed": (55.50, 26.00, 12.50, 1.00, 0.00),
        "nash": (53.61, 50.46, 48.06, 46.02, 44.15),
    },
    "breakthrough:5x5": {
        "uniform": (50.12, 47.80, 45.42, 43.18, 42.01),
        "best-seed": (60.50, 42.50, 19.00, 4.50, 0.50),
        "nash": (57.77, 54.32, 50.75, 48.38, 45.64),
    },
    "breakthrough:6x6": {
        "uniform": (50.15, 49.31, 48.86, 48.51, 48.09),
        "best-seed": (49.00, 33.00, 11.00, 2.50, 0.00),
        "nash": (50.94, 47.81, 46.73, 45.13, 43.67),
    },
    "breakthrough:7x7": {
        "uniform": (50.08, 49.51, 49.03, 48.70, 48.36),
        "best-seed": (55.50, 24.50, 6.00, 1.00, 0.00),
        "nash": (51.16, 48.40, 46.63, 45.13, 44.12),
    },
    "breakthrough:8x8": {
        "uniform": (50.03, 49.60, 49.07, 48.70, 48.34),
        "best-seed": (49.00, 25.00, 6.50, 0.50, 0.00),
        "nash": (50.91, 48.89, 46.86, 45.65, 44.41),
    },
}

_LEARNERS = ("uniform", "best-seed", "nash", "sparse-nash", "best-half")

TABLE3 = BoardExperiment(
    table="Table 3",
    paper=PAPER,
    methods=_LEARNERS,
    learners=_LEARNERS,
    k=1000,
    kt=200,
    takes="13 minutes on 16 cores; at the paper's K and Kt 8 minutes on one H200",
    player="uct:simulations=100",
)
