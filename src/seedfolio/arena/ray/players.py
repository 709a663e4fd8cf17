"""What plays blocks on a node of a cluster: a built-in program, or an external engine.

As in `ray_worker`, nothing here needs numba before it is called.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import CudaError

if TYPE_CHECKING:
    from seedfolio.arena.processes import ProcessArena
    from seedfolio.engines.play.answers import Answer
    from seedfolio.engines.program import EngineProgram
    from seedfolio.engines.record import GameRecord
    from seedfolio.players.program import Program

Seeds = NDArray[np.uint64]
Words = NDArray[np.uint64] | None
"""Of books; None: without."""
_PARTS = 8
"""A block is played in this many parts for each thread, so that threads end together."""


@dataclass(frozen=True)
class Order:
    """What to play: a program that the worker has, in one of its forms."""

    key: str
    """Of the parcel."""
    repeats: int = 1
    turned: bool = False
    books: int | None = None
    """A number for the books of both colours; other books have another one."""
    proposing: bool = False
    """Whether the arms of an engine also tell what they would play in place of their books."""


@dataclass(frozen=True)
class Done:
    """A block that was played."""

    results: NDArray[np.uint8]
    seconds: float
    """How long the node would take for it if it had nothing else to do."""
    left: NDArray[np.uint64] | None = None
    games: tuple[GameRecord, ...] = ()
    answers: tuple[Answer, ...] = ()
    note: str = ""
    """What a user should know, such as that a GPU could not play."""


@dataclass(frozen=True)
class AskedBlock:
    """A block to play."""

    number: int
    rows: Seeds
    columns: Seeds
    answers: Sequence[Answer] = ()
    """Of an engine, from other nodes."""


Run = Callable[..., "Future[Any]"]
"""`run(number, task, ...)` lets a thread do a part of block `number`, see `RayWorker`."""


class BlockPlayer:
    """Plays blocks; several may come at once."""

    def play(self, block: AskedBlock, order: Order, words: Words) -> Done:
        """Play a block."""
        raise NotImplementedError


class ProgramPlayer(BlockPlayer):
    """Plays a built-in program."""

    def __init__(self, run: Run, cores: int, program: Program, gpu: threading.Lock | None) -> None:
        self._run, self._cores, self._gpu = run, cores, gpu
        self._program = program
        self._forms: dict[Order, Program] = {}
        self._booked: tuple[Order, Program] | None = None
        self._spaces: dict[int, list[NDArray[np.int32]]] = {}
        self._lock = threading.Lock()

    def play(self, block: AskedBlock, order: Order, words: Words) -> Done:
        """Play on all cores, or on the GPU."""
        program, note = self._form(order, words), ""
        if (gpu := self._gpu) is not None:
            with gpu:
                if self._gpu is not None:  # a block before this one may have failed
                    try:
                        return _play_on_gpu(program, block)
                    except CudaError as failure:
                        note, self._gpu = f"{failure.problem}; its cores play instead", None
        parts = -(-len(block.rows) // max(1, min(len(block.rows), _PARTS * self._cores)))
        waiting = [
            self._run(block.number, self._play_part, program, block, slice(first, first + parts))
            for first in range(0, len(block.rows), parts)
        ]
        played = _results(waiting)
        left = np.concatenate([each.left for each, _ in played]) if program.books else None
        results = np.concatenate([each.results for each, _ in played])
        return Done(results, sum(s for _, s in played) / self._cores, left, note=note)

    def _play_part(self, program: Program, block: AskedBlock, part: slice) -> tuple[Any, float]:
        began = time.perf_counter()
        size = program.bound.workspace
        with self._lock:
            spaces = self._spaces.setdefault(size, [])
            space = spaces.pop() if spaces else None
        space = program.workspace() if space is None else space
        try:
            played = program.play_noting(block.rows[part], block.columns[part], space)
        finally:
            with self._lock:
                spaces.append(space)
        return played, time.perf_counter() - began

    def _form(self, order: Order, words: Words) -> Program:
        """Return the program in the form that is asked for; what was compiled is used again."""
        with self._lock:
            plain = replace(order, books=None)
            if plain not in self._forms:
                form = replace(self._program, repeats=order.repeats, turned=order.turned)
                self._forms[plain] = form
                if order.books is None:
                    self._compile(form)
            if order.books is None:
                return self._forms[plain]
            if self._booked is None or self._booked[0] != order:
                base = self._forms[plain] if self._booked is None else self._booked[1]
                if self._booked is not None and replace(self._booked[0], books=None) != plain:
                    base = self._forms[plain]
                self._booked = order, base.with_books(np.array(words))
                self._compile(self._booked[1])
            return self._booked[1]

    def _compile(self, form: Program) -> None:
        """Compile now, on this thread alone."""
        if self._gpu is None:
            nothing = np.zeros(0, np.uint64)
            form.play(nothing, nothing, form.workspace())


def _results(waiting: list[Future[Any]]) -> list[Any]:
    """Return what all parts of a block return; one that fails ends those that have not begun."""
    try:
        return [each.result() for each in waiting]
    finally:
        for each in waiting:
            each.cancel()


def _play_on_gpu(program: Program, block: AskedBlock) -> Done:
    from seedfolio.arena.cuda.arena import CudaArena

    began = time.perf_counter()
    played = list(CudaArena().play(program, block.rows, block.columns))
    seconds = time.perf_counter() - began
    results = np.concatenate([each.results for each in played])
    noted = [each.left for each in played if each.left is not None]
    return Done(results, seconds, np.concatenate(noted) if noted else None)


class EnginePlayer(BlockPlayer):
    """Plays an external engine."""

    def __init__(self, run: Run, cores: int, program: EngineProgram, arena: ProcessArena) -> None:
        self._run, self._cores, self._program, self.arena = run, cores, program, arena

    def play(self, block: AskedBlock, order: Order, words: Words) -> Done:
        """Play as many games at once as there are cores."""
        self.arena.learn(block.answers)
        form = replace(self._program, repeats=order.repeats)
        if words is not None:
            books = np.array(words)
            form = form.studying(books) if order.proposing else form.with_books(books)
        waiting = [
            self._run(block.number, self._play_cell, *cell, form)
            for cell in zip(block.rows.tolist(), block.columns.tolist(), strict=True)
        ]
        played = _results(waiting)
        results = [sum(record.points for record in records) for records, _ in played]
        return Done(
            np.array(results, np.uint8),
            sum(seconds for _, seconds in played) / self._cores,
            games=tuple(record for records, _ in played for record in records),
            answers=tuple(self.arena.new_answers()),
        )

    def _play_cell(
        self, row: int, column: int, form: EngineProgram
    ) -> tuple[list[GameRecord], float]:
        began = time.perf_counter()
        return self.arena.play_cell(row, column, form), time.perf_counter() - began
