"""Which of several books to play, and how often: measured in games.

An opponent who beats one book does not beat the others, if they were learnt apart. So a mixture is
harder to exploit than any of its books, the more so the more there are; and the books of larger
pools are stronger (see `pools`). All of them play training arms that learning has not met, and the
weights are those that do best against an exploiter who picks among some of these arms, see
`learning.exploiter_objective`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.move_variety import ONE_MOVE, MoveVariety
from seedfolio.book.pools import count_pools, pooled_books
from seedfolio.book.self_play import Experience, SelfPlay
from seedfolio.core.seeds import BOOK_HELD_BACK_SEEDS
from seedfolio.evaluation.books import book_success
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.portfolios.book import (
    ORIGINAL,
    Book,
    BookPortfolio,
    MixedBook,
    equal_mixture,
    one_book,
)

_SHARE = 10
"""At most one game in 10 is for measuring."""
_FEWEST_OWN, _MOST_OWN = 8, 64
"""Our arms that each opponent meets; with fewer the difference would not show."""
_FEWEST_OPPONENTS, _MOST_OPPONENTS = 64, 512


@dataclass(frozen=True)
class Measuring:
    """How books are measured: `own` of our arms meet each of `opponents`; 0 and 0: not at all."""

    own: int
    opponents: int
    books: int
    """How many books of each colour are measured."""

    @classmethod
    def of(cls, budget: int, books: int) -> Measuring:
        """Return how to measure books that are learnt in a budget of games."""
        pools = count_pools(books)
        cells = budget // _SHARE // (2 * pools)
        own = min(_MOST_OWN, cells // _FEWEST_OPPONENTS)
        if books == 1 or own < _FEWEST_OWN:
            return cls(0, 0, pools)
        return cls(own, min(_MOST_OPPONENTS, cells // own), pools)

    @property
    def games(self) -> int:
        """How many games it takes."""
        return 2 * self.books * self.own * self.opponents


def mixed_books(
    play: SelfPlay,
    experience: Experience,
    measuring: Measuring,
    exploiters: int,
    variety: MoveVariety = ONE_MOVE,
) -> BookPortfolio:
    """Return the books of all pools, mixed as does best against an exploiter among `exploiters`.

    With too few games to measure, the books that were learnt are mixed equally.
    """
    sides = [
        [_met(play, book) for book in pooled_books(side, experience.caution, variety)]
        for side in experience.colours
    ]
    if measuring.games == 0:
        first, second = (
            equal_mixture(books[: len(side)])
            for books, side in zip(sides, experience.colours, strict=True)
        )
        return BookPortfolio(first, second, play.symmetric, play.behind)
    with play.session.task("books to mix", measuring.games):
        first, second = (
            _weighed(books, _points(play, books, colour, measuring), measuring, exploiters)
            for colour, books in enumerate(sides)
        )
    return BookPortfolio(first, second, play.symmetric, play.behind)


def _met(play: SelfPlay, book: Book) -> Book:
    """Return the book with the arms that its own arms met in learning."""
    return replace(book, opponents=play.program.book_arms(book.arms)[1])


def _points(
    play: SelfPlay, books: list[Book], colour: int, measuring: Measuring
) -> NDArray[np.uint8]:
    """Return the half points of each book against each opponent, all games together."""
    first = BOOK_HELD_BACK_SEEDS.start
    theirs = np.arange(first, first + measuring.opponents, dtype=np.uint64)
    ours = theirs[-1] + np.arange(1, measuring.own + 1, dtype=np.uint64)
    points = []
    for book in books:
        sides = (one_book(book), ORIGINAL)[:: 1 if colour == 0 else -1]
        plays = BookPortfolio(sides[0], sides[1], play.symmetric)
        success = book_success(play.session, plays, colour, ours, theirs)
        points.append(np.rint(2 * success.sum(axis=0)).astype(np.uint8))
    return np.array(points)


def _weighed(
    books: list[Book], points: NDArray[np.uint8], measuring: Measuring, exploiters: int
) -> MixedBook:
    weights = ExploiterObjective(exploiters).weigh(points, 2 * measuring.own, key=0).weights
    kept = np.flatnonzero(weights > 0)
    chosen = weights[kept] / weights[kept].sum()
    return MixedBook(tuple(books[k] for k in kept), tuple(float(each) for each in chosen))
