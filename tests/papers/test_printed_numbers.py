"""The papers' numbers as the code has them, against the papers' texts, typed here once more.

Each block is a table as it is printed, without its standard deviations.
"""

import pytest

from seedfolio.papers import batoo_go, go_seeds, moves, transfer, ucb_go, variants
from seedfolio.papers.gametestbed import GAMETESTBED
from seedfolio.papers.phantom_go import PHANTOM_GO
from seedfolio.papers.seed_square import CHESS, HAVANNAH
from seedfolio.papers.table3 import TABLE3
from seedfolio.report.table import FIXED_SEED, MIXTURE

# Liu, Teytaud, Cazenave, "Fast seed-learning algorithms for games", Table 3: K' = 1, 2, 4, 8, 16.
FAST_TABLE_3 = """
domineering:5x5 Uniform 49.03 41.55 32.53 28.95 25.06
domineering:5x5 BestSeed 82.50 75.00 59.50 53.00 50.00
domineering:5x5 Nash 78.50 67.54 55.96 50.00 50.00
domineering:7x7 Uniform 53.33 44.33 39.58 37.97 36.55
domineering:7x7 BestSeed 67.50 54.50 44.50 41.50 28.50
domineering:7x7 Nash 66.98 58.01 52.79 50.71 48.72
domineering:9x9 Uniform 50.68 46.68 44.06 42.50 41.56
domineering:9x9 BestSeed 65.50 36.50 14.50 3.50 0.50
domineering:9x9 Nash 58.60 53.43 50.04 47.15 45.11
atari-go:5x5 Uniform 49.95 46.72 43.26 40.78 37.85
atari-go:5x5 BestSeed 69.50 56.50 41.00 21.00 7.00
atari-go:5x5 Nash 61.16 57.91 54.33 51.18 47.96
atari-go:7x7 Uniform 49.76 47.61 45.10 43.02 41.84
atari-go:7x7 BestSeed 59.50 45.50 20.50 5.00 1.00
atari-go:7x7 Nash 57.79 54.66 51.40 47.97 45.99
atari-go:9x9 Uniform 50.16 48.39 47.01 46.04 45.11
atari-go:9x9 BestSeed 55.50 26.00 12.50 1.00 0.00
atari-go:9x9 Nash 53.61 50.46 48.06 46.02 44.15
breakthrough:5x5 Uniform 50.12 47.80 45.42 43.18 42.01
breakthrough:5x5 BestSeed 60.50 42.50 19.00 4.50 0.50
breakthrough:5x5 Nash 57.77 54.32 50.75 48.38 45.64
breakthrough:6x6 Uniform 50.15 49.31 48.86 48.51 48.09
breakthrough:6x6 BestSeed 49.00 33.00 11.00 2.50 0.00
breakthrough:6x6 Nash 50.94 47.81 46.73 45.13 43.67
breakthrough:7x7 Uniform 50.08 49.51 49.03 48.70 48.36
breakthrough:7x7 BestSeed 55.50 24.50 6.00 1.00 0.00
breakthrough:7x7 Nash 51.16 48.40 46.63 45.13 44.12
breakthrough:8x8 Uniform 50.03 49.60 49.07 48.70 48.34
breakthrough:8x8 BestSeed 49.00 25.00 6.50 0.50 0.00
breakthrough:8x8 Nash 50.91 48.89 46.86 45.65 44.41
"""
# Cazenave, Liu, Teytaud, Teytaud, "Learning opening books in partially observable games", CIG 2016,
# pp. 55-61, Table I: K' = 1, 2, 4, 8, 16.
PHANTOM_TABLE_1 = """
5x5 Baseline 50 30.5 12.5 0.5 0.0
5x5 BestSeed 70.7 49.8 23.4 4.8 0.2
5x5 Nash 63.8 56.1 50.3 45.4 41.3
5x5 alpha=0.500 68.3 56.4 43.9 32.8 24.4
5x5 alpha=0.750 74.7 57.7 36.7 20.2 9.0
5x5 alpha=1.000 76.2 55.2 31.9 8.7 0.9
7x7 Baseline 50 23.0 8.5 0.5 0.5
7x7 BestSeed 66.5 44.1 19.9 3.9 0.1
7x7 Nash 58.3 52.8 48.1 44.2 41.1
7x7 alpha=0.500 59.6 51.1 44.0 38.7 33.2
7x7 alpha=0.750 58.7 44.1 30.9 21.4 14.5
7x7 alpha=1.000 56.4 33.0 13.7 1.7 0.0
9x9 Baseline 50 27.0 4.0 1.0 0.0
9x9 BestSeed 54.4 32.8 12.2 2.8 0.1
9x9 Nash 51.9 48.4 45.6 43.5 41.6
9x9 alpha=0.500 52.2 45.3 39.4 35.3 31.1
9x9 alpha=0.750 52.4 38.6 27.6 18.4 12.5
9x9 alpha=1.000 52.9 27.3 8.2 1.2 0.1
"""
# "Fast seed-learning algorithms for games", Table 1. Its first two rows are printed one column to
# the left: the baseline's 50 at K' = 1, which is printed once for all, is not in them.
FAST_TABLE_1 = """
phantom-four 0.50 69.00 8.75
nim 0.00 73.50 3.00
phantom-tic-tac-toe 0.50 65.50 15.25
morra 47.73 52.12 48.11
pig 40.78 50.04 41.30
"""
# The same, Table 2 (Table II of the next paper): levels 1 to 10 of GNU Go, classical.
TRANSFER_BEST = "1. 1. 1. 1. 1. 1. .73 .73 .73 .73"
TRANSFER_ORIGINAL = ".995 .995 .99 1. 1. 1. .061 .106 .095 .07"
# St-Pierre, Hoock, Liu, Teytaud, Teytaud, "Automatically Reinforcing a Game AI", Table I: V,
# Nash(1) vs Unif(2), Nash(2) vs Unif(1), Nash(2) vs BestArm(1), Nash(1) vs BestArm(2). After these,
# the seeds of Nash (section V-A; of Havannah "36 for White and 34 for Black"), and the success of
# BestArm in the limit ("62% in Go, 54% in Havannah, 53.5% in Chess, 71% in Batoo").
REINFORCING_TABLE_1 = """
Go 54.16 68.51 38.80 55.76 66.62 11 9 62
Chess 54.52 59.16 50.29 80.31 86.07 34 37 53.5
Havannah 55.36 58.10 52.51 72.69 75.75 34 36 54
Batoo 50.11 70.69 34.01 56.56 67.95 11 14 71
Variants 61.21 65.57 52.37 61.21 70.52 4 4 -
"""
METHODS = {"Uniform": "uniform", "Baseline": FIXED_SEED, "BestSeed": "best-seed", "Nash": "nash"}
METHODS |= {"alpha=0.500": "sparse-nash:alpha=0.5", "alpha=0.750": "sparse-nash"}
METHODS |= {"alpha=1.000": "sparse-nash:alpha=1.0"}


def rows(table):
    return [line.split() for line in table.strip().splitlines()]


@pytest.mark.parametrize(
    ("experiment", "table", "prefix"),
    [(TABLE3, FAST_TABLE_3, ""), (PHANTOM_GO, PHANTOM_TABLE_1, "phantom-go:")],
    ids=["table3", "phantom-go"],
)
def test_boards_and_methods(experiment, table, prefix):
    printed = {}
    for board, method, *numbers in rows(table):
        printed.setdefault(prefix + board, {})[METHODS[method]] = tuple(map(float, numbers))
    assert experiment.paper == printed


def test_gametestbed():
    assert GAMETESTBED.paper == {
        game: {
            FIXED_SEED: (50.0, None, None, None, float(baseline)),
            "exp3": (float(learnt), None, None, None, float(exploited)),
        }
        for game, baseline, learnt, exploited in rows(FAST_TABLE_1)
    }


def test_transfer():
    assert list(transfer.LEVELS) == list(range(1, 11))
    for name, printed in (("best-seed", TRANSFER_BEST), (MIXTURE, TRANSFER_ORIGINAL)):
        expected = [100 * float(each) for each in printed.split()]
        assert list(transfer.PAPER[name]) == pytest.approx(expected, abs=1e-9)


def test_portfolios_of_seeds():
    printed = {name: numbers for name, *numbers in rows(REINFORCING_TABLE_1)}
    for name, module in (("Go", go_seeds), ("Batoo", batoo_go), ("Variants", variants)):
        *numbers, black, white, _ = printed[name]
        assert list(module.PAPER[:5]) == [f"{float(each):.1f}" for each in numbers]
        assert module.PAPER[5] == f"{black} and {white}"
    for name, experiment in (("Chess", CHESS), ("Havannah", HAVANNAH)):
        *numbers, one, other, best = printed[name]
        assert experiment.row == tuple(map(float, numbers))
        assert experiment.supports == (int(one), int(other))
        assert experiment.best == float(best)
    assert [printed["Go"][-1], printed["Batoo"][-1]] == [go_seeds.PAPER_BEST, batoo_go.PAPER_BEST]


def test_numbers_in_sentences():
    # "Fast seed-learning algorithms for games", section 5: 9x9 and 19x19 Go.
    assert ucb_go.PAPER == {9: (60_000, 79.8, "1125 and 898"), 19: (3_780, 55.9, "606 and 472")}
    assert "4 of 8 situations, and 4 are equal" in moves.PAPER
