"""Running courses: what is played, what is kept when, and what an interruption leaves."""

import numpy as np
import pytest
from seedfolio.learning.running import follow, run_course

from seedfolio.arena import Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.learning import parse_asking_learner
from seedfolio.learning.exploration import Cells
from seedfolio.programs.load import load_program
from seedfolio.study.store import UNPLAYED, Study

PROGRAM = load_program("nim", "table")


class Script:
    """A course that asks for given cells, one list after the other."""

    def __init__(self, *asks):
        self.asks, self.told = list(asks), []

    def ask(self):
        if not self.asks:
            return None
        rows, columns = zip(*self.asks[0], strict=True)
        return Cells(np.array(rows, np.uint64), np.array(columns, np.uint64))

    def tell(self, points):
        self.told.append(list(zip(self.asks.pop(0), points.tolist(), strict=True)))


class Counting:
    """An arena that counts cells, and can break down after so many."""

    def __init__(self, most=10**9):
        self.cells, self.most = 0, most

    def play(self, program, rows, columns):
        for block in ThreadArena(1, block=3).play(program, rows, columns):
            if self.cells + len(block.rows) > self.most:
                raise KeyboardInterrupt
            self.cells += len(block.rows)
            yield block


class Bar(Silent):
    def __init__(self):
        self.done = 0

    def advance(self, cells):
        self.done += cells


def direct(row, column):
    seeds = np.array([row], np.uint64), np.array([column], np.uint64)
    return int(PROGRAM.play(*seeds, PROGRAM.workspace())[0][0])


@pytest.fixture
def study(tmp_path):
    with Study.open(tmp_path / "a.study", PROGRAM.identity()) as opened:
        yield opened


def test_a_course_is_told_what_it_asked_for_and_no_cell_is_played_twice(study):
    asks = [(3, 1), (0, 7), (3, 1)], [(0, 7), (2, 2)], [(2, 2)], [(0, 0), (9, 9)]
    course, arena, bar = Script(*asks), Counting(), Bar()
    assert run_course(course, 100, study, arena, PROGRAM, "test", bar) == 5
    assert course.told == [[(cell, direct(*cell)) for cell in ask] for ask in asks]
    assert arena.cells == bar.done == study.count() == 5


def test_what_the_study_has_is_read_and_counts_all_the_same(study):
    asks = [[(row, column) for row in range(6) for column in range(4)], [(7, 1), (2, 2)]]
    first, again, bar = Script(*asks), Script(*asks), Bar()
    run_course(first, 100, study, Counting(), PROGRAM, "test", Silent())
    assert run_course(again, 100, study, Counting(0), PROGRAM, "test", bar) == bar.done == 25
    assert first.told == again.told


def test_it_ends_before_the_cells_are_too_many(study):
    course = Script([(0, 0), (1, 1)], [(0, 0), (2, 2)], [(3, 3), (4, 4)], [(0, 0)])
    assert run_course(course, 4, study, Counting(), PROGRAM, "test", Silent()) == 3
    assert len(course.told) == 2


def test_an_interruption_keeps_what_was_played(study):
    """Small asks are kept together; whatever ends the course, they are kept."""
    asks = [[(row, column) for column in range(6)] for row in range(8)]
    with pytest.raises(KeyboardInterrupt):
        run_course(Script(*asks), 100, study, Counting(33), PROGRAM, "test", Silent())
    assert study.count() == 33
    again, arena = Script(*asks), Counting()
    assert run_course(again, 100, study, arena, PROGRAM, "test", Silent()) == 48
    assert arena.cells == 48 - 33
    assert again.told == [[(cell, direct(*cell)) for cell in ask] for ask in asks]


def test_a_real_course_resumes_where_it_was(study):
    learner = parse_asking_learner("ucb-widening:pulls=5")
    course = learner.begin(200, 2, 1)
    with pytest.raises(KeyboardInterrupt):
        run_course(course, 200, study, Counting(90), PROGRAM, "test", Silent())
    kept = study.count()
    course, arena = learner.begin(200, 2, 1), Counting()
    used = run_course(course, 200, study, arena, PROGRAM, "test", Silent())
    assert arena.cells == used - kept
    straight = learner.begin(200, 2, 1)
    follow(straight, 200, lambda cells: study.lookup(cells.rows, cells.columns))
    assert straight.answer() == course.answer()


def test_stopping_keeps_and_counts_what_was_used(study):
    course = Script(*[[(row, 0)] for row in range(9)])
    used = run_course(
        course, 100, study, Counting(), PROGRAM, "test", Silent(), lambda: len(course.told) == 4
    )
    assert used == study.count() == 4


def test_single_cells_are_found_whichever_way_they_lie(study):
    """Stored along rows or along columns, as few runs as possible."""
    rows, columns = np.arange(40, dtype=np.uint64), np.full(40, 5, np.uint64)
    study.record(rows, columns, np.full(40, 1, np.uint8))
    study.record(np.full(30, 41, np.uint64), rows[:30], np.full(30, 2, np.uint8))
    wanted = [(3, 5), (41, 29), (3, 6), (41, 30), (39, 5), (41, 5)]
    seeds = [np.array(each, np.uint64) for each in zip(*wanted, strict=True)]
    assert study.lookup(*seeds).tolist() == [1, 2, UNPLAYED, UNPLAYED, 1, 2]
