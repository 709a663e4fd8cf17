"""Explorations that learn each colour by itself, against the original program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.learning.exploration import Choice
from seedfolio.learning.learner import Certificate
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import Cells

_Seeds = NDArray[np.uint64]
DOUBT = 0.05
"""The probability with which a certificate may fail."""


@dataclass(frozen=True)
class Games:
    """Games of our arms against the opponent's, whatever our colour: arms[k] meets opponents[k]."""

    arms: _Seeds
    opponents: _Seeds


_NO_GAMES = Games(np.zeros(0, np.uint64), np.zeros(0, np.uint64))


class OneColour(Protocol):
    """Learns which arms to draw as one colour."""

    def ask(self) -> Games | None:
        """Return the next games; None when there are no more."""
        ...

    def tell(self, successes: NDArray[np.float64]) -> None:
        """Take our success, 0 to 1, in the games asked for last."""
        ...

    def choice(self) -> tuple[Distribution, Certificate]:
        """Return what to draw, and where its success against the original program lies."""
        ...


class BothColours:
    """An exploration made of one learner for each colour; what both ask for is played together."""

    def __init__(self, begin: Callable[[int, int], OneColour], cells: int, full: int) -> None:
        """Make it of `begin(colour, cells)`, with half of the cells each."""
        self._colours = begin(0, cells - cells // 2), begin(1, cells // 2)
        self._full = full
        self._border = 0

    def ask(self) -> Cells | None:
        """Return what both colours ask for, the first player's games before the second's."""
        asked = [colour.ask() for colour in self._colours]
        if all(games is None for games in asked):
            return None
        first, second = (games or _NO_GAMES for games in asked)
        self._border = len(first.arms)
        return Cells(
            np.concatenate([first.arms, second.opponents]),
            np.concatenate([first.opponents, second.arms]),
        )

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Pass each colour its successes."""
        successes = points / self._full
        parts = successes[: self._border], 1 - successes[self._border :]
        for colour, part in zip(self._colours, parts, strict=True):
            if len(part):
                colour.tell(part)

    def choice(self) -> Choice:
        """Return the two answers together."""
        (first, sure), (second, also) = (colour.choice() for colour in self._colours)
        return Choice(Portfolio(first, second), sure, also)


def confidence(mean: float, games: int, choices: int) -> Certificate:
    """Return bounds of a success that was chosen from `choices`, each measured in `games` games.

    Hoeffding's inequality, for all choices at once (Bonferroni).
    """
    if games == 0:
        return Certificate(0.0, 1.0)
    radius = sqrt(log(2 * choices / DOUBT) / (2 * games))
    return Certificate(max(0.0, mean - radius), min(1.0, mean + radius))
