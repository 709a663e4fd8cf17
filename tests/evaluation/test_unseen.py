"""Success on unseen arms, computed again from the games."""

from dataclasses import replace
from math import isnan, sqrt
from typing import ClassVar

import numpy as np
import pytest
from sessions import Counting, session_for

from seedfolio import Program, ThreadArena, load_program
from seedfolio.core.seeds import turned_arm
from seedfolio.evaluation.best_response import best_response_success, exact_success
from seedfolio.evaluation.books import OWN_SEEDS, evaluate_books, own_seeds
from seedfolio.evaluation.exploiters import (
    CRITERIA,
    exploiter_success,
    fixed_arm_successes,
    mixture_successes,
)
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import Evaluator, arm_success
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.learner import Budget
from seedfolio.portfolios.book.book import ORIGINAL, Book, BookPortfolio, equal_mixture, one_book
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.arms import TrainingArms, UnseenArms

NIM = load_program("nim", "table")
PORTFOLIO = Portfolio(Distribution((4, 9), (0.25, 0.75)), Distribution((7,), (1.0,)))


def by_hand(program, arms, opponents, colour):
    seeds = np.array(arms, np.uint64), UnseenArms(0, opponents).seeds()
    ours, theirs = (each.ravel() for each in np.meshgrid(*seeds, indexing="ij"))
    cells = (ours, theirs) if colour == 0 else (theirs, ours)
    playing = program.for_arms(*cells)
    points = playing.play(*cells, playing.workspace())[0].reshape(len(arms), opponents)
    return points / program.full if colour == 0 else 1 - points / program.full


def test_a_portfolio_is_evaluated_on_games_with_unseen_arms():
    arena = Counting()
    session = session_for(NIM, arena)
    evaluator = Evaluator.of(session, 20)
    assert evaluator.luck == Luck()
    found = evaluator.evaluate(PORTFOLIO, "some")
    # 50 games for each opponent asked for, at most ten times as many opponents.
    assert found.opponents == (200, 200)
    assert arena.cells == 2 * 200 + 200
    for colour, estimates in enumerate((found.first, found.second)):
        side = PORTFOLIO[colour]
        success = np.array(side.weights) @ by_hand(NIM, side.arms, 200, colour)
        for opponents, estimate in zip(CRITERIA, estimates, strict=True):
            assert estimate.mean == pytest.approx(exploiter_success(success, opponents).mean)
    for both, first, second in zip(found.success, found.first, found.second, strict=True):
        assert both.mean == pytest.approx((first.mean + second.mean) / 2)
    assert evaluator.evaluate(PORTFOLIO, "again") == found
    assert arena.cells == 600
    many = Distribution(tuple(range(100)), (0.01,) * 100)
    assert evaluator.evaluate(Portfolio(many, many), "many").opponents == (20, 20)


def test_arms_under_symmetries_are_evaluated_as_such():
    program = load_program("domineering:4x4", "uct:simulations=5")
    arm = turned_arm(3, program.traits.symmetries)
    side = Distribution((arm,), (1.0,))
    found = Evaluator.of(session_for(program), 17).evaluate(Portfolio(side, side), "turned")
    for colour, estimates in enumerate((found.first, found.second)):
        success = by_hand(program.with_symmetries(), [arm], 170, colour)
        assert estimates[0].mean == pytest.approx(success.mean())


def test_the_original_has_two_baselines():
    session = session_for(NIM)
    fixed, mixed = Evaluator.of(session, 30).original(TrainingArms(0, 12))
    assert fixed.opponents == mixed.opponents == (30, 30)
    for colour in (0, 1):
        matrix = by_hand(NIM, range(12), 30, colour)
        kept = arm_success(session.study, TrainingArms(0, 12).seeds(), UnseenArms(0, 30), colour)
        assert (kept == matrix).all()
        assert (fixed.first, fixed.second)[colour] == fixed_arm_successes(kept, CRITERIA)
        assert (mixed.first, mixed.second)[colour] == mixture_successes(kept, CRITERIA)


def test_books_are_evaluated_as_books_and_small_games_exactly():
    session = session_for(NIM)
    evaluator = Evaluator.of(session, 17)
    books = BookPortfolio(ORIGINAL, ORIGINAL)
    assert evaluator.evaluate(books, "book") == evaluate_books(session, books, 17, OWN_SEEDS)
    assert session.study.count() == 0
    with pytest.raises(TypeError, match="neither a portfolio nor books"):
        evaluator.evaluate("nash", "nash")
    assert exact_success(NIM, PORTFOLIO) == best_response_success(NIM, PORTFOLIO)
    assert exact_success(NIM, BookPortfolio(ORIGINAL, ORIGINAL)) is None
    assert exact_success(load_program("domineering:7x7"), PORTFOLIO) is None
    small = load_program("phantom-tic-tac-toe", "table")
    turned = Distribution((turned_arm(3, 1),), (1.0,))
    assert exact_success(small, Portfolio(turned, turned)) is None


SMALL = "domineering:4x4", "uct:simulations=5"


def book_of_games(games, states=None, parents=None):
    number = len(games)
    return replace(
        Book.none(),
        states=np.array(states or range(number), np.uint64),
        parents=np.array(parents or [-1] * number),
        games=np.array(games, np.int64),
    )


def test_a_book_of_many_games_meets_each_opponent_with_more_arms():
    def books(games):
        return BookPortfolio(one_book(book_of_games([games])), one_book(book_of_games([games])))

    assert own_seeds(books(45_000)) == own_seeds(BookPortfolio(ORIGINAL, ORIGINAL)) == OWN_SEEDS
    assert own_seeds(books(4_000_000)) == 8_000_000 // 30_000
    assert own_seeds(books(100_000_000)) == 1024


def test_games_in_learning_are_counted_once():
    two_moves = book_of_games([600, 600, 500], states=[1, 1, 2], parents=[-1, -1, 0])
    assert two_moves.learnt == 600
    several_first_states = book_of_games([200, 300, 250], parents=[-1, -1, 1])
    assert several_first_states.learnt == 500
    assert Book.none().learnt == 0
    side = equal_mixture([book_of_games([5_000_000])] * 4)
    assert own_seeds(BookPortfolio(side, ORIGINAL)) == 5_000_000 // 30_000


@pytest.mark.parametrize("learner", [BookLearner(books=2), BookLearner(moves=6)])
def test_a_learnt_book_knows_its_games(learner):
    plays = learner.learn(session_for(load_program(*SMALL)), Budget(10_000)).plays
    assert 8_500 <= sum(plays[side].books[0].learnt for side in (0, 1)) <= 10_000


def test_games_in_learning_decide_how_many_arms_meet_an_opponent():
    session = session_for(load_program(*SMALL))
    plays = BookLearner().learn(session, Budget(20_000)).plays
    sides = [
        one_book(replace(each.books[0], games=each.books[0].games * 121))
        for each in (plays.first, plays.second)
    ]
    assert 17_000 <= sum(plays[side].books[0].learnt for side in (0, 1)) <= 20_000
    many = BookPortfolio(*sides)
    found = Evaluator.of(session, 17).evaluate(many, "book")
    assert found == evaluate_books(session, many, 17, own_seeds(many))
    assert own_seeds(many) > OWN_SEEDS
    assert found != evaluate_books(session, many, 17, OWN_SEEDS)
    few = Evaluator.of(session, 17).evaluate(plays, "book")
    assert few == evaluate_books(session, plays, 17, OWN_SEEDS)


class Recording(ThreadArena):
    kept: ClassVar[list[list[np.ndarray]]] = []

    def play(self, program, rows, columns):
        blocks = list(super().play(program, rows, columns))
        parts = ("rows", "columns", "results")
        self.kept.append([np.concatenate([getattr(b, part) for b in blocks]) for part in parts])
        yield from blocks


def test_where_games_are_slow_no_two_opponents_meet_the_same_arms_of_ours(monkeypatch):
    """Two arms for all opponents would be a sample of two: their error is not known."""

    def declared(name, **values):
        of = getattr(Program, name).fget
        monkeypatch.setattr(Program, name, property(lambda self: replace(of(self), **values)))

    declared("traits", slow=True)
    session = session_for(load_program(*SMALL), Recording(1))
    plays = BookPortfolio(ORIGINAL, ORIGINAL)
    found = evaluate_books(session, plays, 20)
    for colour, cells in enumerate(Recording.kept[-2:]):
        ours, theirs = cells[:2] if colour == 0 else cells[1::-1]
        success = cells[2] / 2 if colour == 0 else 1 - cells[2] / 2
        opponents, of, games = np.unique(theirs, return_inverse=True, return_counts=True)
        assert (len(opponents), set(games), len({*ours, *theirs})) == (20, {2}, 40 + 20)
        means = np.bincount(of, success) / 2
        estimate = (found.first, found.second)[colour][0]
        assert estimate.mean == pytest.approx(means.mean())
        assert estimate.error == pytest.approx(means.std(ddof=1) / sqrt(20))
    declared("arms", finite=True)
    listed = evaluate_books(session, plays, 20)
    assert all(isnan(each.error) for each in (*listed.success, *listed.first))
