"""Several books of a colour, each learnt against the opponents that beat the others most.

The next book learns against those of a pool of training arms that an exploiter would pick: the
mixture so far does worst against them. Then all books meet fresh training arms, and the result is
the mixture that does best against an exploiter among these (see `learning.exploiter_objective`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.book.self_play import Experience, SelfPlay
from seedfolio.core.seeds import BOOK_HELD_BACK_SEEDS
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.portfolios.book import ORIGINAL, Book, MixedBook, one_book, packed

FEARED = 4
"""One in 4 of a pool is an opponent of the next book."""
_LARGEST_POOL = 1024
_SMALLEST_POOL = 32
_OWN = 16
"""Games of each book against each arm of a pool."""
_MEASURING = 4
"""Measuring takes at most one in 4 games of a book."""


def pool_size(budget: int) -> int:
    """Return how many training arms a pool has if each book has `budget` games in all."""
    affordable = budget // (_MEASURING * measuring_games(1))
    return max(_SMALLEST_POOL, min(_LARGEST_POOL, affordable))


def measuring_games(pool: int) -> int:
    """Return how many games it takes to measure a book of each colour against both pools."""
    return 2 * 2 * pool * _OWN


def mixed_books(
    play: SelfPlay, learn: Callable[[SelfPlay, int], Experience], books: int, pool: int
) -> tuple[tuple[MixedBook, MixedBook], int]:
    """Return mixtures of `books` books; `learn` learns each, by its number.

    One pool finds the opponents of the next book. Another weighs the books, as a book is better
    against arms that it has learnt from. Also return how many games all this took.
    """
    first = BOOK_HELD_BACK_SEEDS.start
    seeds = np.arange(first, first + 2 * pool, dtype=np.uint64)
    found: list[list[Book]] = [[], []]
    success: list[list[NDArray[np.float64]]] = [[], []]
    mixtures = [ORIGINAL, ORIGINAL]
    games = 0
    for number in range(books):
        chosen = play
        if number > 0:
            worst = [
                _feared(np.average(each, axis=0, weights=weights)[:pool])
                for each, weights in zip(success, _weights_of_all(found, mixtures), strict=True)
            ]
            chosen = replace(play, opponents=(seeds[worst[0]], seeds[worst[1]]))
        experience = learn(chosen, number)
        games += experience.games + measuring_games(pool)
        for colour, book in enumerate(chosen.books(experience)):
            found[colour].append(book)
            success[colour].append(_success(play, one_book(book), colour, seeds))
            mixtures[colour] = _mixed(found[colour], np.array(success[colour])[:, pool:])
    return (mixtures[0], mixtures[1]), games


def _feared(success: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return which of a pool are the next book's opponents: those with the least success."""
    return np.argsort(success, kind="stable")[: max(1, len(success) // FEARED)]


def _weights_of_all(found: list[list[Book]], mixtures: list[MixedBook]) -> list[list[float]]:
    """Return the weight of every book, 0 for those that are not in the mixture."""
    return [
        [
            sum(w for w, kept in zip(mixture.weights, mixture.books, strict=True) if kept is book)
            for book in books
        ]
        for books, mixture in zip(found, mixtures, strict=True)
    ]


def _mixed(books: list[Book], success: NDArray[np.float64]) -> MixedBook:
    points = np.rint(success * 2 * _OWN).astype(np.uint8)
    weights = ExploiterObjective().weigh(points, 2 * _OWN, key=0).weights
    kept = np.flatnonzero(weights > 0)
    chosen = weights[kept] / weights[kept].sum()
    return MixedBook(tuple(books[k] for k in kept), tuple(float(each) for each in chosen))


def _success(
    play: SelfPlay, side: MixedBook, colour: int, seeds: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Return the success of books of a colour against each of the arms."""
    both = [side, ORIGINAL] if colour == 0 else [ORIGINAL, side]
    program = play.program.with_books(packed(both, symmetric=play.symmetric))
    own = seeds[-1] + np.arange(1, _OWN * len(seeds) + 1, dtype=np.uint64)
    cells = own, np.tile(seeds, _OWN)
    points = np.zeros(len(seeds))
    with closing(play.session.play_as(colour, *cells, program)) as blocks:
        for block in blocks:
            theirs = block.columns if colour == 0 else block.rows
            scored = block.results if colour == 0 else 2 - block.results
            np.add.at(points, (theirs - seeds[0]).astype(np.intp), scored)
    return points / (2 * _OWN)
