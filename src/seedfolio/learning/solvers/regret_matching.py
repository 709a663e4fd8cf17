"""Predictive regret matching+: a rough equilibrium of a big matrix game, in a second.

Farina, Kroer and Sandholm, "Faster Game Solving via Predictive Blackwell Approachability" (2021),
with alternating updates and quadratic averaging. The exact solver uses it only to find the rows and
columns that matter; the learner `regret-matching` returns its answer, with a certificate.
"""

import numpy as np
from numpy.typing import NDArray


class _Side:
    """One player's regrets, the strategy they lead to, and its average so far."""

    def __init__(self, arms: int) -> None:
        self._regret = np.zeros(arms, dtype=np.float32)
        self._total = np.zeros(arms, dtype=np.float64)
        self.strategy = np.full(arms, 1.0 / arms, dtype=np.float32)

    def observe(self, payoff: NDArray[np.float32]) -> None:
        """Learn what each arm would have got, and predict that it gets the same again."""
        instant = payoff - self.strategy @ payoff
        self._regret = np.maximum(self._regret + instant, 0)
        wish = np.maximum(self._regret + instant, 0)
        mass = wish.sum()
        if mass > 0:
            self.strategy = wish / mass

    def record(self, weight: float) -> None:
        """Count the present strategy in the average."""
        self._total += weight * self.strategy

    def average(self) -> NDArray[np.float64]:
        """Return the weighted average of the recorded strategies."""
        average: NDArray[np.float64] = self._total / self._total.sum()
        return average


def regret_matching(
    game: NDArray[np.float64], iterations: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return average strategies of the row player, who maximises, and of the column player."""
    gain = game.astype(np.float32)
    loss = np.ascontiguousarray(-gain.T)
    row, column = _Side(game.shape[0]), _Side(game.shape[1])
    for step in range(1, iterations + 1):
        row.observe(gain @ column.strategy)
        column.observe(loss @ row.strategy)
        row.record(step * step)
        column.record(step * step)
    return row.average(), column.average()
