"""The success of books against unseen arms: each meets many fresh arms of ours.

Success against an opponent is the mean over games with different arms of ours. Our arm plays on
where the book ends, and decides on the symmetry and on one of several books. The mean still has
some luck of these arms; it is removed before exploiters pick among opponents, see
`mixture_successes`.

That takes off too little where opponents fall into groups, as the distance of the groups looks like
a large spread in which luck is a small part. Against some groups a book of many games wins always,
so that with few arms exploiters look stronger than they are. Such a book meets more of our arms.

Where games are slow, two of our arms meet an opponent. Two are no sample of what our arms have: so
no two opponents meet the same ones, and the error over the opponents is that over our arms, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from math import nan

import numpy as np
from numpy.typing import NDArray

from seedfolio.evaluation.against_each import Sides
from seedfolio.evaluation.estimate import Evaluation
from seedfolio.evaluation.exploiters import CRITERIA, apart_successes, mixture_successes
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio, Words
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import UnseenArms
from seedfolio.study.session import Session

OWN_SEEDS = 64
"""How many of our arms each opponent meets, if the book was learnt from few games."""
SLOW_OWN_SEEDS = 2
"""The same where games are slow: then more opponents tell more."""
MOST_OWN_SEEDS = 1024
"""The same if the book was learnt from many games."""
_LEARNT_FOR_ONE = 30_000
"""Games in learning for each of our arms: with 300 opponents, 50 for each game of evaluation."""


def evaluate_books(
    session: Session,
    plays: BookPortfolio,
    opponents: int,
    own: int | None = None,
    *,
    first: int = 0,
    criteria: Sequence[int] = CRITERIA,
) -> Evaluation:
    """Play the books of both colours against `opponents` unseen arms of the original, from `first`.

    Each meets `own` of our arms; None: as many as `own_seeds` says, or where games are slow two
    that meet no other. A finite list has too few arms for that: the error is then unknown.
    """
    program = session.program
    few = own is None and program.traits.slow
    apart = few and not program.arms.finite
    own = own if own is not None else SLOW_OWN_SEEDS if few else own_seeds(plays)
    ours = own_arms(program, own * opponents if apart else own, first).seeds()
    theirs = UnseenArms(first, opponents).seeds()
    task = "book again against unseen" if first else "book against unseen"
    with session.task(task, 2 * own * opponents):
        matrices = [
            book_success(session, plays, colour, ours, theirs, apart=apart) for colour in (0, 1)
        ]
    score = apart_successes if apart else mixture_successes
    sides = [score(matrix, criteria) for matrix in matrices]
    if few and not apart:
        sides = [tuple(replace(each, error=nan, sample=None) for each in side) for side in sides]
    met = opponents, opponents
    found = Evaluation.of(sides[0], sides[1], met, traits=program.traits)
    each = Sides.of(program, [theirs] * 2)
    if each is None:
        return found
    if apart:
        return each.of_portfolio(found, [matrix.mean(axis=0) for matrix in matrices])
    return each.of_arms(found, matrices)


def books_before_arms(
    session: Session, plays: BookPortfolio, behind: Portfolio, unseen: UnseenArms
) -> list[NDArray[np.float64]]:
    """Return the success of each arm behind the books (rows) against unseen arms, by colour."""
    theirs, success = unseen.seeds(), []
    games = sum(len(behind[colour].arms) for colour in (0, 1)) * len(theirs)
    with session.task("book against unseen", games):
        for colour in (0, 1):
            rows = [
                book_success(session, plays, colour, np.array([arm], np.uint64), theirs)
                for arm in behind[colour].arms
            ]
            success.append(np.concatenate(rows))
    return success


def own_seeds(plays: BookPortfolio) -> int:
    """Return how many of our arms should meet each opponent."""
    # Books learnt side by side all have the games of their pool.
    learnt = sum(max((each.learnt for each in plays[side].books), default=0) for side in (0, 1))
    return own_seeds_for(learnt)


def own_seeds_for(learnt: int) -> int:
    """Return the same for books learnt from a number of games."""
    return max(OWN_SEEDS, min(MOST_OWN_SEEDS, learnt // _LEARNT_FOR_ONE))


def own_arms(program: Playable, count: int, before: int = 0) -> UnseenArms:
    """Return arms that play on after a book: none met in learning, nor an opponent if many are.

    They are the last ones `before` the first opponent, or of all if that is 0.
    """
    return UnseenArms((before or program.arms.unseen) - count, count)


def book_success(
    session: Session,
    plays: BookPortfolio,
    colour: int,
    ours: Words,
    theirs: Words,
    *,
    apart: bool = False,
) -> NDArray[np.float64]:
    """Return the success of the books of a colour with our arms (rows) against opponents.

    Both are consecutive arms. With `apart` our arms are shared out, and each opponent has its own
    rows. The session's progress advances by each game.
    """
    sides = (plays.first, ORIGINAL) if colour == 0 else (ORIGINAL, plays.second)
    books = BookPortfolio(*sides, symmetric=plays.symmetric)
    program = session.program.for_books.with_books(books.words())
    theirs = program.opposing(theirs, 1 - colour)
    rows = len(ours) // len(theirs) if apart else len(ours)
    mine = ours if apart else np.tile(ours, len(theirs))
    matrix = np.empty((rows, len(theirs)))
    with closing(session.play_as(colour, mine, np.repeat(theirs, rows), program)) as blocks:
        for block in blocks:
            mine, met = (block.rows, block.columns)[:: 1 if colour == 0 else -1]
            points = block.results / program.full
            at = (mine - ours[0]).astype(np.intp) % rows, (met - theirs[0]).astype(np.intp)
            matrix[at] = points if colour == 0 else 1 - points
            session.progress.advance(len(block.rows))
    return matrix
