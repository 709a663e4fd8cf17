"""Which of several books to play, and how often: measured in games.

An opponent who beats one book does not beat the others, if they were learnt apart. So a mixture is
harder to exploit than any of its books, the more so the more there are; the books of larger pools
are stronger, and soft ones play more lines (see `pools`). All of them play training arms that
learning has not met, and the weights are those that do best against an exploiter who picks among
some of these arms, see `learning.exploiter_objective`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.pools import Candidates, candidates
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
_SOFTLY = 4
"""A soft book plays many lines. So each opponent meets it with this many times as many of our arms:
fewer would look like a spread between opponents."""


@dataclass(frozen=True)
class Measuring:
    """How books are measured: `own` of our arms meet each of `opponents`; 0 and 0: not at all."""

    own: int
    opponents: int
    books: int
    """How many books of each colour are measured, each soft one counted `_SOFTLY` times."""

    @classmethod
    def of(cls, budget: int, books: int) -> Measuring:
        """Return how to measure books that are learnt in a budget of games."""
        plain, soft = Candidates.count(books)
        measured = plain + _SOFTLY * soft
        cells = budget // _SHARE // (2 * measured)
        own = min(_MOST_OWN, cells // _FEWEST_OPPONENTS)
        if books == 1 or own < _FEWEST_OWN:
            return cls(0, 0, measured)
        return cls(own, min(_MOST_OPPONENTS, cells // own), measured)

    @property
    def games(self) -> int:
        """How many games it takes."""
        return 2 * self.books * self.own * self.opponents


def mixed_books(
    play: SelfPlay, experience: Experience, measuring: Measuring, exploiters: int
) -> BookPortfolio:
    """Return all books, mixed as does best against an exploiter among `exploiters`.

    With too few games to measure, the books that were learnt are mixed equally.
    """
    sides = [candidates(side, experience.caution) for side in experience.colours]
    if measuring.games == 0:
        first, second = (equal_mixture(_met(play, each.learnt)) for each in sides)
        return BookPortfolio(first, second, play.symmetric, play.behind)
    with play.session.task("books to mix", measuring.games):
        first, second = (
            _weighed(play, colour, each, measuring, exploiters) for colour, each in enumerate(sides)
        )
    return BookPortfolio(first, second, play.symmetric, play.behind)


def _met(play: SelfPlay, books: list[Book]) -> list[Book]:
    """Return the books with the arms that their own arms met in learning."""
    return [replace(each, opponents=play.program.book_arms(each.arms)[1]) for each in books]


def _weighed(
    play: SelfPlay, colour: int, found: Candidates, measuring: Measuring, exploiters: int
) -> MixedBook:
    plain, soft = _met(play, found.learnt + found.pooled), _met(play, found.soft)
    points = [_points(play, colour, each, measuring, 1) for each in plain]
    points += [_points(play, colour, each, measuring, _SOFTLY) for each in soft]
    full, books = 2 * measuring.own, plain + soft
    weights = ExploiterObjective(exploiters).weigh(np.array(points), full, key=0).weights
    kept = np.flatnonzero(weights > 0)
    chosen = weights[kept] / weights[kept].sum()
    return MixedBook(tuple(books[k] for k in kept), tuple(float(each) for each in chosen))


def _points(
    play: SelfPlay, colour: int, book: Book, measuring: Measuring, times: int
) -> NDArray[np.uint8]:
    """Return the half points of a book against each opponent, in `measuring.own` games.

    They are rounded where it plays `times` as many.
    """
    first = BOOK_HELD_BACK_SEEDS.start
    theirs = np.arange(first, first + measuring.opponents, dtype=np.uint64)
    ours = theirs[-1] + np.arange(1, times * measuring.own + 1, dtype=np.uint64)
    sides = (one_book(book), ORIGINAL)[:: 1 if colour == 0 else -1]
    plays = BookPortfolio(sides[0], sides[1], play.symmetric)
    success = book_success(play.session, plays, colour, ours, theirs)
    return np.rint(2 * success.sum(axis=0) / times).astype(np.uint8)
