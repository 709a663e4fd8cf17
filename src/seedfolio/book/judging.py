"""The success of books against unseen arms: each meets many fresh seeds of ours.

Success against an opponent is the mean over games in which our own arm, which decides where the
book ends, which symmetry it is played under and which book of several, is another one. What is left
of that luck is taken off before exploiters pick among opponents, see `mixture_success`.
"""

from __future__ import annotations

from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Progress
from seedfolio.book.book import ORIGINAL, MixedBook, packed
from seedfolio.evaluation.exploiters import CRITERIA, Estimate, both_colours, mixture_success
from seedfolio.evaluation.unseen import Evaluation
from seedfolio.players.program import Program
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
    symmetric: bool = True,
) -> Evaluation:
    """Play the books of both colours against `opponents` unseen arms of the original."""
    each = [
        _success(program, books, colour, opponents, arena, progress, own, symmetric)
        for colour in (0, 1)
    ]
    first, second = (tuple(mixture_success(matrix, k) for k in CRITERIA) for matrix in each)
    success: tuple[Estimate, ...] = tuple(
        both_colours(a, b) for a, b in zip(first, second, strict=True)
    )
    return Evaluation((opponents, opponents), success, first, second)


def _success(
    program: Program,
    books: tuple[MixedBook, MixedBook],
    colour: int,
    opponents: int,
    arena: Arena,
    progress: Progress,
    own: int,
    symmetric: bool,
) -> NDArray[np.float64]:
    """Return the success of our arms (rows) against unseen arms (columns)."""
    unseen = UnseenArms(0, opponents).seeds()
    # Neither met in learning nor among the opponents.
    ours = UnseenArms(len(UNSEEN_SEEDS) - own, own).seeds()
    sides = [ORIGINAL, ORIGINAL]
    sides[colour] = books[colour]
    booked = program.with_books(packed(sides, symmetric=symmetric))
    cells = np.repeat(ours, opponents), np.tile(unseen, own)
    matrix = np.empty((own, opponents))
    progress.begin("book against unseen", own * opponents)
    try:
        with closing(arena.play(booked, *(cells if colour == 0 else cells[::-1]))) as blocks:
            for block in blocks:
                mine, theirs = (block.rows, block.columns)[:: 1 if colour == 0 else -1]
                points = block.results / program.full
                at = (mine - ours[0]).astype(np.intp), (theirs - unseen[0]).astype(np.intp)
                matrix[at] = points if colour == 0 else 1 - points
                progress.advance(len(block.rows))
    finally:
        progress.end()
    return matrix
