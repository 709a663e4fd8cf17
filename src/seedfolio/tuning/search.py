"""Which settings to play next, and which is best: a Gaussian process over the settings.

Settings near each other are about equally strong, so games of one tell about its neighbours. The
model has the known noise of games and the one success that is known without a game: the given
program has 50% against itself. Each round plays some settings that are best in a draw from what may
be true (Thompson sampling): promising settings get the games, and none is given up for a few bad
ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from seedfolio.tuning.parameter import Parameter, Setting

Floats = NDArray[np.float64]
ROUNDS = 12
_FIRST, _LATER = 12, 6
"""Settings of the first round, and of later ones."""
_LINE, _EACH = 25, 48
"""Candidates for one parameter, and for each of several."""
_MOST = 240
_LENGTHS = (0.08, 0.15, 0.3, 0.6, 1.2)
_HEIGHTS = (0.02, 0.05, 0.1, 0.2)
"""What the model may be: how far settings are alike, and how much success varies, at most 1."""
_KNOWN = 1e-6
"""The variance of a success that is known."""
_PRIOR = 1.0
"""A pair of games that no setting has played, half a point each: no variance is 0."""


def candidates(parameters: Sequence[Parameter]) -> list[Setting]:
    """Return the settings among which the best is searched, spread evenly."""
    places: list[tuple[float, ...]]
    if len(parameters) == 1:
        size = len(parameters[0].choices) or _LINE
        places = [
            ((k + 0.5) / size if parameters[0].choices else k / (size - 1),) for k in range(size)
        ]
    elif all(each.choices for each in parameters):
        sizes = [len(each.choices) for each in parameters]
        places = [
            tuple((k + 0.5) / size for k, size in zip(at, sizes, strict=True))
            for at in product(*map(range, sizes))
        ]
    else:
        places = _spread(len(parameters), min(_MOST, _EACH * len(parameters)))
    rows = [
        tuple(each.value(at) for each, at in zip(parameters, row, strict=True)) for row in places
    ]
    return list(dict.fromkeys(rows))


def _spread(dimensions: int, count: int) -> list[tuple[float, ...]]:
    """Return points of a cube with low discrepancy: multiples of powers of a root, modulo 1."""
    root = 2.0
    for _ in range(60):
        root = (1 + root) ** (1 / (dimensions + 1))
    steps = [root ** -(k + 1) for k in range(dimensions)]
    return [tuple((0.5 + (n + 1) * step) % 1 for step in steps) for n in range(count)]


@dataclass
class Search:
    """The games so far of each candidate against the given program, and what they tell."""

    parameters: Sequence[Parameter]
    given: Setting | None
    """The values of the given program, if they are in the ranges."""
    settings: list[Setting] = field(init=False)
    games: Floats = field(init=False)
    points: Floats = field(init=False)
    """Sums by setting: games, and successes from 0 to 1."""

    def __post_init__(self) -> None:
        self.settings = candidates(self.parameters)
        self.games = np.zeros(len(self.settings))
        self.points = np.zeros(len(self.settings))

    def add(self, setting: Setting, games: int, points: float) -> None:
        """Count games of a setting."""
        place = self.settings.index(setting)
        self.games[place] += games
        self.points[place] += points

    def played(self, setting: Setting) -> int:
        """Return the games of a setting so far."""
        return int(self.games[self.settings.index(setting)])

    def next_round(self, rng: np.random.Generator) -> list[Setting]:
        """Return the settings of the next round, in order; each gets equally many games."""
        if not self.games.any():
            count = min(_FIRST, len(self.settings))
            places = np.linspace(0, len(self.settings) - 1, count).round().astype(int)
            return [self.settings[place] for place in places]
        mean, covariance = self.posterior()
        values, vectors = np.linalg.eigh(covariance)
        root = vectors * np.sqrt(np.maximum(values, 0))
        draws = mean + rng.standard_normal((_LATER, len(mean))) @ root.T
        chosen = sorted(set(draws.argmax(axis=1).tolist()))
        return [self.settings[place] for place in chosen]

    def best(self) -> Setting:
        """Return the setting with the highest success by the model."""
        mean, _ = self.posterior()
        return self.settings[int(mean.argmax())]

    def posterior(self) -> tuple[Floats, Floats]:
        """Return the mean success of each candidate by the model, and its covariance."""
        places = np.array([self._places(each) for each in self.settings])
        seen = np.flatnonzero(self.games)
        at = places[seen]
        success = self.points[seen] / self.games[seen]
        shrunk = (self.points[seen] + _PRIOR) / (self.games[seen] + 2 * _PRIOR)
        noise = shrunk * (1 - shrunk) / self.games[seen]
        if self.given is not None:
            at = np.vstack([at, self._places(self.given)])
            success, noise = np.append(success, 0.5), np.append(noise, _KNOWN)
        centre = float(np.average(success, weights=1 / (noise + 0.05**2)))
        best = None
        for length, height in product(_LENGTHS, _HEIGHTS):
            kernel = height**2 * self._alike(at, at, length) + np.diag(noise)
            factor = np.linalg.cholesky(kernel)
            white = np.linalg.solve(factor, success - centre)
            likelihood = -0.5 * float(white @ white) - float(np.log(np.diag(factor)).sum())
            if best is None or likelihood > best[0]:
                best = likelihood, length, height, factor, white
        assert best is not None
        _, length, height, factor, white = best
        across = np.linalg.solve(factor, height**2 * self._alike(at, places, length))
        mean = centre + across.T @ white
        return mean, height**2 * self._alike(places, places, length) - across.T @ across

    def _places(self, setting: Setting) -> list[float]:
        return [each.place(value) for each, value in zip(self.parameters, setting, strict=True)]

    def _alike(self, one: Floats, other: Floats, length: float) -> Floats:
        """Return how alike settings are, from 0 to 1; different choices are half alike."""
        total = np.ones((len(one), len(other)))
        for k, parameter in enumerate(self.parameters):
            apart = one[:, k, None] - other[None, :, k]
            total *= (
                np.where(apart == 0, 1.0, 0.5)
                if parameter.choices
                else np.exp(-0.5 * (apart / length) ** 2)
            )
        return total
