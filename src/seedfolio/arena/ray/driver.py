"""The driver's side of a cluster: workers on its nodes, and the pieces that they play.

The driver submits pieces and collects small arrays. It takes whatever is done first, asks again for
the pieces of a lost node, and starts a worker on every node that joins.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from seedfolio import errors
from seedfolio.arena import no_note
from seedfolio.arena.ray.blocks import IN_FLIGHT, Pace, Piece, Pieces
from seedfolio.arena.ray.cluster import Node
from seedfolio.arena.ray.handshake import version_difference
from seedfolio.arena.ray.package import Parcel
from seedfolio.arena.ray.players import Done, Order, Seeds
from seedfolio.arena.ray.worker import Failure, signals_pass


@dataclass(frozen=True)
class Asked:
    """What a reference of Ray will answer."""

    member: Member
    job: Job | None = None
    """Whether it is ready for this."""
    piece: Piece | None = None
    """Neither: its versions."""


class Questions:
    """All that is asked, by the reference of Ray that will have the answer."""

    def __init__(self) -> None:
        self._asked: dict[Any, Asked] = {}

    def ask(self, reference: Any, asked: Asked) -> None:
        """Add a question."""
        self._asked[reference] = asked

    def answered(self, seconds: float) -> Iterator[tuple[Any, Asked]]:
        """Wait for an answer, at most so long; take out and yield all that are there."""
        import ray

        if not self._asked:
            time.sleep(0.1)
            return
        references = list(self._asked)
        with signals_pass():
            ready, _ = ray.wait(references, num_returns=1, timeout=seconds)
            if ready:
                ready, _ = ray.wait(references, num_returns=len(references), timeout=0)
        for reference in ready:
            if reference in self._asked:  # its worker may have been lost meanwhile
                yield reference, self._asked.pop(reference)

    def forget(self, member: Member) -> list[Piece]:
        """Take out all questions to a worker; return the pieces among them."""
        mine = [key for key, asked in self._asked.items() if asked.member is member]
        lost = [self._asked.pop(key).piece for key in mine]
        return [piece for piece in lost if piece is not None]

    def drop_pieces(self) -> None:
        """Take out all pieces."""
        self._asked = {key: asked for key, asked in self._asked.items() if asked.piece is None}


LACKS = "it lacks Seedfolio, or has an old version; install the same version there"
WAITING = (
    "waiting for the cluster: no node has begun to play; their cores may be busy with other work"
)


class Nodes(Protocol):
    """Where workers run: `cluster.RayCluster`, or a simulation of one."""

    def nodes(self) -> list[Node]:
        """Return the nodes that are alive."""
        ...

    def start(self, node: Node, gpu: bool, cores: int) -> Any:
        """Return a worker, an actor of Ray with the methods of `RayWorker`, on a node."""
        ...


@dataclass(frozen=True)
class Job:
    """What a call plays: a program, and what each piece of it takes along."""

    parcel: Parcel
    order: Order
    digest: str
    """Of sample games; a node with another one would play otherwise."""
    memory: int = 0
    """The bytes that each core needs."""
    more: Callable[[Member], tuple[Any, ...]] = lambda member: ()
    """Returns what goes along with the next piece for a worker, see `RayWorker.play`."""


@dataclass(eq=False)
class Member:
    """A worker on a node, or on one GPU of a node."""

    node: Node
    actor: Any
    cores: int
    gpu: bool = False
    knows: set[str] = field(default_factory=set)
    """The keys of the parcels that it is ready for."""
    waiting: bool = True
    """Whether it has been asked something and has not answered yet, other than pieces."""
    pieces: int = 0
    """How many it has now."""
    paces: dict[tuple[str, int, bool], Pace] = field(default_factory=dict)

    def pace(self, order: Order) -> Pace:
        """Return how fast it plays this."""
        key = order.key, order.repeats, order.books is not None
        return self.paces.setdefault(key, Pace(self.cores))


def too_little(member: Member, memory: int) -> str | None:
    """Return the sentence on a node without this many bytes for each core; None if it has them."""
    need = 0 if member.gpu else member.cores * memory
    if need <= member.node.memory:
        return None
    has, wants = (f"{each / 2**20:,.1f} MiB" for each in (member.node.memory, need))
    return (
        f"{member.node.name} is left out: it has {has} of memory, and {member.cores} games at once "
        f"need {wants}"
    )


def plays_otherwise(member: Member, job: Job, answer: str | Failure) -> str | None:
    """Return the sentence on a node that cannot play a job, or plays other games; None if it fits.

    `answer` is the digest of its sample games.
    """
    if isinstance(answer, Failure):
        return f"{member.node.name} is left out: {answer.text}"
    if answer != job.digest:
        return (
            f"{member.node.name} is left out: its sample games differ from ours, so it would play "
            "otherwise; install the same programs there"
        )
    return None


def why_lost(error: Exception) -> str:
    """Return why a worker was lost, in a few words."""
    text = " ".join(str(error).split())
    if "ModuleNotFoundError" in text or "ImportError" in text:
        return LACKS
    return text[:200] or type(error).__name__


def is_of_engine(failure: Failure) -> bool:
    """Tell whether an engine has failed, which may play well elsewhere; rules fail everywhere."""
    return failure.kind == errors.EngineError.__name__


def raised(failure: Failure) -> errors.SeedfolioError:
    """Return the error that a worker has raised."""
    kind: type[errors.SeedfolioError] = getattr(errors, failure.kind, errors.SeedfolioError)
    return kind(failure.text)


def no_core() -> errors.ClusterError:
    """Return the error that there is no node for games."""
    return errors.ClusterError(
        "the cluster has no node with a core to play on; start one with: ray start "
        "--address=HOST:PORT, then go on with the same command"
    )


def nobody(refused: Sequence[str]) -> errors.ClusterError:
    """Return the error that all nodes are left out; `refused` has a sentence on each."""
    first, *others = refused
    more = f" (and {len(others)} more nodes are left out)" if others else ""
    return errors.ClusterError(f"no node of the cluster can play: {first}{more}")


def who_works(members: Sequence[Member]) -> str:
    """Return the numbers of nodes, cores and GPUs that work."""
    working = [member for member in members if member.knows]
    counted = {
        "node": len({member.node.id for member in working}),
        "core": sum(member.cores for member in working if not member.gpu),
        "GPU": sum(member.gpu for member in working),
    }
    return ", ".join(f"{n:,} {what}{'s' * (n != 1)}" for what, n in counted.items() if n)


_LOOK_SECONDS = 2.0
"""How often we look for nodes that have joined or gone."""
_PATIENCE_SECONDS = 20.0
"""How long we wait for a node that can play before we say so."""
_MOST_STARTS = 3
"""How often a worker may end on a node before it has played anything there."""
_MOST_FAILURES = 2 * IN_FLIGHT
"""How many pieces in a row may fail on a node that is not the only one."""


class Crew:
    """All workers of one driver."""

    def __init__(
        self,
        nodes: Nodes,
        note: Callable[[str], None] = no_note,
        at_work: Callable[[str], None] = no_note,
    ) -> None:
        self._nodes, self._note, self._at_work = nodes, note, at_work
        self._members: list[Member] = []
        self._questions = Questions()
        self._refused: dict[str, str] = {}
        self._left: list[Piece] = []  # of workers whose node was left out
        self._starts: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._shown = ""
        self._number = 0
        self._looked = self._hopeful = -1e9
        self._warned = False

    def play(
        self, job: Job, rows: Seeds, columns: Seeds
    ) -> Generator[tuple[Piece, Done], None, None]:
        """Play all cells; yield pieces with their results, in the order in which they finish."""
        pieces, key = Pieces(len(rows)), job.order.key
        self._hopeful = time.monotonic()
        try:
            while not pieces.done:
                self._look(pieces)
                pieces.put_back(self._left)
                pieces.nodes = {each.node.name for each in self._members if key in each.knows}
                speed = sum(each.pace(job.order).speed or 0.0 for each in self._members)
                for member in list(self._members):
                    self._ask(member, job, pieces, (rows, columns), speed)
                for reference, asked in self._questions.answered(_LOOK_SECONDS):
                    answer = self._answer(reference, asked, pieces)
                    if isinstance(answer, Done) and asked.piece is not None:
                        asked.member.pace(job.order).note(len(asked.piece), answer.seconds)
                        self._starts[asked.member.node.id] = 0
                        self._failures[asked.member.node.id] = 0
                        pieces.finish(asked.piece)
                        yield asked.piece, answer
                    elif asked.job is not None and answer is not None:
                        self._compare(asked.member, asked.job, answer)
        finally:
            self._drop()

    def gather(self, deadline: float) -> None:
        """Start workers, and wait for the first whose versions fit, until a time on the clock.

        ClusterError if no node fits, or none has a core. `play` waits for nodes that are busy.
        """
        nothing = Pieces(0)
        self._hopeful = deadline - _PATIENCE_SECONDS
        while all(member.waiting for member in self._members):
            late = time.monotonic() > deadline
            self._looked = -1e9 if late else self._looked
            self._look(nothing)
            if late:
                return
            for reference, asked in self._questions.answered(_LOOK_SECONDS):
                self._answer(reference, asked, nothing)

    def need_memory(self, memory: int) -> None:
        """Leave out nodes with fewer bytes for each core; ClusterError if no node is left."""
        for member in self.members:
            if (sentence := too_little(member, memory)) is not None:
                self._refuse(member, sentence)
        if not self._members:
            self._look(Pieces(0))

    @property
    def members(self) -> tuple[Member, ...]:
        """The workers that there are now."""
        return tuple(self._members)

    def close(self) -> None:
        """End all workers."""
        for member in self._members:
            _end(member)
        self._members, self._questions = [], Questions()

    def _look(self, pieces: Pieces) -> None:
        """Start workers on new nodes, and forget nodes that are gone."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        alive = {node.id: node for node in self._nodes.nodes()}
        for member in list(self._members):
            if member.node.id not in alive:
                self._lose(member, "the node is gone", pieces)
        working = {member.node.id for member in self._members}
        for node in alive.values():
            if node.id not in working and node.id not in self._refused:
                self._start(node)
        self._show()
        if any(member.knows for member in self._members):
            self._hopeful = now
        elif not self._members and self._refused:
            raise nobody([*self._refused.values()])
        elif now - self._hopeful > _PATIENCE_SECONDS:
            self._wait_on()

    def _start(self, node: Node) -> None:
        for _ in range(max(1, node.gpus)):
            cores = max(1, node.cores // max(1, node.gpus))
            actor = self._nodes.start(node, node.gpus > 0, cores)
            member = Member(node, actor, cores, node.gpus > 0)
            self._members.append(member)
            self._questions.ask(actor.hello.remote(), Asked(member))

    def _wait_on(self) -> None:
        """Say that no node plays yet; ClusterError if there is none that could."""
        if not self._members:
            raise no_core()
        if not self._warned:
            self._warned = True
            self._note(WAITING)

    def _refuse(self, member: Member, sentence: str) -> None:
        """Leave a node out from now on."""
        self._refused[member.node.id] = sentence
        self._note(sentence)
        for each in [each for each in self._members if each.node.id == member.node.id]:
            self._left += self._forget(each)
        if not self._members:
            self._looked = -1e9  # raises, unless another node has joined

    def _lose(self, member: Member, why: str, pieces: Pieces) -> None:
        """Ask others for the pieces of a worker that is gone."""
        lost = self._forget(member)
        self._starts[member.node.id] += 1
        if self._starts[member.node.id] >= _MOST_STARTS and member.node.id not in self._refused:
            self._refuse(member, f"{member.node.name} is left out: {why}")
        for piece in lost:
            pieces.fail(piece, member.node.name, why)

    def _fail(self, member: Member, piece: Piece, why: str, pieces: Pieces) -> None:
        """Ask again for a piece, and no longer a node where too many fail, if there are others."""
        node = member.node
        pieces.fail(piece, node.name, why)
        self._failures[node.id] += 1
        others = any(each.knows and each.node.id != node.id for each in self._members)
        if self._failures[node.id] >= _MOST_FAILURES and others:
            self._refuse(
                member,
                f"{node.name} is left out: its last {_MOST_FAILURES} blocks failed, the last one "
                f"with: {why}",
            )

    def _forget(self, member: Member) -> list[Piece]:
        """End a worker; return the pieces that it had."""
        lost = self._questions.forget(member)
        if member in self._members:
            self._members.remove(member)
        _end(member)
        self._show()
        return lost

    def _show(self) -> None:
        """Say who works, if that has changed."""
        text = who_works(self._members)
        if text != self._shown:
            self._shown = text
            self._at_work(text)

    def _ask(
        self, member: Member, job: Job, pieces: Pieces, cells: tuple[Seeds, Seeds], speed: float
    ) -> None:
        """Give a worker what it can take now; `speed` is that of all together."""
        if member.waiting:
            return
        order = job.order
        if order.key not in member.knows:
            if (sentence := too_little(member, job.memory)) is not None:
                self._refuse(member, sentence)
            else:
                member.waiting = True
                self._questions.ask(member.actor.prepare.remote(job.parcel), Asked(member, job))
            return
        while member.pieces < IN_FLIGHT:
            piece = pieces.take(member.pace(order), speed, member.node.name)
            if piece is None:
                return
            self._number += 1
            sent = cells[0][piece.cells], cells[1][piece.cells]
            reference = member.actor.play.remote(self._number, order, sent, *job.more(member))
            self._questions.ask(reference, Asked(member, piece=piece))
            member.pieces += 1

    def _answer(self, reference: Any, asked: Asked, pieces: Pieces) -> Any:
        """Return an answer; None if there is none, or it has been dealt with."""
        import ray

        member = asked.member
        member.waiting = False if asked.piece is None else member.waiting
        member.pieces -= asked.piece is not None
        try:
            with signals_pass():
                answer = ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            why = " ".join(str(error.cause or error).split())[:300]
            if asked.piece is None:
                self._refuse(member, f"{member.node.name} is left out: {why}")
            else:
                self._fail(member, asked.piece, f"{type(error.cause).__name__}: {why}", pieces)
            return None
        except ray.exceptions.RayError as error:
            if asked.piece is not None:
                self._questions.ask(reference, asked)  # lost with the others
            why = why_lost(error)
            if why == LACKS:
                self._refuse(member, f"{member.node.name} is left out: {why}")
            else:
                self._lose(member, why, pieces)
            return None
        if asked.job is None and asked.piece is None:
            if (difference := version_difference(member.node.name, answer)) is not None:
                self._refuse(member, difference)
            return None
        if asked.piece is not None and isinstance(answer, Failure):
            if not is_of_engine(answer):
                raise raised(answer)
            self._fail(member, asked.piece, answer.text, pieces)
            return None
        if isinstance(answer, Done) and answer.note:
            self._note(f"{member.node.name}: {answer.note}")
        return answer

    def _compare(self, member: Member, job: Job, answer: str | Failure) -> None:
        """Let a worker play that is ready, if it would play the same games as we do."""
        if (sentence := plays_otherwise(member, job, answer)) is not None:
            self._refuse(member, sentence)
        else:
            member.knows.add(job.order.key)
            self._show()

    def _drop(self) -> None:
        """Forget the pieces under way: nobody waits for them any more."""
        self._left.clear()
        self._questions.drop_pieces()
        for member in self._members:
            if member.pieces:
                member.pieces = 0
                member.actor.drop.remote(self._number)


def _end(member: Member) -> None:
    import ray

    ray.kill(member.actor)
