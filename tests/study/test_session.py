"""A session reads what its study knows, and plays and keeps what it lacks."""

import numpy as np
import pytest
from sessions import Bar, Counting, session_for

from seedfolio import SpecificationError, Study, ThreadArena, load_program
from seedfolio.study.arms import TrainingArms, UnseenArms, training_cells, training_rectangles
from seedfolio.study.session import Session


def seeds(*values):
    return np.array(values, np.uint64)


@pytest.mark.parametrize("before", [[], [(3, 2)], [(8, 30), (9, 4)], [(40, 40)]])
def test_results_of_rectangles_are_whole_and_played_once(tmp_path, before):
    arena, program = Counting(block=13), load_program("nim", "table")
    asked = [
        (np.arange(9, dtype=np.uint64), np.arange(20, dtype=np.uint64)),
        (seeds(12, 9, 30), seeds(4, 5, 2**33, 6, 1)),  # in any order
    ]
    with Study.open(tmp_path / "a.study", program.identity()) as study:
        bar = Bar()
        session = Session(study, arena, program, bar)
        for rows, columns in before:
            some = np.arange(rows, dtype=np.uint64), np.arange(columns, dtype=np.uint64)
            session.results([some], "some")
        lacking = sum(int(np.count_nonzero(study.missing(*each))) for each in asked)
        for expected in (lacking, 0):
            arena.cells = bar.done = 0
            bar.tasks.clear()
            found = session.results(asked, "rest")
            assert arena.cells == bar.done == expected
            assert bar.tasks == ([("rest", expected)] if expected else [])
            for (rows, columns), results in zip(asked, found, strict=True):
                assert (results == by_hand(program, rows, columns)).all()
                assert results.flags.c_contiguous


def by_hand(program, rows, columns):
    playing = program.for_arms(rows, columns)
    cells = [each.ravel() for each in np.meshgrid(rows, columns, indexing="ij")]
    points, _ = playing.play(*cells, playing.workspace())
    return points.reshape(len(rows), len(columns))


def test_matrices_are_those_of_both_colours_and_played_once():
    program = load_program("nim", "table:noise=50", repeats=3)
    arena, bar = Counting(block=7), Bar()
    session = session_for(program, arena, bar)
    assert arena.cells == 0
    session.results(training_rectangles(TrainingArms(0, 9), 2), "some")
    begun = training_cells(9, 4) - training_cells(9, 2)
    for k, kt, new in ((9, 4, begun), (9, 4, 0), (5, 3, 0), (9, 9, 25)):
        arena.cells = bar.done = 0
        first, second = session.matrices(k, kt)
        assert (arena.cells, bar.done) == (new, 3 * new)
        seeds = TrainingArms(0, k).seeds()
        assert (first == by_hand(program, seeds, seeds[:kt])).all()
        assert (second == 6 - by_hand(program, seeds[:kt], seeds).T).all()
    assert session.matrices(9, 4)[0] is session.matrices(9, 4)[0]
    again = Session(session.study, Counting(0), program)
    assert all(map(np.array_equal, again.matrices(9, 9), session.matrices(9, 9)))


def test_play_keeps_nothing():
    program = load_program("nim", "table:noise=50", repeats=2)
    session = session_for(program, ThreadArena(1, block=3))
    ours, theirs = seeds(1, 2, 3), seeds(7, 8, 9)
    for colour, cells in ((0, (ours, theirs)), (1, (theirs, ours))):
        (block,) = session.play_as(colour, ours, theirs, program.single())
        assert (block.rows.tolist(), block.columns.tolist()) == tuple(c.tolist() for c in cells)
        single = program.single()
        assert (block.results == single.play(*cells, single.workspace())[0]).all()
    (block,) = session.play(ours, theirs)
    assert (block.results == program.play(ours, theirs, program.workspace())[0]).all()
    assert session.study.count() == 0


def test_an_interruption_keeps_what_was_played_and_ends_the_task():
    program, bar = load_program("nim", "table"), Bar()
    session = session_for(program, Counting(20, block=3), bar)
    with pytest.raises(KeyboardInterrupt):
        session.matrices(8, 8)
    assert session.study.count() == bar.done == 18
    assert (len(bar.tasks), bar.ended) == (1, 1)
    arena = Counting()
    Session(session.study, arena, program).matrices(8, 8)
    assert arena.cells == 64 - 18
    # Both colours of 9 arms against 4; against others no game is in both.
    assert training_cells(9, 4) == 2 * 9 * 4 - 4 * 4
    assert training_cells(9, 4, itself=False) == 2 * 9 * 4


@pytest.mark.parametrize(
    ("arms", "seeds"),
    [
        (TrainingArms(5, 3), [5, 6, 7]),
        (UnseenArms(5, 3), [2**32 + 5, 2**32 + 6, 2**32 + 7]),
        (TrainingArms(2**32 - 1, 1), [2**32 - 1]),
        (UnseenArms(2**32 - 1, 1), [2**33 - 1]),
    ],
)
def test_seeds_are_consecutive_unsigned_integers(arms, seeds):
    assert arms.seeds().dtype == np.uint64
    assert arms.seeds().tolist() == seeds
    assert len(arms) == len(seeds)


@pytest.mark.parametrize("kind", [TrainingArms, UnseenArms])
@pytest.mark.parametrize(
    ("first", "count"), [(-1, 1), (0, 0), (2**32 - 1, 2), (0, 2**32 + 1), (0.5, 1), (0, True)]
)
def test_impossible_arms_are_refused(kind, first, count):
    with pytest.raises(SpecificationError, match=r"^(training|unseen) arms: [^\n]*$"):
        kind(first, count)
