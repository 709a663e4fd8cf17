"""Results of single cells, for learners that choose their games a few at a time."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block
from seedfolio.study.session import Session
from seedfolio.study.store import UNPLAYED

# Short, so that a crash loses little; long enough for the cost of a transaction not to matter.
_KEEP_SECONDS = 0.4
# Training seeds are below 2**32, so that a cell is one number.
_SHIFT, _COLUMN = np.uint64(32), np.uint64(2**32 - 1)


@dataclass(frozen=True)
class Cells:
    """Cells to play: rows[n], moving first, against columns[n]. All are training arms."""

    rows: NDArray[np.uint64]
    columns: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def of(cls, keys: NDArray[np.uint64]) -> Cells:
        """Return the cells with these keys."""
        return cls(keys >> _SHIFT, keys & _COLUMN)

    @property
    def keys(self) -> NDArray[np.uint64]:
        """One number for each cell."""
        return (self.rows << _SHIFT) | self.columns


class CellResults:
    """Results from a session's study; missing cells are played at once.

    A learner may ask for a few cells at a time, too few for a transaction each. So results are
    collected for a short time and then written together. Always call `keep` at the end, even after
    an error.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._gathered: list[Block] = []
        self._kept = time.monotonic()

    def results(self, cells: Cells) -> NDArray[np.uint8]:
        """Return the results of different cells, in increasing order and not asked for before."""
        results = self._session.study.lookup(cells.rows, cells.columns)
        missing = results == UNPLAYED
        self._advance(len(cells) - int(np.count_nonzero(missing)))
        if missing.any():
            keys = cells.keys
            rows, columns = cells.rows[missing], cells.columns[missing]
            with closing(self._session.play(rows, columns)) as blocks:
                for block in blocks:
                    self._gathered.append(block)
                    places = np.searchsorted(keys, Cells(block.rows, block.columns).keys)
                    results[places] = block.results
                    if time.monotonic() - self._kept >= _KEEP_SECONDS:
                        self.keep()
        return results

    def keep(self) -> None:
        """Write the collected results to the study."""
        if self._gathered:
            rows = np.concatenate([block.rows for block in self._gathered])
            columns = np.concatenate([block.columns for block in self._gathered])
            points = np.concatenate([block.results for block in self._gathered])
            self._gathered = []
            self._session.study.record(rows, columns, points, new=True)
            self._advance(len(rows))
        self._kept = time.monotonic()

    def _advance(self, cells: int) -> None:
        if cells:
            self._session.progress.advance(cells * self._session.program.repeats)
