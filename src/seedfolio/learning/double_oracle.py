"""Double oracle: the equilibrium of a big matrix, playing only the cells that it needs."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import HELD_BACK_SEEDS
from seedfolio.learning.exploration import Choice, ExploringLearner, nothing_known
from seedfolio.learning.learner import Certificate, in_range
from seedfolio.learning.one_colour import confidence
from seedfolio.learning.solvers.equilibrium import solve
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import Cells
from seedfolio.study.store import UNPLAYED

_MOST_ARMS = 2**15  # a colour; more than that squared would not fit the memory
_FIRST_OPEN = 16
_FIRST_BLOCK = 8
_JOIN_AT_ONCE = 16
_SHARES = (0.25, 0.5, 0.75, 1.0)
_AT_ONCE = 2**16  # cells; an exploration can be stopped only between two calls for cells
_COST_GROWS = 1.5  # the cells for K arms grow about as this power of K
_LEAST_GROWTH = 1.1
# Measuring an equilibrium takes one cell in 200 of those played so far, or one in 10 if no open arm
# breaks it. One in 20 of all cells is reserved for the last equilibrium.
_PER_MEASURED, _PER_MEASURED_CLOSED, _PER_LAST = 200, 10, 20
_FEWEST_MEASURED = 64

_Flow = Generator[Cells, NDArray[np.uint8], None]
_Hopes = NDArray[np.float64]
_Places = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True)
class DoubleOracle(ExploringLearner):
    """Solve the game of a few arms, add arms that would break its equilibrium, and repeat.

    "Planning in the presence of cost functions controlled by an adversary" (McMahan, Gordon, Blum
    2003). K arms a side are open. They meet the equilibrium's arms in the order of their weight, as
    long as an arm could still gain more than `gap`; the best 16 join. When no such arm is left, the
    result is an equilibrium of the K x K matrix to within `gap`, as success, on either side. Then
    more arms open, up to `arms`, or with 0 as long as the cells allow.

    In trials on random matrices of 1000 arms a side it played 4% of the cells where strength
    decides most, 15% where style decides as much, and 53% where seeds hardly differ.

    Every new equilibrium is measured in separate games, against opponents that learning never
    meets: in the same trials a quarter as many again. They give the certificate (Hoeffding, for all
    equilibria measured). The value of the K x K matrix is bracketed at any moment, by what either
    side could gain at best in cells not played.
    """

    short = "double-oracle"

    gap: float = 0.001
    arms: int = 0

    def __post_init__(self) -> None:
        in_range("double-oracle needs a gap {}", self.gap, 0, 1, ends="()", advice="try gap=0.001")
        if self.arms:
            wanted = "double-oracle needs {} arms, or 0 to choose"
            in_range(wanted, self.arms, 1, _MOST_ARMS, advice="leave arms out")

    def begin(self, cells: int, full: int, key: int) -> DoubleOracleExploration:
        """Begin an exploration of at most `cells` cells."""
        return DoubleOracleExploration(self.gap, self.arms or _MOST_ARMS, cells, full, key)


@dataclass(frozen=True)
class _Found:
    """The equilibrium of the block, as strategies over the open arms."""

    strategies: tuple[NDArray[np.float64], NDArray[np.float64]]
    values: tuple[float, float]
    """What the opponent's strategy concedes to the block, for each colour, in half points."""


class _Measured:
    """An equilibrium, and what it won against opponents that learning never meets."""

    def __init__(self, found: _Found, number: int) -> None:
        self.found, self.number = found, number
        self._games = 0
        self._won = [0.0, 0.0]

    def add(self, first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
        """Add games, equally many as first and as second player."""
        self._games += len(first)
        self._won = [self._won[0] + float(first.sum()), self._won[1] + float(second.sum())]

    def certificates(self) -> tuple[Certificate, Certificate]:
        """Return where the success of each colour lies."""
        # The t-th equilibrium has 1 / (t (t + 1)) of the allowed error probability; these add to 1.
        choices = self.number * (self.number + 1)
        games = max(1, self._games)
        first, second = (confidence(won / games, self._games, choices) for won in self._won)
        return first, second


class _SpentError(Exception):
    """The next cells would exceed the budget."""


class DoubleOracleExploration:
    """The blocks, and the arms that join them."""

    def __init__(self, gap: float, most: int, cells: int, full: int, key: int) -> None:
        self._gap, self._full, self._key = gap * full, full, key
        self._most, self._budget, self._used = most, cells - cells // _PER_LAST, 0
        self._kept = cells // _PER_LAST
        self._open = max(1, min(_FIRST_OPEN, most, isqrt(self._budget)))
        self._points = np.full((self._open, self._open), UNPLAYED, np.uint8)
        block = np.arange(min(_FIRST_BLOCK, self._open))
        self._block = block, block
        self._latest: _Measured | None = None
        self._opponents = 0
        self._choice = nothing_known()
        self._flow = self._stages()
        self._cells = next(self._flow, None)

    def ask(self) -> Cells | None:
        """Return the next cells that it needs."""
        return self._cells

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Go on to the next cells."""
        try:
            self._cells = self._flow.send(points)
        except StopIteration:
            self._cells = None

    def choice(self) -> Choice:
        """Return the last equilibrium that was measured."""
        return self._choice

    def _stages(self) -> _Flow:
        """Close the gap among the open arms, open more, and repeat."""
        try:
            while True:
                yield from self._close()
                if not self._open_more():
                    return
        except _SpentError:
            pass
        if self._latest is not None:
            self._budget += self._kept
            yield from self._measure(self._latest, self._budget - self._used)

    def _close(self) -> _Flow:
        """Add arms until no open arm would gain."""
        while True:
            yield from self._play(_product(*self._block))
            found = self._solve()
            latest = self._latest = _Measured(found, self._latest.number + 1 if self._latest else 1)
            yield from self._measure(latest, max(_FEWEST_MEASURED, self._used // _PER_MEASURED))
            for share in _SHARES:
                wanted = [self._wanted(found, colour, share) for colour in (0, 1)]
                yield from self._play(_together(*wanted))
            joined = self._joined(found, 0), self._joined(found, 1)
            if all(len(more) == len(old) for more, old in zip(joined, self._block, strict=True)):
                yield from self._measure(latest, self._used // _PER_MEASURED_CLOSED)
                return
            self._block = joined

    def _open_more(self) -> bool:
        """Open as many more arms as the budget allows; return whether there are any."""
        payable = self._open * (self._budget / self._used) ** (1 / _COST_GROWS)
        count = min(self._most, 2 * self._open, int(payable))
        if count < min(self._most, _LEAST_GROWTH * self._open) or count == self._open:
            return False
        points = np.full((count, count), UNPLAYED, np.uint8)
        points[: self._open, : self._open] = self._points
        self._points, self._open = points, count
        return True

    def _solve(self) -> _Found:
        """Return the equilibrium of the block."""
        rows, columns = self._block
        block = self._points[np.ix_(rows, columns)]
        found = solve(block, tolerance=self._gap)
        row, column = np.zeros(self._open), np.zeros(self._open)
        row[rows], column[columns] = found.row, found.column
        return _Found((row, column), (found.upper, self._full - found.lower))

    def _hopes(self, found: _Found, colour: int, opponents: NDArray[np.intp]) -> _Hopes:
        """Return what each open arm scores at best, if it wins every cell not yet played."""
        if colour == 0:
            known = self._points[:, opponents]
            best = np.where(known == UNPLAYED, self._full, known)
        else:
            known = self._points[opponents].T
            best = np.where(known == UNPLAYED, self._full, self._full - known)
        hopes: _Hopes = best @ found.strategies[1 - colour][opponents]
        return hopes

    def _wanted(self, found: _Found, colour: int, share: float) -> _Places:
        """Return the cells of arms that could still gain, against this share of the opponent."""
        weights = found.strategies[1 - colour]
        opponents = np.argsort(-weights, kind="stable")[: np.count_nonzero(weights)]
        hopes = self._hopes(found, colour, opponents)
        arms = np.flatnonzero(hopes > found.values[colour] + self._gap)
        met = opponents[: 1 + int(np.searchsorted(np.cumsum(weights[opponents]), share))]
        ours, theirs = _product(arms, met)
        return (ours, theirs) if colour == 0 else (theirs, ours)

    def _joined(self, found: _Found, colour: int) -> NDArray[np.intp]:
        """Return the block's arms of one colour, and the best arms that break the equilibrium."""
        hopes = self._hopes(found, colour, np.flatnonzero(found.strategies[1 - colour]))
        breaking = np.flatnonzero(hopes > found.values[colour] + self._gap)
        best = breaking[np.argsort(-hopes[breaking], kind="stable")[:_JOIN_AT_ONCE]]
        return np.union1d(self._block[colour], best)

    def _play(self, places: _Places) -> _Flow:
        """Ask for those of the cells that were not played yet."""
        unplayed = self._points[places] == UNPLAYED
        keys = np.unique(places[0][unplayed] * self._open + places[1][unplayed])
        rows, columns = keys // self._open, keys % self._open
        for start in range(0, len(keys), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            points = yield self._spend(rows[part], columns[part])
            self._points[rows[part], columns[part]] = points

    def _measure(self, latest: _Measured, cells: int) -> _Flow:
        """Play an equilibrium against new opponents, half of the games as each colour."""
        games = cells // 2
        seeds = np.arange(self._open, dtype=np.uint64)
        first, second = (Distribution.of(seeds, side) for side in latest.found.strategies)
        if games > 0:
            numbers = np.arange(self._opponents, self._opponents + games)
            self._opponents += games
            opponents = HELD_BACK_SEEDS[0] + numbers
            ours = [
                np.array([side.draw(self._lot(2 * number + colour)) for number in numbers.tolist()])
                for colour, side in enumerate((first, second))
            ]
            points = yield self._spend(
                np.concatenate([ours[0], opponents]), np.concatenate([opponents, ours[1]])
            )
            latest.add(points[:games] / self._full, 1 - points[games:] / self._full)
        value = self._value(latest.found)
        self._choice = Choice(Portfolio(first, second), *latest.certificates(), value=value)

    def _value(self, found: _Found) -> tuple[Certificate, Certificate]:
        """Return bounds of the value of the game of the arms that were open, for each colour."""
        most = []
        for colour, strategy in enumerate(found.strategies):
            opponents = np.flatnonzero(found.strategies[1 - colour])
            hopes = self._hopes(found, colour, opponents)[: len(strategy)]
            most.append(float(hopes.max()) / self._full)
        first, second = most
        return Certificate(1 - second, first), Certificate(1 - first, second)

    def _lot(self, number: int) -> int:
        return mix_int(mix_int(self._key) + number)

    def _spend(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Cells:
        if self._used + len(rows) > self._budget:
            raise _SpentError
        self._used += len(rows)
        return Cells(rows.astype(np.uint64), columns.astype(np.uint64))


def _product(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> _Places:
    return np.repeat(rows, len(columns)), np.tile(columns, len(rows))


def _together(first: _Places, second: _Places) -> _Places:
    return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])
