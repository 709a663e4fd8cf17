"""Reading what a study knows, and playing what it lacks, without a game."""

from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from seedfolio.arena import Block, Silent
from seedfolio.study.session import play_missing, played_results
from seedfolio.study.store import UNPLAYED, Study

U64 = NDArray[np.uint64]


class Formula:
    """Stands for a program whose results are a formula."""

    title, repeats, full = "formula", 1, 2

    def results(self, rows: U64, columns: U64) -> NDArray[np.uint8]:
        return ((rows * 7 + columns * 5 + rows * columns) % 3).astype(np.uint8)


class FormulaArena:
    """Plays formulas, in blocks of 13 cells, the last first; counts the cells."""

    played = 0

    def play(self, program: Formula, rows: U64, columns: U64) -> Generator[Block, None, None]:
        for first in reversed(range(0, len(rows), 13)):
            block = rows[first : first + 13], columns[first : first + 13]
            self.played += len(block[0])
            yield Block(*block, program.results(*block))


def seeds(*values: int) -> U64:
    return np.array(values, np.uint64)


@pytest.mark.parametrize("before", [[], [(3, 2)], [(8, 30), (9, 4)], [(40, 40)]])
def test_results_of_rectangles_are_whole_and_played_once(
    tmp_path: Path, before: list[tuple[int, int]]
) -> None:
    arena, program = FormulaArena(), Formula()
    asked = [
        (np.arange(9, dtype=np.uint64), np.arange(20, dtype=np.uint64)),
        (seeds(12, 9, 30), seeds(4, 5, 2**33, 6, 1)),  # in any order
    ]
    with Study.open(tmp_path / "a.study", {}) as study:
        for rows, columns in before:
            some = np.arange(rows, dtype=np.uint64), np.arange(columns, dtype=np.uint64)
            play_missing(study, arena, program, [some], "some", Silent())
        lacking = sum(int(np.count_nonzero(study.missing(*each))) for each in asked)
        for expected in (lacking, 0):
            arena.played = 0
            found = played_results(study, arena, program, asked, "rest", Silent())
            assert arena.played == expected
            for (rows, columns), results in zip(asked, found, strict=True):
                cells = np.meshgrid(rows, columns, indexing="ij")
                assert (results == program.results(*cells)).all()
                assert results.flags.c_contiguous


def test_any_part_of_a_run_is_read(tmp_path: Path) -> None:
    program = Formula()
    line = np.arange(100, 140, dtype=np.uint64)
    with Study.open(tmp_path / "a.study", {}) as study:
        row = np.full(40, 5, np.uint64)
        study.record(row, line, program.results(row, line))
        for columns in (
            line,
            line[3:17],
            line[::3],
            np.append(line[2:5], line[9:12]),
            np.arange(90, 160, dtype=np.uint64),
            seeds(101, 101, 103),  # as far apart as they are many, but not in a row
        ):
            played = (columns >= 100) & (columns < 140)
            row = np.full(len(columns), 5, np.uint64)
            expected = np.where(played, program.results(row, columns), UNPLAYED)
            assert study.results(seeds(5), columns)[0].tolist() == expected.tolist()
            assert study.lookup(row, columns).tolist() == expected.tolist()
