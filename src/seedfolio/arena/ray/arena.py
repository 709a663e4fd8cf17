"""The arena on a cluster, by Ray: the same games on many machines, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block, no_note
from seedfolio.arena.processes import Archive, noted
from seedfolio.arena.ray.cluster import RayCluster
from seedfolio.arena.ray.driver import Crew, Job, Member
from seedfolio.arena.ray.handshake import sample_games
from seedfolio.arena.ray.package import EngineParcel, ProgramParcel
from seedfolio.arena.ray.players import Done, Order
from seedfolio.engines.play.answers import Answer, Answers
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.players.books.table import Books
from seedfolio.players.program import Program

_UNGUARDED = (
    "this cluster may have no authentication: whoever reaches it can run code on it; see "
    "docs/cluster.md"
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
        self.crew = Crew(self._cluster, note, at_work)
        self._packed: dict[tuple[int, int], _Packed] = {}
        self._books = SentBooks()
        try:
            self.crew.gather(self._cluster.deadline)
        except BaseException:
            self.close()
            raise

    def play(
        self, program: Program, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish.

        When the caller stops early, the nodes drop the blocks under way. ClusterError if no node
        can play, or a block has failed three times.
        """
        if len(rows) == 0:
            return
        job = self._job(program)
        for piece, done in self.crew.play(job, rows, columns):
            left = None if done.left is None else np.array(done.left)
            cells = rows[piece.cells], columns[piece.cells]
            yield Block(*cells, np.array(done.results), left)

    def need(self, program: Program) -> None:
        """Raise ClusterError if no node has the memory for a program; nothing is compiled yet."""
        self.crew.need_memory(_memory(program))

    def for_engine(
        self, program: EngineProgram, parcel: EngineParcel, archive: Archive
    ) -> EnginesOnRay:
        """Return an arena on this cluster for an external engine."""
        return EnginesOnRay(self.crew, program, parcel, archive, self._books)

    def close(self) -> None:
        """End all workers and leave the cluster."""
        self.crew.close()
        self._cluster.close()

    def __enter__(self) -> RayArena:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _job(self, program: Program) -> Job:
        packed = self._pack(program)
        number, words = self._books.send(program.books)
        order = Order(packed.parcel.key, program.repeats, program.turned, number)
        more = (words,)
        return Job(packed.parcel, order, packed.digest, _memory(program), lambda member: more)

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
        crew: Crew,
        program: EngineProgram,
        parcel: EngineParcel,
        archive: Archive,
        books: SentBooks,
    ) -> None:
        self._crew, self._program, self._archive = crew, program, archive
        self._parcel, self._books = parcel, books
        self._known = list(archive.answers()) if parcel.remember else []
        self._answers = Answers(self._known)
        self._told: dict[Member, int] = {}
        """How many of the known answers each worker has got."""
        self._digest = sample_games(program, deterministic=parcel.deterministic)
        for member in crew.members:  # what one has learnt for another study is not in this one
            member.knows.discard(parcel.key)

    def play(
        self, program: EngineProgram, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish."""
        if program.specification != self._program.specification:
            raise SpecificationError(f"this arena plays {self._program.title}, not {program.title}")
        if len(rows) == 0:
            return
        for piece, done in self._crew.play(self._job(program), rows, columns):
            self._keep(done)
            cells = rows[piece.cells], columns[piece.cells]
            yield Block(*cells, np.array(done.results), *noted(done.games))

    def _job(self, program: EngineProgram) -> Job:
        number, words = self._books.send(program.books)
        order = Order(self._parcel.key, program.repeats, books=number, proposing=program.proposing)
        news = self._news
        return Job(self._parcel, order, self._digest, more=lambda member: (words, news(member)))

    def _keep(self, done: Done) -> None:
        self._answers.learn(done.answers)  # raises if two nodes differ
        self._known += done.answers
        self._archive.keep(list(done.games), list(done.answers))

    def _news(self, member: Member) -> list[Answer]:
        """Return the answers that a worker does not have yet."""
        news = self._known[self._told.get(member, 0) :]
        self._told[member] = len(self._known)
        return news
