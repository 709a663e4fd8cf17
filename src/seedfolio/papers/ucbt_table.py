"""UCBT against Nash, Uniform and each single arm of a matrix, as in Fig. 6 to 8 of "Automatically
Reinforcing a Game AI" (St-Pierre et al.): the losing rate of the arm that it recommends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.matrix_game import Portfolios
from seedfolio.analysis.online_games import learn_online
from seedfolio.core.table import Table, percent
from seedfolio.study.arms import success_of

GAMES = (32, 128, 1024)
"""After so many the losing rate is printed."""
REPETITIONS = 1000
"""As in the paper."""


def ucbt_table(found: Portfolios, *, luck: bool = False) -> Table:
    """Return losing rates in percent, and the least that any arm has.

    With `luck` a number of the matrix is the chance to win a game.
    """
    lines = []
    for colour, name in enumerate(("Black", "White")):
        successes = success_of(colour, found.matrix, 1)
        other = 1 - colour
        for opponent, drawn in (
            ("nash", [found.nash[other]]),
            ("uniform", [found.uniform[other]]),
            ("each arm, mean", list(np.eye(successes.shape[1]))),
        ):
            lines.append([name, opponent, *_losing_rates(successes, drawn, luck)])
    headings = ["UCBT plays", "against", *(f"{games:,} games" for games in GAMES), "least"]
    return Table(headings, lines, words=range(2))


def _losing_rates(
    successes: NDArray[np.float64], opponents: Sequence[NDArray[np.float64]], luck: bool
) -> list[str]:
    """Return the mean over opponents after each number of games, and the least possible."""
    keys = np.arange(REPETITIONS, dtype=np.uint64)
    runs = [learn_online(successes, each, GAMES[-1], keys, luck=luck) for each in opponents]
    rates = np.mean([each.settled.mean(axis=0) for each in runs], axis=0)
    return [
        *(percent(rates[games.bit_length() - 1]) for games in GAMES),
        percent(float(np.mean([each.least for each in runs]))),
    ]
