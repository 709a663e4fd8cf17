"""Learning books: what is gained on unseen opponents, and that nothing else matters to it."""

from dataclasses import replace

import numpy as np
import pytest
from booked import HIDDEN, PERFECT, learnt, same, teacher_of

from seedfolio.arena import Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.book.checkpoint import load_learning, save_learning
from seedfolio.book.learner import BookLearner, learn_books
from seedfolio.book.self_play import Learning, Teacher, round_after
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.books import judge
from seedfolio.portfolios.book import ORIGINAL, one_book
from seedfolio.programs.load import load_program

pytestmark = pytest.mark.slow


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
    teacher = teacher_of(*PERFECT)
    games = [learning.games for learning in teacher.rounds(Learning.begin(), 2500)]
    assert games == [1000, 2000, 2500]
    assert [round_after(number) for number in (0, 16_000, 33_333)] == [1000, 1000, 2082]
    assert list(teacher.rounds(replace(Learning.begin(), games=2500), 2500)) == []


def books_of(lesson):
    return [book for side in lesson.books for book in side.books]


def test_what_is_kept_changes_nothing(tmp_path):
    """Whether a lesson was interrupted, or went on from a smaller budget or beside a larger one."""
    kept, arena = tmp_path / "kept.npz", ThreadArena(1)

    def learn(budget, file=kept, arena=arena, progress=None):
        program = load_program(*PERFECT)
        lesson = learn_books(BookLearner(), program, budget, file, arena, progress or Silent())
        assert lesson.games == budget
        return books_of(lesson)

    class Interrupting(Silent):
        games = 0

        def advance(self, cells):
            self.games += cells
            if self.games > 3200:
                raise KeyboardInterrupt

    straight = {budget: learn(budget, None) for budget in (2500, 6000)}
    with pytest.raises(KeyboardInterrupt):
        learn(6000, progress=Interrupting())
    assert load_learning(kept, mark_of(kept)).games == 3000
    # The larger file stays as it is.
    assert all(map(same, learn(2500), straight[2500]))
    assert load_learning(kept, mark_of(kept)).games == 3000
    assert all(map(same, learn(6000), straight[6000]))
    # With all games played nothing is left to do.
    assert all(map(same, learn(6000, arena=_Refusing()), straight[6000]))
    kept.unlink()
    assert all(map(same, learn(2500), straight[2500]))
    assert all(map(same, learn(6000), straight[6000]))


def mark_of(path):
    with np.load(path) as file:
        return str(file["mark"])


class _Refusing:
    def play(self, program, rows, columns):
        raise AssertionError("nothing was to be played")


def test_several_books_are_mixed(tmp_path):
    kept = tmp_path / "kept.npz"
    given = BookLearner(books=2), load_program(*PERFECT), 20_000, kept, ThreadArena(1), Silent()
    lesson = learn_books(*given)
    assert len(list(tmp_path.iterdir())) == 2
    assert all(map(same, books_of(learn_books(*given)), books_of(lesson)))
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
    with pytest.raises(SpecificationError, match="must be 1 to 16"):
        BookLearner(books)
