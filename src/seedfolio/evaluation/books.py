"""The success of books against unseen arms: each meets many fresh seeds of ours.

Success against an opponent is the mean over games in which our own arm, which decides where the
book ends, which symmetry it is played under and which book of several, is another one. What is left
of that luck is taken off before exploiters pick among opponents, see `mixture_successes`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Progress
from seedfolio.book.statistics import Words
from seedfolio.evaluation.exploiters import CRITERIA, both_colours, mixture_successes
from seedfolio.evaluation.unseen import Evaluation
from seedfolio.players.program import Program
from seedfolio.portfolios.book import ORIGINAL, MixedBook, packed
from seedfolio.study.arms import UNSEEN_SEEDS, UnseenArms

OWN_SEEDS = 64
"""How many arms of ours each opponent meets."""


def judge(
    program: Program,
    books: tuple[MixedBook, MixedBook],
    opponents: int,
    arena: Arena,
    progress: Progress,
    *,
    own: int = OWN_SEEDS,
) -> Evaluation:
    """Play the books of both colours against `opponents` unseen arms of the original."""
    arms = own_arms(own).seeds(), UnseenArms(0, opponents).seeds()
    playing = arena, progress
    first, second = (
        mixture_successes(success_of(program, books[colour], colour, *arms, *playing), CRITERIA)
        for colour in (0, 1)
    )
    success = tuple(both_colours(a, b) for a, b in zip(first, second, strict=True))
    return Evaluation((opponents, opponents), success, first, second)


def own_arms(count: int) -> UnseenArms:
    """Return arms for books to go on with: neither met in learning nor among the opponents."""
    return UnseenArms(len(UNSEEN_SEEDS) - count, count)


def success_of(
    program: Program,
    books: MixedBook,
    colour: int,
    ours: Words,
    theirs: Words,
    arena: Arena,
    progress: Progress,
) -> NDArray[np.float64]:
    """Return the success of the books of a colour with arms of ours (rows) against opponents.

    Both are arms that follow each other.
    """
    progress.begin("book against unseen", len(ours) * len(theirs))
    try:
        return played_success(program, books, colour, ours, theirs, arena, progress.advance)
    finally:
        progress.end()


def played_success(
    program: Program,
    books: MixedBook,
    colour: int,
    ours: Words,
    theirs: Words,
    arena: Arena,
    advance: Callable[[int], None],
) -> NDArray[np.float64]:
    """Do as `success_of` does, as part of something larger; `advance` is told of games played."""
    sides = [books, ORIGINAL] if colour == 0 else [ORIGINAL, books]
    booked = program.with_books(packed(sides))
    cells = np.repeat(ours, len(theirs)), np.tile(theirs, len(ours))
    matrix = np.empty((len(ours), len(theirs)))
    with closing(arena.play(booked, *(cells if colour == 0 else cells[::-1]))) as blocks:
        for block in blocks:
            mine, met = (block.rows, block.columns)[:: 1 if colour == 0 else -1]
            points = block.results / program.full
            at = (mine - ours[0]).astype(np.intp), (met - theirs[0]).astype(np.intp)
            matrix[at] = points if colour == 0 else 1 - points
            advance(len(block.rows))
    return matrix
