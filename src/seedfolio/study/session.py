"""Playing what a study still lacks: the way from the arena into the store."""

from __future__ import annotations

from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Playable, Progress
from seedfolio.study.matrices import Rectangle
from seedfolio.study.store import UNPLAYED, Study

# Cells handed to the arena at once: many, as it stands idle in between; 16 bytes each, so not all.
_CHUNK = 10_000_000


def play_missing(
    study: Study,
    arena: Arena,
    program: Playable,
    rectangles: list[Rectangle],
    task: str,
    progress: Progress,
) -> int:
    """Play every cell of `rectangles` (rows against columns) that the study lacks.

    Each block is safe in the study before it counts as done. Rectangles must not overlap,
    nor name a seed twice. Return how many cells were played.
    """
    masks = [study.missing(rows, columns) for rows, columns in rectangles]
    return _play(study, arena, program, rectangles, masks, task, progress)


def played_results(
    study: Study,
    arena: Arena,
    program: Playable,
    rectangles: list[Rectangle],
    task: str,
    progress: Progress,
) -> list[NDArray[np.uint8]]:
    """Do as `play_missing` does; return the matrix of each rectangle, in half points.

    What was played before is read from the study only once.
    """
    known = [study.results(rows, columns) for rows, columns in rectangles]
    masks = [results == UNPLAYED for results in known]
    if _play(study, arena, program, rectangles, masks, task, progress) == 0:
        return known
    return [study.results(rows, columns) for rows, columns in rectangles]


def _play(
    study: Study,
    arena: Arena,
    program: Playable,
    rectangles: list[Rectangle],
    masks: list[NDArray[np.bool_]],
    task: str,
    progress: Progress,
) -> int:
    """Play the cells of `rectangles` that `masks` show; return how many they are."""
    total = sum(int(np.count_nonzero(mask)) for mask in masks)
    if total == 0:
        return 0
    progress.begin(task, total * program.repeats)
    try:
        for (rows, columns), mask in zip(rectangles, masks, strict=True):
            step = max(1, _CHUNK // max(1, len(columns)))
            for top in range(0, len(rows), step):
                lacking = mask[top : top + step]
                cells = (
                    np.repeat(rows[top : top + step], np.count_nonzero(lacking, axis=1)),
                    np.broadcast_to(columns, lacking.shape)[lacking],
                )
                with closing(arena.play(program, *cells)) as blocks:
                    for block in blocks:
                        study.record(block.rows, block.columns, block.results, new=True)
                        progress.advance(len(block.rows) * program.repeats)
    finally:
        progress.end()
    return total
