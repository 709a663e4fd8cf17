"""Who plays the cells: threads here; other backends behind the same interface."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Block:
    """Cells that have been played: parallel arrays of seeds and half points of the first player."""

    rows: NDArray[np.uint64]
    columns: NDArray[np.uint64]
    results: NDArray[np.uint8]
    left: NDArray[np.uint64] | None = None
    """With books: where each colour left them, as in `players.program.Played`."""
    proposed: NDArray[np.uint64] | None = None
    """What arms would have played in place of their books, if they were asked. For each: colour,
    state, the number of the move + 1, the last state before it in the book, the move there + 1, and
    the arm."""


class Arena(Protocol):
    """Plays cells of the kind of program that it is made for.

    The contract of every arena:

    - Every cell comes once, in a block; blocks come in any order. No cells, no blocks.
    - Results depend on the cells alone: not on how they are cut into blocks, nor on who plays.
    - The caller may write into the results of a block.
    - The caller may stop early, by closing the generator. Whatever is under way is then dropped,
      and the arena can play again.
    - What cannot be played is one SeedfolioError.
    """

    def play(
        self, program: Any, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish."""
        ...


class Progress(Protocol):
    """Receives how far a long job is."""

    def begin(self, task: str, total: int) -> None:
        """Start on a task of `total` cells."""
        ...

    def advance(self, cells: int) -> None:
        """Note that `cells` more are done and safe."""
        ...

    def end(self) -> None:
        """Finish the task, whether or not it was completed."""
        ...

    def at_work(self, who: str) -> None:
        """Note who plays now: `2 nodes, 16 cores`. Only a cluster says so."""
        ...


@runtime_checkable
class WholeJob(Protocol):
    """Progress that also shows how far the whole job is, over all its tasks."""

    def expect(self, total: int, text: str) -> None:
        """Note about how many cells the job has, before its first task; `text` is for people."""
        ...


def no_note(text: str) -> None:
    """Take a line on what happens, and show it to nobody."""


class Silent:
    """Progress that shows nothing."""

    def begin(self, task: str, total: int) -> None:
        """Start on a task."""

    def advance(self, cells: int) -> None:
        """Note that cells are done."""

    def end(self) -> None:
        """Finish the task."""

    def at_work(self, who: str) -> None:
        """Note who plays."""


@dataclass(frozen=True)
class Run:
    """Where games are played, and what hears of them. Nothing here changes a result."""

    arena: str | Arena = "auto"
    """An arena, or the name of one."""
    threads: int | None = None
    """Number of threads; of external engines, the number of games at once. None: all cores."""
    address: str | None = None
    """Of the cluster, if that is the arena."""
    progress: Progress = field(default_factory=Silent)
    note: Callable[[str], None] = no_note
    """Receives a line on what happens."""
