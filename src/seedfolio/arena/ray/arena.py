"""The arena on a cluster, by Ray: the same games on many machines, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block, no_note
from seedfolio.arena.processes import Archive
from seedfolio.arena.ray.blocks import Driver, Job
from seedfolio.arena.ray.cluster import RayCluster
from seedfolio.arena.ray.package import EngineParcel, ProgramParcel
from seedfolio.arena.ray.players import sample_games
from seedfolio.arena.ray.worker import Order, Parcel, Told
from seedfolio.engines.play.answers import Answer, Answers
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.players.books.table import Books
from seedfolio.players.program import Program

_UNGUARDED = (
    "this cluster may have no authentication: whoever reaches it can run code on it; see "
    "docs/where-games-run.md"
)


class RayArena:
    """Plays on all nodes of the Ray cluster at `address`.

    Without an address it is RAY_ADDRESS, or the cluster that runs on this machine. `note` receives
    a line for each node that is left out, and `at_work` one on the nodes, cores and GPUs whenever
    they change. ClusterError if there is no cluster, or none of its nodes fits.

    >>> from seedfolio import RayArena, SeedfolioError, boost
    >>> try:
    ...     arena = RayArena("127.0.0.1:1")
    ... except SeedfolioError:  # no cluster there
    ...     arena = "threads"
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> boosted = boost(*program, k=8, opponents=17, study="a.study", arena=arena)
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        note: Callable[[str], None] = no_note,
        at_work: Callable[[str], None] = no_note,
    ) -> None:
        self._cluster = RayCluster(address)
        if not self._cluster.authenticated:
            note(_UNGUARDED)
        self._driver = Driver(self._cluster, note, at_work)
        self._packed: dict[tuple[int, int], _Packed] = {}
        self._books = SentBooks()
        self._studies = 0
        try:
            self._driver.gather(self._cluster.deadline)
        except BaseException:
            self.close()
            raise

    def play(
        self, program: Program, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish.

        When the caller stops early, the nodes play the blocks under way to their end, for nobody.
        ClusterError if no node can play, or a block has failed three times.
        """
        for done in self._driver.play(self._job(program), rows, columns):
            yield from map(_writable, done.blocks)

    def need(self, program: Program) -> None:
        """Raise ClusterError if no node has the memory for a program; nothing is compiled yet."""
        self._driver.need_memory(_memory(program))

    def for_engine(
        self,
        program: EngineProgram,
        archive: Archive,
        *,
        remember: bool,
        reuse: bool,
        deterministic: bool,
    ) -> EnginesOnRay:
        """Return an arena on this cluster for an external engine.

        `remember` and `reuse` are those of `ProcessArena`. The first moves of an engine that is
        not `deterministic` are not compared.
        """
        self._studies += 1
        parcel = EngineParcel.of(
            program, remember=remember, reuse=reuse, deterministic=deterministic
        )
        order = Order(
            parcel, sample_games(program, deterministic=deterministic), study=self._studies
        )
        known = list(archive.answers()) if remember else None
        return EnginesOnRay(
            self._driver, program, order=order, archive=archive, known=known, books=self._books
        )

    def numbered(
        self, parcel: Parcel, digest: str, numbers: Sequence[int], memory: int
    ) -> Generator[tuple[GameRecord, ...], None, None]:
        """Yield the games with these numbers as the parcel's player plays them, in any order.

        `digest` is that of its player here, and `memory` the bytes that each core needs.
        """
        self._studies += 1
        job = Job(Order(parcel, digest, study=self._studies), memory=memory)
        cells = np.array(numbers, np.uint64)
        for done in self._driver.play(job, cells, cells):
            yield done.games

    def close(self) -> None:
        """Leave the cluster, which ends all workers."""
        self._cluster.close()

    def __enter__(self) -> RayArena:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _job(self, program: Program) -> Job:
        packed = self._pack(program)
        number, words = self._books.send(program.books)
        order = Order(packed.parcel, packed.digest, program.repeats, program.turned, number)
        return Job(order, words, _memory(program), gpus=True)

    def _pack(self, program: Program) -> _Packed:
        """Pack a game and a player once; a file that was loaded again may have changed."""
        key = id(program.game), id(program.player)
        if key not in self._packed:
            plain = replace(program, repeats=1, turned=False, books=None)
            self._packed[key] = _Packed(ProgramParcel.of(plain), sample_games(plain), plain)
        return self._packed[key]


def _memory(program: Program) -> int:
    """Return the bytes that each core needs."""
    return 4 * program.bound.workspace


@dataclass(frozen=True)
class _Packed:
    """A program that is ready to be sent."""

    parcel: ProgramParcel
    digest: str
    """Of its sample games."""
    program: Program
    """Kept, so that no other game or player gets its identity in this process."""


class SentBooks:
    """The books that the nodes of a cluster got last: each node fetches them once."""

    def __init__(self) -> None:
        self._last: Books | None = None
        self._number = 0
        self._words: object = None

    def send(self, books: Books | None) -> tuple[int | None, object]:
        """Return a number for books, and a reference to their words; None for no books."""
        import ray

        if books is None:
            return None, None
        if books is not self._last:
            self._last, self._number, self._words = books, self._number + 1, ray.put(books.words)
        return self._number, self._words


class EnginesOnRay:
    """Plays one external engine, which every node must have; its answers go to all nodes."""

    def __init__(
        self,
        driver: Driver,
        program: EngineProgram,
        *,
        order: Order,
        archive: Archive,
        known: list[Answer] | None,
        books: SentBooks,
    ) -> None:
        self._driver, self._program, self._archive = driver, program, archive
        self._order, self._books = order, books
        self._known = known
        """All answers so far; None if nodes do not remember them."""
        self._answers = Answers(known or ())
        self._told: list[Told] = []

    @property
    def at_once(self) -> int:
        """How many games it plays at once."""
        return self._driver.cores

    def play(
        self, program: EngineProgram, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish."""
        if program.specification != self._program.specification:
            raise SpecificationError(f"this arena plays {self._program.title}, not {program.title}")
        number, words = self._books.send(program.books)
        form = replace(
            self._order, repeats=program.repeats, books=number, proposing=program.proposing
        )
        for done in self._driver.play(Job(form, words, told=self._tell), rows, columns):
            self._answers.learn(done.answers)  # raises if two nodes differ
            if self._known is not None:
                self._known += done.answers
            self._archive.keep(list(done.games), list(done.answers))
            yield from map(_writable, done.blocks)

    def _tell(self) -> tuple[Told, ...]:
        """Return references to all known answers, in a few packets of falling size."""
        import ray

        known = self._known or []
        first = self._told[-1].last if self._told else 0
        if first < len(known):
            while self._told and len(known) - first >= self._told[-1].size:
                first -= self._told.pop().size  # so that there are few
            packet = known[first:]
            self._told.append(Told(len(known), len(packet), ray.put(packet)))
        return tuple(self._told)


def _writable(block: Block) -> Block:
    """Return a block with arrays of its own: Ray's are for reading only."""
    arrays = {name: each for name, each in vars(block).items() if each is not None}
    return Block(**{name: np.array(each) for name, each in arrays.items()})
