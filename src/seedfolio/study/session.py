"""A session: a study with its arena, its program and a progress display.

All games of a study are played here: results that the study has are read, missing ones are played
and kept.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block, Progress, Silent
from seedfolio.core.files import file_name
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import (
    Rectangle,
    TrainingArms,
    opposed_rectangles,
    training_rectangles,
    training_scores,
)
from seedfolio.study.store import UNPLAYED, Study

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


Points = NDArray[np.uint8]

# Cells passed to the arena at once: many, as it is idle in between; not all, as each has 16 bytes.
_CHUNK = 10_000_000


@dataclass(frozen=True)
class Session:
    """An open study, and the arena and program that play its missing games."""

    study: Study
    arena: Arena
    program: Playable
    progress: Progress = field(default_factory=Silent)
    _matrices: dict[tuple[int, int], tuple[Points, Points]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def results(self, rectangles: Sequence[Rectangle], task: str) -> list[Points]:
        """Return the matrix of each rectangle (rows against columns), in half points.

        Cells that the study lacks are played first; each block is safe in the study before it
        counts as done. Rectangles must not overlap, nor name an arm twice.
        """
        known = [self.study.results(rows, columns) for rows, columns in rectangles]
        missing = [results == UNPLAYED for results in known]
        if self._play_missing(rectangles, missing, task) == 0:
            return known
        return [self.study.results(rows, columns) for rows, columns in rectangles]

    def matrices(self, k: int, kt: int) -> tuple[Points, Points]:
        """Return the training matrices of both colours: K arms against Kt, seen by each colour."""
        if (k, kt) not in self._matrices:
            arms = TrainingArms(0, k)
            rectangles = self._rectangles(arms, kt)
            missing = [self.study.missing(rows, columns) for rows, columns in rectangles]
            self._play_missing(rectangles, missing, "seeds against each other")
            self._matrices[k, kt] = training_scores(self.study, arms, kt)
        return self._matrices[k, kt]

    def _rectangles(self, arms: TrainingArms, kt: int) -> list[Rectangle]:
        """Return what to play for the training matrices."""
        if not self.program.opponents:
            return training_rectangles(arms, kt)
        return opposed_rectangles(arms, kt)

    def play(
        self,
        rows: NDArray[np.uint64],
        columns: NDArray[np.uint64],
        program: Playable | None = None,
    ) -> Generator[Block, None, None]:
        """Play rows[n] against columns[n] for every n; yield blocks. Nothing is kept.

        `program` is another form of the session's own: with a book, with one game a cell.
        """
        playing = program or self.program.for_arms(rows, columns)
        return self.arena.play(playing, rows, columns)

    def play_as(
        self, colour: int, ours: NDArray[np.uint64], theirs: NDArray[np.uint64], program: Playable
    ) -> Generator[Block, None, None]:
        """Play ours[n] as `colour` against theirs[n] for every n; yield blocks. Nothing is kept.

        `theirs` are opposing arms, see `Playable.opposing`.
        """
        rows, columns = (ours, theirs) if colour == 0 else (theirs, ours)
        return self.play(rows, columns, program.facing(colour))

    @contextmanager
    def task(self, name: str, games: int) -> Iterator[None]:
        """Show progress on a task of `games` games while the block runs."""
        self.progress.begin(name, games)
        try:
            yield
        finally:
            self.progress.end()

    def checkpoint(self, learner: str) -> Path | None:
        """Return the file beside the study in which a learner keeps what it has seen.

        None for a study in memory.
        """
        path = self.study.path
        if self.study.in_memory:
            return None
        return path.with_name(f"{path.stem}-{file_name(learner)}.npz")

    def _play_missing(
        self, rectangles: Sequence[Rectangle], missing: Sequence[NDArray[np.bool_]], task: str
    ) -> int:
        """Play the `missing` cells of rectangles; return how many there are."""
        total = sum(int(np.count_nonzero(mask)) for mask in missing)
        if total == 0:
            return 0
        with self.task(task, total * self.program.repeats):
            for (rows, columns), mask in zip(rectangles, missing, strict=True):
                step = max(1, _CHUNK // max(1, len(columns)))
                for top in range(0, len(rows), step):
                    lacking = mask[top : top + step]
                    self._play_and_keep(
                        np.repeat(rows[top : top + step], np.count_nonzero(lacking, axis=1)),
                        np.broadcast_to(columns, lacking.shape)[lacking],
                    )
        return total

    def _play_and_keep(self, rows: NDArray[np.uint64], columns: NDArray[np.uint64]) -> None:
        with closing(self.play(rows, columns)) as blocks:
            for block in blocks:
                self.study.record(block.rows, block.columns, block.results, new=True)
                self.progress.advance(len(block.rows) * self.program.repeats)
