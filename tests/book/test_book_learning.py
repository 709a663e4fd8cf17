"""Learning books: what is gained on unseen opponents, and that nothing else matters to it."""

from dataclasses import replace

import numpy as np
import pytest
from booked import HIDDEN, PERFECT, learnt, same, self_play_of
from sessions import Counting, session_for

from seedfolio.arena import Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.book.checkpoint import load_checkpoint, save_checkpoint
from seedfolio.book.learner import BookLearner
from seedfolio.book.self_play import Experience, SelfPlay
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.books import evaluate_books
from seedfolio.learning.learner import Budget
from seedfolio.portfolios.book import ORIGINAL, BookPortfolio, one_book
from seedfolio.programs.load import load_program
from seedfolio.study.session import Session
from seedfolio.study.store import Study

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("case", [PERFECT, HIDDEN], ids=lambda case: case[0])
def test_a_book_wins_where_the_original_does_not(case):
    play = self_play_of(*case)
    books = BookPortfolio(*map(one_book, play.books(learnt(*case))))
    plain = evaluate_books(play.session, BookPortfolio(ORIGINAL, ORIGINAL), 60, own=30)
    better = evaluate_books(play.session, books, 60, own=30)
    assert plain.success[0].mean == pytest.approx(0.5, abs=0.06)
    assert better.success[0].mean > plain.success[0].mean + 0.2
    assert better.success[-1].mean > plain.success[-1].mean
    again = session_for(play.session.program, ThreadArena(2, 7))
    assert evaluate_books(again, books, 60, own=30) == better


def test_a_round_does_not_depend_on_how_it_is_played():
    play = self_play_of(*PERFECT)
    other = SelfPlay(session_for(play.session.program, ThreadArena(2, block=11)))
    one = two = Experience.none()
    for games in (300, 200):
        one, two = play.round(one, games), other.round(two, games)
    for colour in (0, 1):
        assert same(one.colours[colour].rows, two.colours[colour].rows)
        assert same(play.books(one)[colour], other.books(two)[colour])


def test_learning_goes_on_where_it_was_kept(tmp_path):
    play = self_play_of(*PERFECT)
    two = play.round(play.round(Experience.none(), 400), 400)
    save_checkpoint(two, tmp_path / "kept.npz", "a mark")
    found = load_checkpoint(tmp_path / "kept.npz", "a mark")
    assert found.games == two.games == 800
    one, other = play.round(two, 400), play.round(found, 400)
    for colour in (0, 1):
        assert same(play.books(one)[colour], play.books(other)[colour])
    with pytest.raises(StudyError, match="another program"):
        load_checkpoint(tmp_path / "kept.npz", "another mark")
    (tmp_path / "kept.npz").write_bytes(b"nothing")
    with pytest.raises(StudyError, match="delete it"):
        load_checkpoint(tmp_path / "kept.npz", "a mark")


def test_rounds_keep_to_the_budget():
    play = self_play_of(*PERFECT)
    games = [experience.games for experience in play.rounds(Experience.none(), 2500)]
    assert games == [1000, 2000, 2500]
    assert [play.pace.round_after(number) for number in (0, 16_000, 33_333)] == [1000, 1000, 2082]
    assert list(play.rounds(replace(Experience.none(), games=2500), 2500)) == []


def books_of(learnt):
    return [book for side in (learnt.plays.first, learnt.plays.second) for book in side.books]


def test_what_is_kept_changes_nothing(tmp_path):
    """Whether learning was interrupted, or went on from a smaller budget or beside a larger one."""
    program, kept = load_program(*PERFECT), tmp_path / "a-book.npz"

    def learn(budget, arena=None, progress=None):
        with Study.open(tmp_path / "a.study", program.identity()) as study:
            session = Session(study, arena or ThreadArena(1), program, progress or Silent())
            assert session.checkpoint("book") == kept.resolve()
            learnt = BookLearner().learn(session, Budget(budget))
        assert learnt.games == budget
        return books_of(learnt)

    def straight_from(budget):
        return books_of(BookLearner().learn(session_for(program), Budget(budget)))

    class Interrupting(Silent):
        games = 0

        def advance(self, cells):
            self.games += cells
            if self.games > 3200:
                raise KeyboardInterrupt

    straight = {budget: straight_from(budget) for budget in (2500, 6000)}
    with pytest.raises(KeyboardInterrupt):
        learn(6000, progress=Interrupting())
    assert load_checkpoint(kept, mark_of(kept)).games == 3000
    # The larger file stays as it is.
    assert all(map(same, learn(2500), straight[2500]))
    assert load_checkpoint(kept, mark_of(kept)).games == 3000
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
    program = load_program(*PERFECT)
    with Study.open(tmp_path / "a.study", program.identity()) as study:
        session = Session(study, ThreadArena(1), program)
        found = BookLearner(books=2).learn(session, Budget(20_000))
        assert len(list(tmp_path.glob("*.npz"))) == 2
        again = BookLearner(books=2).learn(session, Budget(20_000))
    assert all(map(same, books_of(again), books_of(found)))
    for side in (found.plays.first, found.plays.second):
        assert 1 <= len(side.books) <= 2
        assert sum(side.weights) == pytest.approx(1)
    assert 19_990 <= found.games <= 20_000


def test_opponents_that_are_given_are_those_met():
    play = self_play_of(*PERFECT)
    pool = np.array([7, 8, 9], np.uint64)
    given = replace(play, opponents=(pool, pool + np.uint64(10)))
    book = given.books(given.round(Experience.none(), 600))[1]
    assert len(book) > 0
    assert set(book.opponents.tolist()) <= {17, 18, 19}


@pytest.mark.parametrize("books", [0, 17])
def test_too_many_books_are_refused(books):
    with pytest.raises(SpecificationError, match="must be 1 to 16"):
        BookLearner(books)


def test_in_memory_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arena = Counting()
    session = session_for(load_program(*PERFECT), arena)
    first = BookLearner().learn(session, Budget(1500))
    assert arena.cells == first.games == 1500
    assert all(map(same, books_of(BookLearner().learn(session, Budget(1500))), books_of(first)))
    assert arena.cells == 3000
    assert session.study.count() == 0
    assert list(tmp_path.iterdir()) == []
