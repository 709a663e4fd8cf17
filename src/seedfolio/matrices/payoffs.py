"""A matrix of results that were not played here, with the names of its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seedfolio.core.display import Brief
from seedfolio.errors import SpecificationError

_Floats = NDArray[np.float64]
_STEPS = 1000
_SETTLED = 1e-12


def as_numbers(matrix: ArrayLike) -> _Floats:
    """Return a matrix as floats, nan where a number is missing; SpecificationError if it is none.

    It has rows and columns, all rows are equally long, and no number is infinite.
    """
    try:
        found = np.asarray(matrix)
        if np.iscomplexobj(found):
            raise SpecificationError("a matrix of payoffs has real numbers, not complex ones")
        numbers = np.ascontiguousarray(found, dtype=np.float64)
    except (TypeError, ValueError):
        raise SpecificationError(_not_numbers(matrix)) from None
    if numbers.ndim != 2 or numbers.size == 0:
        raise SpecificationError(
            f"a matrix of payoffs needs rows and columns, not shape {np.shape(numbers)}"
        )
    if np.isinf(numbers).any():
        row, column = np.argwhere(np.isinf(numbers))[0] + 1
        raise SpecificationError(
            f"row {row}, column {column} of the matrix is infinite; leave out that row or column"
        )
    return numbers


def _not_numbers(matrix: ArrayLike) -> str:
    """Say what is wrong with a matrix that numpy does not take."""
    lengths = [len(row) for row in matrix if isinstance(row, Sequence)]  # type: ignore[union-attr]
    if len(set(lengths)) > 1:
        other = next(k for k, length in enumerate(lengths) if length != lengths[0])
        return (
            f"row {other + 1} of the matrix has {lengths[other]} numbers, and row 1 has "
            f"{lengths[0]}; all rows must be equally long"
        )
    return "a matrix of payoffs has numbers only; leave out names and other texts"


@dataclass(frozen=True, repr=False, eq=False)
class Payoffs(Brief):
    """What row players have won against column players, on average over their games."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: _Floats
    """nan where two have not met."""
    games: NDArray[np.int64] | None = None
    """How many games each cell is the mean of, if that is known."""
    low: float = 0.0
    """What a game pays a row player at worst; its opponent then has the most."""
    high: float = 1.0
    note: str = ""
    """What reading has left out, for people."""

    @classmethod
    def of(
        cls,
        title: str,
        values: _Floats,
        names: tuple[Sequence[str] | None, Sequence[str] | None] = (None, None),
        games: NDArray[np.int64] | None = None,
        limits: tuple[float | None, float | None] = (None, None),
    ) -> Payoffs:
        """Name players without a name by their numbers, and find out what a game pays.

        `limits` are the least and the most that a game pays: 0 and 1 if all payoffs are between
        these, else -1 and 1, else the smallest and the largest payoff.
        """
        rows, columns = (
            _named(given, size, kind)
            for given, size, kind in zip(names, values.shape, ("row", "column"), strict=True)
        )
        played = values[~np.isnan(values)]
        if not played.size:
            raise SpecificationError(f"{title} has no results")
        least, most = float(played.min()), float(played.max())
        usual = (0.0, 1.0) if least >= 0 and most <= 1 else (-1.0, 1.0)
        if least < usual[0] or most > usual[1]:
            usual = least, most if most > least else least + 1
        low, high = (own if own is not None else k for own, k in zip(limits, usual, strict=True))
        if not low <= least or not most <= high or not low < high:
            raise SpecificationError(
                f"payoffs of {title} are from {least:g} to {most:g}, not within {low:g} to {high:g}"
            )
        if not np.isfinite(high - low):
            raise SpecificationError(
                f"payoffs of {title} differ by more than a computer can hold; divide them all"
            )
        return cls(title, rows, columns, values, games, low, high)

    @property
    def missing(self) -> int:
        """How many cells nobody has played."""
        return int(np.count_nonzero(np.isnan(self.values)))

    @property
    def success(self) -> _Floats:
        """The payoffs on a scale from 0 to 1; missing cells are as `_expected` says."""
        scaled: _Floats = np.clip((self.values - self.low) / (self.high - self.low), 0, 1)
        return scaled if not self.missing else self._expected(scaled)

    def payoff(self, success: float) -> float:
        """Return what a success between 0 and 1 pays."""
        return self.low + success * (self.high - self.low)

    def _expected(self, success: _Floats) -> _Floats:
        """Fill missing cells: the row's strength plus the column's, by least squares.

        A player who met only strong opponents is no worse for that.
        """
        played = ~np.isnan(success)
        for names, kind, axis in ((self.rows, "row", 1), (self.columns, "column", 0)):
            lonely = np.flatnonzero(~played.any(axis=axis))
            if lonely.size:
                raise SpecificationError(
                    f"{self.title}: {names[lonely[0]]} has no result in its {kind}; leave it out, "
                    "or count both colours as one with `together`"
                )
        known = np.where(played, success, 0.0)
        counts = played.sum(axis=1), played.sum(axis=0)
        row, column = np.zeros(len(self.rows)), np.zeros(len(self.columns))
        for _ in range(_STEPS):
            before = column
            row = (known.sum(axis=1) - played @ column) / counts[0]
            column = (known.sum(axis=0) - row @ played) / counts[1]
            if np.abs(column - before).max() < _SETTLED:
                break
        return np.where(played, success, np.clip(row[:, None] + column[None, :], 0, 1))

    def together(self) -> Payoffs:
        """Return the payoffs whatever the colour: of the same players as rows and as columns.

        Each cell is the mean of the games of two players, and of one with itself the middle.
        """
        names = tuple(dict.fromkeys([*self.rows, *self.columns]))
        place = {name: number for number, name in enumerate(names)}
        at = np.ix_([place[name] for name in self.rows], [place[name] for name in self.columns])
        size = len(names), len(names)
        played = ~np.isnan(self.values)
        counts = played.astype(np.int64) if self.games is None else self.games * played
        sums, games = np.zeros(size), np.zeros(size, np.int64)
        sums[at] = np.where(played, self.values - self.low, 0) * counts
        games[at] = counts
        both = games + games.T
        won = sums + (self.high - self.low) * games.T - sums.T
        with np.errstate(invalid="ignore", divide="ignore"):
            values = self.low + won / both
        values[both == 0] = np.nan
        np.fill_diagonal(values, (self.low + self.high) / 2)
        known = None if self.games is None else both
        return replace(self, rows=names, columns=names, values=values, games=known)

    def _summary(self) -> str:
        return f"{self.title}: {len(self.rows)} by {len(self.columns)} players"


def _named(given: Sequence[object] | None, size: int, kind: str) -> tuple[str, ...]:
    names = tuple(f"{kind} {k + 1}" for k in range(size)) if given is None else map(str, given)
    found = tuple(" ".join(name.split()) for name in names)
    if len(found) != size:
        raise SpecificationError(f"there are {len(found)} names for {size} {kind}s")
    seen: set[str] = set()
    for name in found:
        if name in seen:
            raise SpecificationError(f"two {kind}s have the name {name!r}; rename one of them")
        seen.add(name)
    return found
