"""Several books of a colour, each made for the opponents that the others fear most.

The next book is learnt against those opponents of a pool of training seeds against whom the
mixture so far does worst: what an exploiter would pick. Then all books meet fresh training seeds,
and the mixture that does best against an exploiter among these is taken (see
`learning.exploiter_objective`).
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.book import ORIGINAL, Book, MixedBook, one_book, packed
from seedfolio.book.learning import Learning, Teacher, learn
from seedfolio.learning.exploiter_objective import ExploiterObjective

POOL = 1024
"""Training seeds among which the worst opponents are looked for."""
FEARED = 4
"""One in so many of them is an opponent of the next book."""
_OWN = 16
"""Games of each book against each of the pool."""


def mixed_books(
    teacher: Teacher, learnt: Learning, books: int, budget: int, smallest: int
) -> tuple[tuple[MixedBook, MixedBook], int]:
    """Return mixtures of `books` books, the first learnt already, the others from `budget` games.

    Return the games of all learning and measuring, too.
    """
    found = [[book] for book in teacher.books(learnt)]
    games = learnt.games
    mixtures = [one_book(found[colour][0]) for colour in (0, 1)]
    for _ in range(1, books):
        feared = []
        for colour in (0, 1):
            pool = np.arange(games, games + POOL, dtype=np.uint64)
            games += POOL
            success = _success(teacher, [mixtures[colour]], colour, pool)[0]
            feared.append(pool[np.argsort(success, kind="stable")[: POOL // FEARED]])
            games += POOL * _OWN
        against = replace(teacher, opponents=(feared[0], feared[1]))
        begun = Learning.begin(learnt.caution, first_seed=games)
        learning = learn(against, begun, budget, smallest, lambda _: True)
        games += learning.games
        for colour, book in enumerate(against.books(learning)):
            found[colour].append(book)
            pool = np.arange(games, games + POOL, dtype=np.uint64)
            sides = [one_book(book) for book in found[colour]]
            scores = _success(teacher, sides, colour, pool)
            games += POOL + len(sides) * POOL * _OWN
            mixtures[colour] = _mixed(found[colour], scores)
    return (mixtures[0], mixtures[1]), games


def _mixed(books: list[Book], success: NDArray[np.float64]) -> MixedBook:
    points = np.rint(success * 2 * _OWN).astype(np.uint8)
    weights = ExploiterObjective().learn(points, 2 * _OWN, key=0).weights
    kept = np.flatnonzero(weights > 0)
    chosen = weights[kept] / weights[kept].sum()
    return MixedBook(tuple(books[k] for k in kept), tuple(float(each) for each in chosen))


def _success(
    teacher: Teacher, sides: list[MixedBook], colour: int, pool: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Return the success of each side (rows) against each of the pool (columns)."""
    rows = []
    own = np.repeat(np.arange(_OWN, dtype=np.uint64), len(pool)) * np.uint64(POOL) + pool[0]
    for side in sides:
        both = [side, ORIGINAL] if colour == 0 else [ORIGINAL, side]
        program = teacher.program.with_books(packed(both, symmetric=teacher.symmetric))
        cells = own, np.tile(pool, _OWN)
        points = np.zeros(len(pool))
        with closing(teacher.arena.play(program, *cells[:: 1 if colour == 0 else -1])) as blocks:
            for block in blocks:
                theirs = block.columns if colour == 0 else block.rows
                scored = block.results if colour == 0 else 2 - block.results
                np.add.at(points, (theirs - pool[0]).astype(np.intp), scored)
        rows.append(points / (2 * _OWN))
    return np.array(rows)
