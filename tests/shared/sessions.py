"""Sessions in memory, and an arena and a progress that count."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block, Progress, Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session
from seedfolio.study.store import Study


def session_for(
    program: Playable, arena: Arena | None = None, progress: Progress | None = None
) -> Session:
    """A session of an empty study in memory; one thread plays unless an arena is given."""
    study = Study.temporary(program.identity())
    return Session(study, arena or ThreadArena(1), program, progress or Silent())


class Counting:
    """An arena that counts cells, and is interrupted before there are more than `most`."""

    def __init__(self, most: int = 10**9, block: int | None = None) -> None:
        self.cells, self.most = 0, most
        self._arena = ThreadArena(1) if block is None else ThreadArena(1, block=block)

    def play(
        self, program: Playable, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play as one thread does."""
        for block in self._arena.play(program, rows, columns):
            if self.cells + len(block.rows) > self.most:
                raise KeyboardInterrupt
            self.cells += len(block.rows)
            yield block


class Bar(Silent):
    """Progress that remembers its tasks, and how many games were done in all."""

    def __init__(self) -> None:
        self.tasks: list[tuple[str, int]] = []
        self.done = 0
        self.ended = 0

    def begin(self, task: str, total: int) -> None:
        """Remember a task."""
        self.tasks.append((task, total))

    def advance(self, cells: int) -> None:
        """Count games."""
        self.done += cells

    def end(self) -> None:
        """Count the tasks that ended."""
        self.ended += 1
