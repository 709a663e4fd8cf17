"""What runs on each node of a cluster: an actor of Ray that plays blocks on all cores of its node.

Nothing here needs numba before the actor exists: it first sends numba's cache to a local disk.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seedfolio.arena.ray.handshake import sample_games, versions
from seedfolio.arena.ray.players import (
    AskedBlock,
    BlockPlayer,
    Done,
    EnginePlayer,
    Order,
    ProgramPlayer,
    Seeds,
    Words,
)
from seedfolio.errors import SeedfolioError

if TYPE_CHECKING:
    from seedfolio.arena.ray.package import EngineParcel, Parcel, ProgramParcel
    from seedfolio.engines.play.answers import Answer


@contextmanager
def signals_pass() -> Iterator[None]:
    """Let an interrupt pass that arrives inside of Ray's compiled code, which makes an error of it.

    Only what ends the process is no Exception: KeyboardInterrupt, and what SIGTERM raises.
    """
    try:
        yield
    except SystemError as error:
        cause = error.__cause__ or error.__context__
        if cause is None or isinstance(cause, Exception):
            raise
        raise cause from None


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
        self._players: dict[str, BlockPlayer] = {}
        self._dropped = 0
        self._keeper: subprocess.Popen[bytes] | None = None

    def hello(self) -> dict[str, str]:
        """Return the versions here, before anything else is asked."""
        return versions()

    def prepare(self, parcel: Parcel) -> str | Failure:
        """Get ready for a program; return the digest of its sample games."""
        from seedfolio.arena.ray.package import EngineParcel

        try:
            if isinstance(parcel, EngineParcel):
                return self._prepare_engine(parcel)
            return self._prepare_program(parcel)
        except SeedfolioError as error:
            return Failure(type(error).__name__, str(error))

    def play(
        self,
        number: int,
        order: Order,
        cells: tuple[Seeds, Seeds],
        words: Words = None,
        answers: Sequence[Answer] = (),
    ) -> Done | Failure | None:
        """Play block `number`, with the words of its books and new answers from other nodes.

        None if the block was dropped.
        """
        rows, columns = cells
        try:
            # Arrays of Ray are for reading only, which to numba is another type.
            block = AskedBlock(number, np.array(rows), np.array(columns), answers)
            return self._players[order.key].play(block, order, words)
        except _DroppedError:
            return None
        except SeedfolioError as error:
            return Failure(type(error).__name__, str(error))

    def drop(self, last: int) -> None:
        """Play no block with a number up to `last` any further."""
        self._dropped = max(self._dropped, last)

    def _prepare_program(self, parcel: ProgramParcel) -> str:
        program = parcel.unpack(self._folder / "sources")
        self._players[parcel.key] = ProgramPlayer(self._run, self._cores, program, self._gpu)
        return sample_games(program)

    def _prepare_engine(self, parcel: EngineParcel) -> str:
        from seedfolio.arena.processes import ProcessArena
        from seedfolio.engines.protocols.process import keep_engines

        if self._keeper is None:
            self._keeper = keep_engines()
        before = self._players.pop(parcel.key, None)
        if isinstance(before, EnginePlayer):
            before.arena.close()
        program = parcel.unpack(self._folder / "sources")
        arena = ProcessArena(
            program, games=self._cores, remember=parcel.remember, reuse=parcel.reuse
        )
        self._players[parcel.key] = EnginePlayer(self._run, self._cores, program, arena)
        return sample_games(program, deterministic=parcel.deterministic)

    def _run(self, number: int, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Let a thread do one part of block `number`, unless the block is dropped by then."""

        def run() -> Any:
            if number <= self._dropped:
                raise _DroppedError
            return task(*arguments)

        return self._threads.submit(run)


def node_folder() -> Path:
    """Return a folder on the local disk for what is compiled and sent here, for this user alone."""
    folder = Path(tempfile.gettempdir()) / f"seedfolio-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or folder.is_symlink():
        return Path(tempfile.mkdtemp(prefix="seedfolio-"))  # somebody else was there first
    return folder
