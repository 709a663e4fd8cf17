"""A session: a study with its arena, its program and a progress display.

All games of a study are played here: results that the study has are read, missing ones are played
and kept.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block, Progress, Silent
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import TrainingArms
from seedfolio.study.files import file_name
from seedfolio.study.matrices import (
    Rectangle,
    opposed_rectangles,
    training_rectangles,
    training_scores,
)
from seedfolio.study.store import UNPLAYED, Study

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
        """Play ours[n] as `colour` against theirs[n] for every n; yield blocks. Nothing is kept."""
        rows, columns = (ours, theirs) if colour == 0 else (theirs, ours)
        return self.play(rows, columns, program)

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
