"""A big matrix game through a small block of it.

An equilibrium uses few of the arms. Regret matching shows which; the interior-point method solves
the game of these rows and columns; any arm outside that would do better joins, until none does.
"""

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.solvers.interior_point import Interior, interior_point
from seedfolio.learning.solvers.regret_matching import regret_matching

_SMALL = 40_000  # cells; below this the whole game costs less than choosing a block
# Iterations of regret matching, then how many gaps from the best response an arm may be to stay.
_SIEVES = ((30, 4.0), (60, 6.0), (200, 20.0))
_TIED = 1e-9  # arms that differ by less are kept together
_VIOLATION = 1e-12


def solve_by_blocks(game: NDArray[np.float64]) -> Interior:
    """Return a near equilibrium of `game`, whose entries span about 1, with every arm's slack.

    Arms outside the last block have weight exactly 0.
    """
    rows, columns = _first_block(game)
    while True:
        block = interior_point(game[np.ix_(rows, columns)])
        whole = _embed(game, block, rows, columns)
        more_rows = _joining(whole.row_slack, rows)
        more_columns = _joining(whole.column_slack, columns)
        if len(more_rows) == len(rows) and len(more_columns) == len(columns):
            return whole
        rows, columns = more_rows, more_columns


def _first_block(game: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = np.arange(game.shape[0]), np.arange(game.shape[1])
    if game.size <= _SMALL:
        return rows, columns
    block = game
    for iterations, reach in _SIEVES:
        row, column = np.zeros(game.shape[0]), np.zeros(game.shape[1])
        row[rows], column[columns] = regret_matching(block, iterations)
        gain, loss = game @ column, row @ game
        upper, lower = gain[rows].max(), loss[columns].min()
        slack = reach * max(upper - lower, _TIED)
        rows = np.flatnonzero(gain >= upper - slack)
        columns = np.flatnonzero(loss <= lower + slack)
        block = game[np.ix_(rows, columns)]
    return rows, columns


def _embed(
    game: NDArray[np.float64],
    block: Interior,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> Interior:
    row, column = np.zeros(game.shape[0]), np.zeros(game.shape[1])
    row[rows], column[columns] = block.row, block.column
    gain, loss = game @ column, row @ game
    row_slack, column_slack = gain[rows].max() - gain, loss - loss[columns].min()
    row_slack[rows], column_slack[columns] = block.row_slack, block.column_slack
    return Interior(row, column, row_slack, column_slack)


def _joining(slack: NDArray[np.float64], members: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the members and, if any arm would do better than they, such arms and similar ones."""
    worst = slack.min()
    if worst > -_VIOLATION:
        return members
    # An arm that loses as little as the best outsider gains may well be needed next.
    return np.union1d(members, np.flatnonzero(slack <= -worst))
