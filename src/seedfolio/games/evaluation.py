"""The evaluation of a position: integer terms and weights, for players that look ahead a little.

One interface serves every such player. A seed may change the weights: see `players.lookahead`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StaticEvaluation:
    """What a position is worth to the mover: the sum of its terms, each times its weight.

    >>> from seedfolio import load_game
    >>> load_game("domineering:4x4").rules.evaluation.weights
    {'places': 30, 'safe places': 60, 'to move': 30}
    """

    terms: Callable[[Any, Any, Any], None]
    """terms(state, out, at): write the value of each term to out[at], out[at + 1], ...: what the
    mover has of it, less what the other has. Compiled; called only while the game is not over."""
    weights: Mapping[str, int]
    """The usual weight of each term, by its name, in the order of `terms`."""
    scale: int
    """The sum at which the mover wins ten times as often as it loses: its success is
    1 / (1 + 10 ** (-sum / scale))."""
    loud: Callable[[Any, Any, Any], Any] | None = None
    """loud(state, out, at): like `moves`, but only those after which the sum may change much, such
    as captures; -1 if the game is over. They are played out before a position is evaluated.
    None: there are none."""
    gain: Callable[[Any, Any], Any] | None = None
    """gain(state, move): from 0 up, how promising a move is, so that the best are tried first.
    None: all are 0."""
    key: Callable[[Any], Any] | None = None
    """key(state): 64 bits (uint64) that differ for states of different value, for a table of
    positions that were looked at. None: there is no table."""
