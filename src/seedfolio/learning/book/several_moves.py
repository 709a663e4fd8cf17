"""Between which moves of a state a book draws.

An opponent who tries many seeds looks for a line that beats us. A book that draws between moves
which are nearly as good as the best plays many lines, and few opponents beat them all. Most is
gained at the first states, from which all others follow: there the book draws between many moves,
and some of them may be a little worse.

An opponent who learns from many games finds even those lines. A *tilted* book draws, at all states,
between all moves that the program plays there: as often as the program does, times exp(tilt *
success). This is the distribution with the most success among those at the same relative entropy
from the program's own. So the book keeps the variety that makes the program hard to learn against,
as much as the tilt leaves of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.players.books.table import NO_STATE
from seedfolio.portfolios.book.book import Numbers, Values

_NO_STATE = np.uint64(NO_STATE)

NO_BOUND = -1.0
"""The lower bound of a move that must not be entered; others are above it."""
DRAWS = 64
"""The draws of a state in a tilted book, nearly: moves that have less than half of one have none,
and rounding makes it at most twice as many."""
_UNSEEN = 0.3
"""Each move counts like this many games in which the program chose it."""
_HALVINGS = 10
MOST_DRAWN = 100
"""A state draws between at most this many moves: `learning.book.exploration` lists them."""


@dataclass(frozen=True)
class MoveVariety:
    """At our first turn, our second and so on; the last number holds for all turns after it.

    With hidden information a try that is refused counts as a turn.
    """

    slacks: tuple[float, ...] = (0.0,)
    """By how much the lower bound of a move may be below the best one, as success from 0 to 1."""
    moves: tuple[int, ...] = (1,)
    """Between how many moves the book draws, at most."""
    tilt: float = 0.0
    """Above 0: the book is tilted by this, and the other numbers do not count."""

    def __post_init__(self) -> None:
        if not self.slacks or min(self.slacks) < 0:
            raise ValueError(f"slacks must be 0 or more, not {self.slacks}")
        if not self.moves or not 1 <= min(self.moves) <= max(self.moves) <= MOST_DRAWN:
            raise ValueError(f"moves must be 1 to {MOST_DRAWN}, not {self.moves}")

    def until(self, depth: int) -> tuple[Values, Numbers]:
        """Return both numbers for each depth up to this one."""
        depths = np.arange(depth + 1)
        slacks = np.array(self.slacks)[np.minimum(depths, len(self.slacks) - 1)]
        return slacks, np.array(self.moves, np.int64)[np.minimum(depths, len(self.moves) - 1)]


ONE_MOVE = MoveVariety()
"""No variety: the best move."""


@compiled
def mark(begin: Any, end: Any, best: Any, bounds: Any, slack: Any, most: Any, drawn: Any) -> Any:
    """Mark those edges from `begin` to `end` that a book draws between; return how many they are.

    They are the best one, and the next best within the slack. Edges that must not be entered have
    the bound NO_BOUND.
    """
    count = 0
    for edge in range(begin, end):
        drawn[edge] = bounds[edge] > NO_BOUND and bounds[edge] >= bounds[best] - slack
        count += drawn[edge]
    while count > most:
        worst = -1
        for edge in range(begin, end):
            if drawn[edge] and edge != best and (worst < 0 or bounds[edge] < bounds[worst]):
                worst = edge
        drawn[worst] = False
        count -= 1
    return count


@compiled
def _exponential(x: Any) -> Any:
    """Return exp(x), nearly, for x up to 0: the same on every machine."""
    found = max(0.0, 1 + x / 2**_HALVINGS)
    for _ in range(_HALVINGS):
        found *= found
    return found


@compiled
def tilted(
    begin: Any, end: Any, arms: Any, chosen: Any, least: Any, tilt: Any, weights: Any, draws: Any
) -> Any:
    """Fill in how often a tilted book plays each edge from `begin` to `end`; return how many draws.

    `chosen` are the games in which the program chose the move, `least` lower bounds of success.
    """
    top = NO_BOUND
    for edge in range(begin, end):
        if arms[edge] != _NO_STATE:
            top = max(top, least[edge])
    total = 0.0
    for edge in range(begin, end):
        weights[edge] = 0.0
        if arms[edge] != _NO_STATE:
            weights[edge] = (chosen[edge] + _UNSEEN) * _exponential(tilt * (least[edge] - top))
            total += weights[edge]
    count = 0
    for edge in range(begin, end):
        draws[edge] = int(DRAWS * weights[edge] / total + 0.5) if total > 0 else 0
        count += draws[edge]
    return count


def drawn_edges(
    first: Numbers, depths: NDArray[np.int16], best: Numbers, bounds: Values, variety: MoveVariety
) -> NDArray[np.bool_]:
    """Return which edges a book of this variety draws between."""
    drawn = np.zeros(len(bounds), np.bool_)
    _mark_all(first, depths, best, bounds, *variety.until(int(depths.max(initial=0))), drawn)
    return drawn


def _mark_all_template(
    first: Any, depths: Any, best: Any, bounds: Any, slacks: Any, most: Any, drawn: Any
) -> None:
    for node in range(len(best)):
        if best[node] >= 0:
            slack, moves = slacks[depths[node]], most[depths[node]]
            mark(first[node], first[node + 1], best[node], bounds, slack, moves, drawn)


_mark_all = compiled_entry(_mark_all_template, {})
