"""What runs on each node of a cluster: an actor of Ray that plays blocks on all cores of its node.

Nothing here needs numba before the actor exists: it first sends numba's cache to a local disk.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena.handshake import sample_games, versions
from seedfolio.errors import CudaError, SeedfolioError

if TYPE_CHECKING:
    from seedfolio.arena.parcel import EngineParcel, Parcel, ProgramParcel
    from seedfolio.arena.processes import ProcessArena
    from seedfolio.engines.answers import Answer
    from seedfolio.engines.endings import GameRecord
    from seedfolio.engines.program import EngineProgram
    from seedfolio.players.program import Program

Seeds = NDArray[np.uint64]
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
class Failure:
    """An error that Seedfolio raised on purpose, as text: not every exception travels well."""

    kind: str
    text: str


class _DroppedError(Exception):
    """Nobody waits for this block any more."""


class RayWorker:
    """Plays on `cores` cores of a node, or on its GPU."""

    def __init__(self, cores: int, *, gpu: bool = False) -> None:
        self._folder = node_folder()
        os.environ.setdefault("NUMBA_CACHE_DIR", str(self._folder / "numba"))
        self._cores = cores
        self._threads = ThreadPoolExecutor(cores, thread_name_prefix="arena")
        self._gpu = threading.Lock() if gpu else None
        self._players: dict[str, _Player] = {}
        self._dropped = 0
        self._keeper: subprocess.Popen[bytes] | None = None

    def hello(self) -> dict[str, str]:
        """Return the versions here, before anything else is asked."""
        return versions()

    def prepare(self, parcel: Parcel) -> str | Failure:
        """Get ready for a program; return the digest of its sample games."""
        from seedfolio.arena.parcel import EngineParcel

        try:
            if isinstance(parcel, EngineParcel):
                return self._prepare_engine(parcel)
            return self._prepare_program(parcel)
        except SeedfolioError as error:
            return Failure(type(error).__name__, str(error))

    def play(
        self, number: int, order: Order, cells: tuple[Seeds, Seeds], more: Any = None
    ) -> Done | Failure | None:
        """Play block `number`; `more` has its books, or new answers of engines on other nodes.

        None if the block was dropped.
        """
        rows, columns = cells
        try:
            # Arrays of Ray are for reading only, which to numba is another type.
            player = self._players[order.key]
            return player.play(_Block(number, np.array(rows), np.array(columns)), order, more)
        except _DroppedError:
            return None
        except SeedfolioError as error:
            return Failure(type(error).__name__, str(error))

    def drop(self, last: int) -> None:
        """Play no block with a number up to `last` any further."""
        self._dropped = max(self._dropped, last)

    def _prepare_program(self, parcel: ProgramParcel) -> str:
        program = parcel.unpack(self._folder / "sources")
        self._players[parcel.key] = _ProgramPlayer(self._run, self._cores, program, self._gpu)
        return sample_games(program)

    def _prepare_engine(self, parcel: EngineParcel) -> str:
        from seedfolio.arena.processes import ProcessArena
        from seedfolio.engines.keeper import keep_engines

        if self._keeper is None:
            self._keeper = keep_engines()
        program = parcel.unpack(self._folder / "sources")
        arena = ProcessArena(
            program, games=self._cores, remember=parcel.remember, reuse=parcel.reuse
        )
        self._players[parcel.key] = _EnginePlayer(self._run, self._cores, arena)
        return sample_games(program, deterministic=parcel.deterministic)

    def _run(self, number: int, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Let a thread do one part of block `number`, unless the block is dropped by then."""

        def run() -> Any:
            if number <= self._dropped:
                raise _DroppedError
            return task(*arguments)

        return self._threads.submit(run)


@dataclass(frozen=True)
class _Block:
    number: int
    rows: Seeds
    columns: Seeds


Run = Callable[..., "Future[Any]"]


class _Player:
    def play(self, block: _Block, order: Order, more: Any) -> Done:
        raise NotImplementedError


class _ProgramPlayer(_Player):
    """Plays a built-in program."""

    def __init__(self, run: Run, cores: int, program: Program, gpu: threading.Lock | None) -> None:
        self._run, self._cores, self._gpu = run, cores, gpu
        self._program = program
        self._forms: dict[Order, Program] = {}
        self._booked: tuple[Order, Program] | None = None
        self._spaces: dict[int, list[NDArray[np.int32]]] = {}
        self._lock = threading.Lock()

    def play(self, block: _Block, order: Order, more: Any) -> Done:
        """Play on all cores, or on the GPU."""
        program, note = self._form(order, more), ""
        if (gpu := self._gpu) is not None:
            try:
                with gpu:
                    return _play_on_gpu(program, block)
            except CudaError as failure:
                note, self._gpu = f"{failure.problem}; its cores play instead", None
        parts = -(-len(block.rows) // max(1, min(len(block.rows), _PARTS * self._cores)))
        waiting = [
            self._run(block.number, self._play_part, program, block, slice(first, first + parts))
            for first in range(0, len(block.rows), parts)
        ]
        played = [each.result() for each in waiting]
        left = np.concatenate([each.left for each, _ in played]) if program.books else None
        results = np.concatenate([each.results for each, _ in played])
        return Done(results, sum(s for _, s in played) / self._cores, left, note=note)

    def _play_part(self, program: Program, block: _Block, part: slice) -> tuple[Any, float]:
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

    def _form(self, order: Order, words: NDArray[np.uint64] | None) -> Program:
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


def _play_on_gpu(program: Program, block: _Block) -> Done:
    from seedfolio.arena.cuda import CudaArena

    began = time.perf_counter()
    played = list(CudaArena().play(program, block.rows, block.columns))
    seconds = time.perf_counter() - began
    results = np.concatenate([each.results for each in played])
    noted = [each.left for each in played if each.left is not None]
    return Done(results, seconds, np.concatenate(noted) if noted else None)


class _EnginePlayer(_Player):
    """Plays an external engine."""

    def __init__(self, run: Run, cores: int, arena: ProcessArena) -> None:
        self._run, self._cores, self._arena = run, cores, arena

    def play(self, block: _Block, order: Order, more: Any) -> Done:
        """Play as many games at once as there are cores."""
        self._arena.learn(more or ())
        form = self._arena.form(order.repeats)
        waiting = [
            self._run(block.number, self._play_cell, *cell, form)
            for cell in zip(block.rows.tolist(), block.columns.tolist(), strict=True)
        ]
        played = [each.result() for each in waiting]
        results = [sum(record.points for record in records) for records, _ in played]
        return Done(
            np.array(results, np.uint8),
            sum(seconds for _, seconds in played) / self._cores,
            games=tuple(record for records, _ in played for record in records),
            answers=tuple(self._arena.new_answers()),
        )

    def _play_cell(
        self, row: int, column: int, form: EngineProgram
    ) -> tuple[list[GameRecord], float]:
        began = time.perf_counter()
        return self._arena.play_cell(row, column, form), time.perf_counter() - began


def node_folder() -> Path:
    """Return a folder on the local disk for what is compiled and sent here, for this user alone."""
    folder = Path(tempfile.gettempdir()) / f"seedfolio-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or folder.is_symlink():
        return Path(tempfile.mkdtemp(prefix="seedfolio-"))  # somebody else was there first
    return folder
