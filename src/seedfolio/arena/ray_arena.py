"""The arena on a cluster, by Ray: the same games on many machines, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block, no_note
from seedfolio.arena.cluster import RayCluster
from seedfolio.arena.crew import Crew
from seedfolio.arena.handshake import sample_games
from seedfolio.arena.members import Job, Member
from seedfolio.arena.parcel import EngineParcel, ProgramParcel
from seedfolio.arena.processes import Archive
from seedfolio.arena.ray_worker import Done, Order
from seedfolio.engines.answers import Answer, Answers
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.players.book_table import Books
from seedfolio.players.program import Program

_UNGUARDED = (
    "this cluster may have no authentication: whoever reaches it can run code on it; see "
    "docs/cluster.md"
)


class RayArena:
    """Plays on all nodes of the Ray cluster at `address`.

    Without an address it is RAY_ADDRESS, or the cluster that runs on this machine. `note` receives
    a line for each node that is left out, and `at_work` one on the nodes, cores and GPUs whenever
    they change. ClusterError if there is no cluster.

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
        self._parcels: dict[tuple[str, str], tuple[ProgramParcel, str]] = {}
        self._books: tuple[Books | None, int, object] = None, 0, None

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

    def for_engine(
        self, program: EngineProgram, parcel: EngineParcel, archive: Archive
    ) -> EnginesOnRay:
        """Return an arena on this cluster for an external engine."""
        return EnginesOnRay(self.crew, program, parcel, archive)

    def close(self) -> None:
        """End all workers and leave the cluster."""
        self.crew.close()
        self._cluster.close()

    def __enter__(self) -> RayArena:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _job(self, program: Program) -> Job:
        parcel, digest = self._packed(program)
        order = Order(parcel.key, program.repeats, program.turned)
        memory = 4 * program.bound.workspace
        if program.books is None:
            return Job(parcel, order, digest, memory)
        number, words = self._sent_books(program.books)
        order = replace(order, books=number)
        return Job(parcel, order, digest, memory, lambda member: words)

    def _packed(self, program: Program) -> tuple[ProgramParcel, str]:
        key = program.game.source, program.player.text
        if key not in self._parcels:
            plain = replace(program, repeats=1, turned=False, books=None)
            self._parcels[key] = ProgramParcel.of(plain), sample_games(plain)
        return self._parcels[key]

    def _sent_books(self, books: Books) -> tuple[int, object]:
        """Return a number for books, and a reference to them: each node fetches them once."""
        import ray

        last, number, sent = self._books
        if books is not last:
            number, sent = number + 1, ray.put(books.words)
            self._books = books, number, sent
        return number, sent


class EnginesOnRay:
    """Plays one external engine, which every node must have; its answers go to all nodes."""

    def __init__(
        self, crew: Crew, program: EngineProgram, parcel: EngineParcel, archive: Archive
    ) -> None:
        self._crew, self._program, self._archive = crew, program, archive
        self._known = list(archive.answers()) if parcel.remember else []
        self._answers = Answers(self._known)
        digest = sample_games(program, deterministic=parcel.deterministic)
        order = Order(parcel.key, program.repeats)
        self._job = Job(parcel, order, digest, more=self._news)

    def play(
        self, program: EngineProgram, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish."""
        if program.specification != self._program.specification:
            raise SpecificationError(f"this arena plays {self._program.title}, not {program.title}")
        if program.books is not None:
            raise SpecificationError(
                f"{program.title}: the book of an external engine is learnt on one machine; leave "
                "out `arena`, or the learner book"
            )
        if len(rows) == 0:
            return
        for piece, done in self._crew.play(self._job, rows, columns):
            self._keep(done)
            yield Block(rows[piece.cells], columns[piece.cells], np.array(done.results))

    def _keep(self, done: Done) -> None:
        self._answers.learn(done.answers)  # raises if two nodes differ
        self._known += done.answers
        self._archive.keep(list(done.games), list(done.answers))

    def _news(self, member: Member) -> list[Answer]:
        """Return the answers that a worker does not have yet."""
        news = self._known[member.told :]
        member.told = len(self._known)
        return news
