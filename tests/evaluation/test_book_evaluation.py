"""How many of our arms meet each opponent of a book, and why it matters."""

from dataclasses import replace
from math import isnan, sqrt
from typing import ClassVar

import numpy as np
import pytest
from sessions import session_for

from seedfolio.arena.threads import ThreadArena
from seedfolio.evaluation.books import OWN_SEEDS, evaluate_books, own_seeds
from seedfolio.evaluation.unseen import Evaluator
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.learner import Budget
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import ORIGINAL, Book, BookPortfolio, equal_mixture, one_book
from seedfolio.programs.load import load_program

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
    """An arena that keeps the cells of each call: rows, columns and results."""

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
