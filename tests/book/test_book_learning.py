"""Learning books: what is gained on unseen opponents, and that nothing else matters to it."""

from dataclasses import replace

import numpy as np
import pytest
from booked import HIDDEN, PERFECT, learnt, teacher_of

from seedfolio.arena import Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.book.book import ORIGINAL, one_book
from seedfolio.book.judging import judge
from seedfolio.book.learning import Learning, Teacher, load_learning, next_round, save_learning
from seedfolio.book.lesson import BookLearner, learn_books
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.loading import load_program

pytestmark = pytest.mark.slow


def same(one, other):
    names = type(one).__dataclass_fields__
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@pytest.mark.parametrize("case", [PERFECT, HIDDEN], ids=lambda case: case[0])
def test_a_book_wins_where_the_original_does_not(case):
    teacher = teacher_of(*case)
    books = tuple(one_book(book) for book in teacher.books(learnt(*case)))
    plain = judge(teacher.program, (ORIGINAL, ORIGINAL), 60, teacher.arena, Silent(), own=30)
    better = judge(teacher.program, books, 60, teacher.arena, Silent(), own=30)
    assert plain.success[0].mean == pytest.approx(0.5, abs=0.06)
    assert better.success[0].mean > plain.success[0].mean + 0.2
    assert better.success[-1].mean > plain.success[-1].mean
    again = judge(teacher.program, books, 60, ThreadArena(2, 7), Silent(), own=30)
    assert again == better


def test_a_round_does_not_depend_on_how_it_is_played():
    teacher = teacher_of(*PERFECT)
    other = replace(teacher, arena=ThreadArena(2, block=11))
    one = two = Learning.begin()
    for games in (300, 200):
        one, two = teacher.round(one, games), other.round(two, games)
    for colour in (0, 1):
        assert same(one.colours[colour].rows, two.colours[colour].rows)
        assert same(teacher.books(one)[colour], other.books(two)[colour])


def test_learning_goes_on_where_it_was_kept(tmp_path):
    teacher = teacher_of(*PERFECT)
    two = teacher.round(teacher.round(Learning.begin(), 400), 400)
    save_learning(two, tmp_path / "kept.npz", "a mark")
    found = load_learning(tmp_path / "kept.npz", "a mark")
    assert found.games == two.games == 800
    one, other = teacher.round(two, 400), teacher.round(found, 400)
    for colour in (0, 1):
        assert same(teacher.books(one)[colour], teacher.books(other)[colour])
    with pytest.raises(StudyError, match="another program"):
        load_learning(tmp_path / "kept.npz", "another mark")
    (tmp_path / "kept.npz").write_bytes(b"nothing")
    with pytest.raises(StudyError, match="delete it"):
        load_learning(tmp_path / "kept.npz", "a mark")


def test_rounds_keep_to_the_budget():
    learning, sizes = Learning.begin(), []
    while learning.games < 100_000:
        sizes.append(next_round(learning, 1000, 100_000))
        learning = replace(learning, games=learning.games + sizes[-1])
    assert sum(sizes) == 100_000
    assert sizes[:3] == [1000, 1000, 1000]
    assert all(size >= 1000 for size in sizes)
    assert max(sizes) < 15_000


def test_an_interrupted_lesson_is_taken_up(tmp_path):
    program = load_program(*PERFECT)
    arena = ThreadArena(1)
    whole = learn_books(BookLearner(), program, 6000, None, arena, Silent())
    kept = tmp_path / "kept.npz"

    class Interrupting(Silent):
        begun = 0

        def begin(self, task, total):
            self.begun += 1
            if self.begun == 4:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_books(BookLearner(), program, 6000, kept, arena, Interrupting())
    assert kept.exists()
    rest = learn_books(BookLearner(), program, 6000, kept, arena, Silent())
    assert rest.games == whole.games == 6000
    for colour in (0, 1):
        assert same(rest.books[colour].books[0], whole.books[colour].books[0])
    # With all games played nothing is left to do.
    again = learn_books(BookLearner(), program, 6000, kept, _Refusing(), Silent())
    assert same(again.books[0].books[0], whole.books[0].books[0])


class _Refusing:
    def play(self, program, rows, columns):
        raise AssertionError("nothing was to be played")


def test_several_books_are_mixed():
    lesson = learn_books(
        BookLearner(books=2), load_program(*PERFECT), 20_000, None, ThreadArena(1), Silent()
    )
    for side in lesson.books:
        assert 1 <= len(side.books) <= 2
        assert sum(side.weights) == pytest.approx(1)
    assert 19_990 <= lesson.games <= 20_000


def test_opponents_that_are_given_are_those_met():
    teacher = teacher_of(*PERFECT)
    pool = np.array([7, 8, 9], np.uint64)
    given = Teacher(teacher.program, teacher.arena, opponents=(pool, pool + np.uint64(10)))
    book = given.books(given.round(Learning.begin(), 600))[1]
    assert len(book) > 0
    assert set(book.opponents.tolist()) <= {17, 18, 19}


@pytest.mark.parametrize("books", [0, 17])
def test_too_many_books_are_refused(books):
    with pytest.raises(SpecificationError, match="not 1 to 16"):
        BookLearner(books)
