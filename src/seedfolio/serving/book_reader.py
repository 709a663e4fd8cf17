"""The books of a boosted external engine, as they are read while it is served."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.engines.interface import IllegalMoveError
from seedfolio.engines.play.book_side import looked_up
from seedfolio.engines.program import EngineProgram


@dataclass(frozen=True, eq=False)
class BookReader:
    """Looks up moves of both colours for one game."""

    program: EngineProgram
    words: NDArray[np.uint64]
    luck: int
    """64 random bits that draw among several books, or several moves at a state."""

    def move_after(self, played: Sequence[tuple[int, str]], colour: int) -> str | None:
        """Return the book's move for `colour` after these moves, each with its mover.

        None if the book has none: if it has ended, or if moves were not played in turn.
        """
        numbers: list[int] = []
        with closing(self.program.make_judge()) as judge:
            try:
                for mover, move in played:
                    if judge.mover != mover:
                        return None
                    numbers.append(judge.number(move))
                    judge.play(move, known=True)
                if judge.mover != colour:
                    return None
                planned = looked_up(self.words, colour, self.luck, numbers)
                return None if planned is None else judge.name(planned)
            except IllegalMoveError:
                return None
