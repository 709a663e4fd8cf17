"""Success on unseen arms, computed again from the games."""

import numpy as np
import pytest
from sessions import Counting, session_for

from seedfolio.core.seeds import turned_arm
from seedfolio.evaluation.best_response import best_response_success, exact_success
from seedfolio.evaluation.books import OWN_SEEDS, evaluate_books
from seedfolio.evaluation.exploiters import (
    CRITERIA,
    exploiter_success,
    fixed_arm_successes,
    mixture_successes,
)
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import Evaluator, arm_success
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.load import load_program
from seedfolio.study.arms import TrainingArms, UnseenArms

NIM = load_program("nim", "table")
PORTFOLIO = Portfolio(Distribution((4, 9), (0.25, 0.75)), Distribution((7,), (1.0,)))


def by_hand(program, arms, opponents, colour):
    """The success of each arm against each of so many unseen arms."""
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


def test_books_are_evaluated_as_books_and_nothing_else_is():
    session = session_for(NIM)
    evaluator = Evaluator.of(session, 17)
    books = BookPortfolio(ORIGINAL, ORIGINAL)
    assert evaluator.evaluate(books, "book") == evaluate_books(session, books, 17, OWN_SEEDS)
    assert session.study.count() == 0
    with pytest.raises(TypeError, match="neither a portfolio nor books"):
        evaluator.evaluate("nash", "nash")


def test_the_exact_success_is_there_where_it_can_be_computed():
    assert exact_success(NIM, PORTFOLIO) == best_response_success(NIM, PORTFOLIO)
    assert exact_success(NIM, BookPortfolio(ORIGINAL, ORIGINAL)) is None
    assert exact_success(load_program("domineering:7x7"), PORTFOLIO) is None
    small = load_program("phantom-tic-tac-toe", "table")
    turned = Distribution((turned_arm(3, 1),), (1.0,))
    assert exact_success(small, Portfolio(turned, turned)) is None
