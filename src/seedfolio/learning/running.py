"""Running a course: its cells are played, kept in the study, and told to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Playable, Progress
from seedfolio.learning.course import Cells, Course
from seedfolio.study.store import UNPLAYED, Study


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
    known: dict[int, int] = {}
    progress.begin(task, cells * program.repeats)
    try:
        while not stop() and (asked := course.ask()) is not None:
            keys = _keys(asked)
            new = np.array(sorted(set(keys.tolist()) - known.keys()), np.uint64)
            if len(known) + len(new) > cells:
                break
            new_cells = Cells(new >> _SHIFT, new & _COLUMN)
            results = _play(new_cells, study, arena, program)
            known.update(zip(new.tolist(), results.tolist(), strict=True))
            course.tell(np.array([known[key] for key in keys.tolist()], np.uint8))
            progress.advance(len(new) * program.repeats)
    finally:
        progress.end()
    return len(known)


# Training seeds are below 2**32, so that a cell is one number.
_SHIFT, _COLUMN = np.uint64(32), np.uint64(2**32 - 1)


def _keys(cells: Cells) -> NDArray[np.uint64]:
    return (cells.rows << _SHIFT) | cells.columns


def _play(cells: Cells, study: Study, arena: Arena, program: Playable) -> NDArray[np.uint8]:
    """Return the results of different cells, those that the study lacks played now."""
    results = study.lookup(cells.rows, cells.columns)
    missing = results == UNPLAYED
    if missing.any():
        at = {key: place for place, key in enumerate(_keys(cells).tolist())}
        with closing(arena.play(program, cells.rows[missing], cells.columns[missing])) as blocks:
            for block in blocks:
                study.record(block.rows, block.columns, block.results)
                played = _keys(Cells(block.rows, block.columns)).tolist()
                results[[at[key] for key in played]] = block.results
    return results
