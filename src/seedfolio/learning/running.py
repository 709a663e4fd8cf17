"""Running a course: its cells are played, kept in the study, and told to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block, Playable, Progress
from seedfolio.learning.exploration import Cells, Course
from seedfolio.study.store import UNPLAYED, Study

# Short enough for little to be lost by a crash, long enough for a transaction not to matter.
_KEEP_SECONDS = 0.4


def run_course(
    course: Course,
    cells: int,
    study: Study,
    arena: Arena,
    program: Playable,
    task: str,
    progress: Progress,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Play what a course asks for until it is done, or would pass `cells`, or `stop` says so.

    A cell that was asked for before, in this course or in an earlier run of it, is not played
    again. Return how many different cells the course has used.
    """
    played = _Played(study, arena, program, progress)
    progress.begin(task, cells * program.repeats)
    try:
        try:
            return follow(course, cells, played.results, stop)
        finally:
            played.keep()
    finally:
        progress.end()


def follow(
    course: Course,
    cells: int,
    results: Callable[[Cells], NDArray[np.uint8]],
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Tell a course what it asks for until it is done, or would pass `cells`, or `stop` says so.

    `results` is asked for every cell once, different cells in increasing order. Return for how
    many.
    """
    known: dict[int, int] = {}
    while not stop() and (asked := course.ask()) is not None:
        keys = _keys(asked)
        new = np.array(sorted(set(keys.tolist()) - known.keys()), np.uint64)
        if len(known) + len(new) > cells:
            break
        if len(new):
            found = results(Cells(new >> _SHIFT, new & _COLUMN))
            known.update(zip(new.tolist(), found.tolist(), strict=True))
        course.tell(np.array([known[key] for key in keys.tolist()], np.uint8))
    return len(known)


# Training seeds are below 2**32, so that a cell is one number.
_SHIFT, _COLUMN = np.uint64(32), np.uint64(2**32 - 1)


def _keys(cells: Cells) -> NDArray[np.uint64]:
    return (cells.rows << _SHIFT) | cells.columns


class _Played:
    """Results out of a study, those that it lacks played now.

    A course may ask for a few cells at a time, far fewer than are worth a transaction each. So what
    was played is gathered, and kept together with what came shortly before.
    """

    def __init__(self, study: Study, arena: Arena, program: Playable, progress: Progress) -> None:
        self._study, self._arena, self._program = study, arena, program
        self._progress = progress
        self._gathered: list[Block] = []
        self._kept = time.monotonic()

    def results(self, cells: Cells) -> NDArray[np.uint8]:
        """Return the results of different cells, in increasing order and not asked for before."""
        results = self._study.lookup(cells.rows, cells.columns)
        missing = results == UNPLAYED
        self._advance(len(cells) - int(np.count_nonzero(missing)))
        if missing.any():
            keys = _keys(cells)
            rows, columns = cells.rows[missing], cells.columns[missing]
            with closing(self._arena.play(self._program, rows, columns)) as blocks:
                for block in blocks:
                    self._gathered.append(block)
                    places = np.searchsorted(keys, _keys(Cells(block.rows, block.columns)))
                    results[places] = block.results
                    if time.monotonic() - self._kept >= _KEEP_SECONDS:
                        self.keep()
        return results

    def keep(self) -> None:
        """Put what was gathered into the study."""
        if self._gathered:
            rows = np.concatenate([block.rows for block in self._gathered])
            columns = np.concatenate([block.columns for block in self._gathered])
            points = np.concatenate([block.results for block in self._gathered])
            self._gathered = []
            self._study.record(rows, columns, points, new=True)
            self._advance(len(rows))
        self._kept = time.monotonic()

    def _advance(self, cells: int) -> None:
        if cells:
            self._progress.advance(cells * self._program.repeats)
