"""Explorations: what is played, what is kept when, and what an interruption leaves."""

import numpy as np
import pytest
from sessions import Bar, Counting, session_for
from synthetic_arena import exploring_learner

from seedfolio import Study, load_program
from seedfolio.arena import Silent
from seedfolio.learning.exploration import explore, follow
from seedfolio.learning.learner import Budget
from seedfolio.study.session import Cells, Session

PROGRAM = load_program("nim", "table")


class Script:
    def __init__(self, *asks):
        self.asks, self.told = list(asks), []

    def ask(self):
        if not self.asks:
            return None
        rows, columns = zip(*self.asks[0], strict=True)
        return Cells(np.array(rows, np.uint64), np.array(columns, np.uint64))

    def tell(self, points):
        self.told.append(list(zip(self.asks.pop(0), points.tolist(), strict=True)))


def direct(row, column):
    seeds = np.array([row], np.uint64), np.array([column], np.uint64)
    return int(PROGRAM.play(*seeds, PROGRAM.workspace())[0][0])


@pytest.fixture
def study(tmp_path):
    with Study.open(tmp_path / "a.study", PROGRAM.identity()) as opened:
        yield opened


def explored(exploration, cells, study, arena, progress=None, stop=lambda: False):
    """Play what an exploration asks for, for a study; return how many cells it used."""
    session = Session(study, arena, PROGRAM, progress or Silent())
    return explore(exploration, cells, session, "test", stop)


def test_an_exploration_is_told_what_it_asked_for_and_no_cell_is_played_twice(study):
    asks = [(3, 1), (0, 7), (3, 1)], [(0, 7), (2, 2)], [(2, 2)], [(0, 0), (9, 9)]
    exploration, arena, bar = Script(*asks), Counting(block=3), Bar()
    assert explored(exploration, 100, study, arena, bar) == 5
    assert exploration.told == [[(cell, direct(*cell)) for cell in ask] for ask in asks]
    assert arena.cells == bar.done == study.count() == 5
    assert (bar.tasks, bar.ended) == ([("test", 100)], 1)


def test_what_the_study_has_is_read_and_counts_all_the_same(study):
    asks = [[(row, column) for row in range(6) for column in range(4)], [(7, 1), (2, 2)]]
    first, again, bar = Script(*asks), Script(*asks), Bar()
    explored(first, 100, study, Counting(block=3))
    assert explored(again, 100, study, Counting(0, block=3), bar) == bar.done == 25
    assert first.told == again.told


def test_it_ends_before_the_cells_are_too_many_or_when_it_is_stopped(study):
    exploration = Script([(0, 0), (1, 1)], [(0, 0), (2, 2)], [(3, 3), (4, 4)], [(0, 0)])
    assert explored(exploration, 4, study, Counting(block=3)) == study.count() == 3
    assert len(exploration.told) == 2
    exploration = Script(*[[(row, 0)] for row in range(9)])
    used = explored(
        exploration, 100, study, Counting(block=3), stop=lambda: len(exploration.told) == 4
    )
    assert (used, study.count()) == (4, 3 + 3)  # one was there


def test_an_interruption_keeps_what_was_played(study):
    """Small asks are kept together; whatever ends it, they are kept."""
    asks = [[(row, column) for column in range(6)] for row in range(8)]
    with pytest.raises(KeyboardInterrupt):
        explored(Script(*asks), 100, study, Counting(33, block=3))
    assert study.count() == 33
    again, arena = Script(*asks), Counting(block=3)
    assert explored(again, 100, study, arena) == 48
    assert arena.cells == 48 - 33
    assert again.told == [[(cell, direct(*cell)) for cell in ask] for ask in asks]


@pytest.mark.parametrize("name", ["halving", "nash", "nash:ratio=0.5"])
def test_learning_is_exploring_within_the_budget(name):
    """A cell of several games costs so many; a second time nothing is played."""
    program = load_program("nim", "table:noise=50", repeats=4)
    arena = Counting()
    session = session_for(program, arena)
    learner = exploring_learner(name)
    learnt = learner.learn(session, Budget(1003, key=7))
    assert learnt.games == 4 * arena.cells == 4 * session.study.count()
    assert 500 < learnt.games <= 1003
    exploration = learner.begin(250, 8, 7)
    follow(exploration, 250, lambda cells: session.study.lookup(cells.rows, cells.columns))
    choice = exploration.choice()
    assert (learnt.plays, learnt.value) == (choice.portfolio, choice.value)
    assert learnt.confidence == (choice.first, choice.second)
    assert (learnt.matrix, learnt.note) == (None, choice.note)
    played = arena.cells
    assert learner.learn(session, Budget(1003, key=7)) == learnt
    assert arena.cells == played
