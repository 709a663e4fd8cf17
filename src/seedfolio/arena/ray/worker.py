"""What runs on the nodes of a cluster: a task of Ray that plays a block on one core or GPU.

Nothing here needs numba before the first block: the task first sends numba's cache to a local disk.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import CudaError, EngineError, SeedfolioError
from seedfolio.version import __version__

if TYPE_CHECKING:
    from seedfolio.arena import Arena, Block
    from seedfolio.arena.ray.package import EngineParcel, ProgramParcel
    from seedfolio.engines.play.answers import Answer
    from seedfolio.engines.program import EngineProgram
    from seedfolio.engines.record import GameRecord
    from seedfolio.players.program import Program

Seeds = NDArray[np.uint64]
_PACKAGES = ("numpy", "numba", "llvmlite")
"""Packages that make compiled code, besides Seedfolio."""
_SAMPLE_MOVES = 8
"""How many moves of an engine are compared: a whole game may take minutes."""


class Player(Protocol):
    """Plays blocks on a node."""

    @property
    def digest(self) -> str:
        """A digest of sample games."""
        ...

    def play(
        self,
        order: Order,
        rows: Seeds,
        columns: Seeds,
        *,
        words: Seeds | None,
        told: Sequence[Told],
        gpu: bool,
    ) -> Done:
        """Play a block on one core, or on the GPU."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...


class OtherParcel(Protocol):
    """What brings a player of its own."""

    @property
    def key(self) -> str:
        """A hash of all that is in it."""
        ...

    def player(self, folder: Path) -> Player:
        """Return the player on a node; its files are kept in `folder`."""
        ...


@dataclass(frozen=True)
class Order:
    """What to play: a program, in one of its forms."""

    parcel: ProgramParcel | EngineParcel | OtherParcel
    digest: str
    """Of sample games; a node with another one would play otherwise."""
    repeats: int = 1
    turned: bool = False
    books: int | None = None
    """A number for the books of both colours; other books have another one."""
    proposing: bool = False
    """Whether the arms of an engine also tell what they would play in place of their books."""
    study: int = 0
    """A number for the study of an engine: what one has learnt for another is not in this one."""


@dataclass(frozen=True)
class Told:
    """Answers of engines that were computed elsewhere, in the object store of Ray."""

    last: int
    """The number of answers up to the end of these."""
    size: int
    """How many they are."""
    reference: Any


@dataclass(frozen=True)
class Done:
    """A block that was played."""

    blocks: tuple[Block, ...]
    seconds: float
    games: tuple[GameRecord, ...] = ()
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class Failure:
    """An error while playing, as text: not every exception travels well."""

    kind: str
    text: str


def make_task() -> Callable[..., tuple[str, Any]]:
    """Return the task. Ray sends it by value, so that a node without Seedfolio can say so.

    It returns the id of the node, and there what `play` returns; without an order, None.
    """

    def play_block(here: dict[str, str], order: bytes | None, *block: Any) -> tuple[str, Any]:
        import ray

        node = ray.get_runtime_context().get_node_id()
        try:
            from seedfolio.arena.ray.worker import play, version_difference
        except ImportError:
            lacks = "it lacks Seedfolio, or has an old version; install the same version there"
            return node, lacks
        answer: Any = version_difference(here)
        if answer is None and order is not None:
            answer = play(order, *block)
        return node, answer

    return play_block


def versions() -> dict[str, str]:
    """Return the versions of all that games depend on, by name."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {"seedfolio": __version__, "Python": python, **{n: version(n) for n in _PACKAGES}}


def version_difference(here: dict[str, str]) -> str | None:
    """Return a sentence on the versions of this node that differ from the driver's, if any do."""
    there = versions()
    differing = [
        f"{name} {there.get(name, 'missing')} (here {here[name]})"
        for name in here
        if there.get(name) != here[name]
    ]
    return f"it has {', '.join(differing)}; install the same versions there" if differing else None


def play(
    packed: bytes,
    cells: tuple[Seeds, Seeds],
    words: Seeds | None = None,
    told: Sequence[Told] = (),
    gpu: bool = False,
) -> Done | Failure | str:
    """Play cells of a packed order, with the words of its books and answers from other nodes.

    Return a sentence if this node cannot play the program, or plays it otherwise.
    """
    os.environ.setdefault("NUMBA_CACHE_DIR", str(node_folder() / "numba"))
    order: Order = pickle.loads(packed)
    try:
        player = _player(order)
    except SeedfolioError as error:
        return str(error)
    if player.digest != order.digest:
        return (
            "its sample games differ from ours, so it would play otherwise; install the same "
            "programs there"
        )
    # Arrays of Ray are for reading only, which to numba is another type.
    rows, columns = (np.array(side) for side in cells)
    try:
        return player.play(order, rows, columns, words=words, told=told, gpu=gpu)
    except CudaError as error:
        return Failure(type(error).__name__, error.problem)
    except Exception as error:
        text = str(error) if isinstance(error, SeedfolioError) else repr(error)[:300]
        return Failure(type(error).__name__, text)


_programs: dict[str, _ProgramPlayer] = {}
"""The programs that this process is ready for, by the key of their parcel."""
_engines: dict[tuple[str, int], Player] = {}
"""The player with engines that it is ready for, by the key of its parcel and the study: one at a
time."""
_keepers: list[Any] = []
"""The process that ends engines with this one, if there is one."""


def _player(order: Order) -> Player:
    from seedfolio.arena.ray.package import EngineParcel, ProgramParcel

    parcel, folder = order.parcel, node_folder() / "sources"
    if isinstance(parcel, ProgramParcel):
        if parcel.key not in _programs:
            _programs[parcel.key] = _ProgramPlayer(parcel.unpack(folder))
        return _programs[parcel.key]
    if (parcel.key, order.study) not in _engines:
        while _engines:
            _engines.popitem()[1].close()
        if not _keepers:
            from seedfolio.engines.protocols.process import keep_engines

            _keepers.append(keep_engines())
        _engines[parcel.key, order.study] = (
            _EnginePlayer(parcel) if isinstance(parcel, EngineParcel) else parcel.player(folder)
        )
    return _engines[parcel.key, order.study]


class _ProgramPlayer:
    """Plays a built-in program, or one from a user's file."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._forms: dict[tuple[int, bool, bool], tuple[int | None, Program]] = {}
        self.digest = sample_games(program)

    def play(
        self,
        order: Order,
        rows: Seeds,
        columns: Seeds,
        *,
        words: Seeds | None,
        told: Sequence[Told],
        gpu: bool,
    ) -> Done:
        """Play a block on one core, or on the GPU."""
        from seedfolio.arena.cuda.arena import CudaArena
        from seedfolio.arena.threads import ThreadArena

        form = self._form(order, words)
        arena: Arena = CudaArena() if gpu else ThreadArena(1, block=len(rows))
        began = time.perf_counter()
        blocks = tuple(arena.play(form, rows, columns))
        return Done(blocks, time.perf_counter() - began)

    def close(self) -> None:
        """Do nothing: there is no process."""

    def _form(self, order: Order, words: Seeds | None) -> Program:
        """Return the program in the form that is asked for; what was compiled is used again."""
        key = order.repeats, order.turned, order.books is not None
        books, form = self._forms.get(key, (None, None))
        if form is None or books != order.books:
            if form is None:
                form = replace(self._program, repeats=order.repeats, turned=order.turned)
            if words is not None:
                form = form.with_books(np.array(words))
            self._forms[key] = order.books, form
            nothing = np.zeros(0, np.uint64)
            form.play(nothing, nothing, form.workspace())  # compiles, which no block counts
        return form


class _EnginePlayer:
    """Plays an external engine, and keeps its games and answers until the end of a block."""

    def __init__(self, parcel: EngineParcel) -> None:
        from seedfolio.arena.processes import ProcessArena

        self._program = parcel.unpack(node_folder() / "sources")
        self.digest = sample_games(self._program, deterministic=parcel.deterministic)
        self._arena = ProcessArena(
            self._program, games=1, remember=parcel.remember, reuse=parcel.reuse, archive=self
        )
        self._games: list[GameRecord] = []
        self._answers: list[Answer] = []
        self._told = 0

    def answers(self) -> Iterator[Answer]:
        """Yield nothing: known answers come with each block."""
        return iter(())

    def keep(self, games: list[GameRecord], answers: list[Answer]) -> None:
        """Keep games and answers for the driver."""
        self._games += games
        self._answers += answers

    def play(
        self,
        order: Order,
        rows: Seeds,
        columns: Seeds,
        *,
        words: Seeds | None,
        told: Sequence[Told],
        gpu: bool,
    ) -> Done:
        """Play a block, one game after the other."""
        import ray

        for news in told:
            if news.last > self._told:
                self._arena.learn(ray.get(news.reference))
                self._told = news.last
        form = replace(self._program, repeats=order.repeats)
        if words is not None:
            books = np.array(words)
            form = form.studying(books) if order.proposing else form.with_books(books)
        self._games = []
        began = time.perf_counter()
        blocks = tuple(self._arena.play(form, rows, columns))
        seconds = time.perf_counter() - began
        answers, self._answers = self._answers, []  # a block that failed may have left some
        return Done(blocks, seconds, tuple(self._games), tuple(answers))

    def close(self) -> None:
        """End all engines."""
        self._arena.close()


def sample_games(program: Program | EngineProgram, *, deterministic: bool = True) -> str:
    """Return a digest of a few games: where it differs, arms play otherwise.

    Of an external engine it is its name, and the first moves of a game if it is deterministic.
    """
    from seedfolio.players.program import Program

    if isinstance(program, Program):
        return program.behaviour
    moves = _first_moves(program) if deterministic else []
    return hashlib.sha256("\n".join([program.engine_identity, *moves]).encode()).hexdigest()[:32]


def _first_moves(program: EngineProgram) -> list[str]:
    """Return the first moves of a game of an engine; EngineError if there is no game."""
    from seedfolio.engines.endings import Ending
    from seedfolio.engines.play.game import play_game
    from seedfolio.engines.play.pool import EnginePool

    specification = program.specification
    game = specification.game.model_copy(update={"moves": _SAMPLE_MOVES})
    short = replace(program, specification=specification.model_copy(update={"game": game}))
    pool = EnginePool(short, reuse=False)
    try:
        record = play_game(short, pool, 0, 1)
    finally:
        pool.close()
    if record.ending is Ending.VOID:
        raise EngineError(record.detail)
    return [*record.moves, record.ending.value]


def node_folder() -> Path:
    """Return a folder on the local disk for what is compiled and sent here, for this user alone."""
    folder = Path(tempfile.gettempdir()) / f"seedfolio-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or folder.is_symlink():
        return Path(tempfile.mkdtemp(prefix="seedfolio-"))  # somebody else was there first
    return folder
