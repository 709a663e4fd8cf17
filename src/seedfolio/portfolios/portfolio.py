"""Portfolios: for each colour, a distribution over arms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Brief
from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import SYMMETRY_SHIFT, turned_arm
from seedfolio.errors import PortfolioError
from seedfolio.games.game import Game
from seedfolio.players.program import Program

CRITERIA = (1, 2, 4, 8, 16)
"""The numbers of opponents K' that tables show and portfolio files keep."""


def criteria_for(opponents: int) -> tuple[int, ...]:
    """Return those that a number of unseen opponents can show: one of them must be left over."""
    return tuple(each for each in CRITERIA if each < opponents)


def adds_up(weights: Sequence[float]) -> bool:
    """Tell whether all weights are above 0, and add up to 1."""
    # Written so that nan fails, too.
    return min(weights) > 0 and abs(sum(weights) - 1) <= 1e-6


@dataclass(frozen=True, repr=False)
class Distribution(Brief):
    """Arms, each with a positive weight; the weights add up to 1."""

    arms: tuple[int, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.arms or len(self.arms) != len(self.weights):
            raise ValueError("a distribution needs arms, and a weight for each")
        if len(set(self.arms)) != len(self.arms):
            raise ValueError("a distribution names each arm once")
        if not adds_up(self.weights):
            raise ValueError("weights must be above 0 and add up to 1")

    @classmethod
    def of(cls, arms: NDArray[np.uint64], weights: NDArray[np.float64]) -> Distribution:
        """Keep the arms whose weight is not zero."""
        kept = np.flatnonzero(weights)
        return cls(
            tuple(int(arm) for arm in arms[kept]),
            tuple(float(weight) for weight in weights[kept]),
        )

    def __len__(self) -> int:
        return len(self.arms)

    @property
    def by_arm(self) -> dict[int, float]:
        """The weight of each arm."""
        return dict(zip(self.arms, self.weights, strict=True))

    def turned(self, symmetries: int) -> Distribution:
        """Return the same arms, each equally often as it is and under `symmetries` others."""
        every = range(symmetries + 1)
        return Distribution(
            tuple(turned_arm(arm, symmetry) for arm in self.arms for symmetry in every),
            tuple(weight / len(every) for weight in self.weights for _ in every),
        )

    def draw(self, key: int) -> int:
        """Return the arm that `key` (64 random bits) draws."""
        point = (mix_int(key) >> 11) / 2**53
        sums = list(accumulate(self.weights))
        for arm, limit in zip(self.arms, sums, strict=True):
            if point * sums[-1] < limit:
                return arm
        return self.arms[-1]

    def _summary(self) -> str:
        return ", ".join(f"{a}: {w:.3g}" for a, w in zip(self.arms, self.weights, strict=True))


@dataclass(frozen=True, repr=False)
class Portfolio(Brief):
    """Which arms to draw as first and as second player, and how often."""

    first: Distribution
    second: Distribution

    def turned(self, symmetries: int) -> Portfolio:
        """Return the same arms, each equally often as it is and under `symmetries` others.

        It is far harder to exploit, and as strong against a stranger if the player
        treats a board and its image alike.
        """
        return Portfolio(self.first.turned(symmetries), self.second.turned(symmetries))

    def __getitem__(self, colour: int) -> Distribution:
        return (self.first, self.second)[colour]

    def played_by(self, program: Program) -> Program:
        """Return the program that plays the portfolio: itself, as it can play every arm."""
        return program

    @property
    def distributions(self) -> Portfolio:
        """The distributions over arms: itself."""
        return self

    @property
    def is_original(self) -> bool:
        """Whether it plays as the original program: never, as it draws from chosen arms."""
        return False

    @property
    def sizes(self) -> tuple[int, int]:
        """How many arms the first and the second player draw from."""
        return len(self.first), len(self.second)

    @property
    def arms(self) -> tuple[int, ...]:
        """The arms of both colours."""
        return (*self.first.arms, *self.second.arms)

    def _summary(self) -> str:
        return f"{len(self.first)}+{len(self.second)} arms"


def check_symmetries(arms: Iterable[int], game: Game) -> None:
    """Raise PortfolioError if an arm is under a symmetry that the game's board does not have."""
    most = max((arm >> SYMMETRY_SHIFT for arm in arms), default=0)
    if most > (count := len(game.rules.symmetries)):
        raise PortfolioError(
            f"this portfolio has an arm under symmetry {most}, and {game.title} has {count}"
        )
