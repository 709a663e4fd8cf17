"""The driver's side of a cluster: blocks of cells, played by tasks of Ray on all its nodes.

Ray chooses the node, and plays a block again whose worker or node is lost. The driver chooses the
size of blocks, asks another node where an engine fails, and leaves out nodes that do not fit. No
result depends on any of this.
"""

from __future__ import annotations

import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from seedfolio import errors
from seedfolio.arena import no_note
from seedfolio.arena.ray.cluster import Node, RayCluster
from seedfolio.arena.ray.worker import Done, Failure, Order, Seeds, versions

BLOCK_SECONDS = 1.0
"""A block takes about this long: so the driver has little to do, and little is lost."""
_BLOCKS_A_SECOND = 200
"""With more cores than this, blocks take longer: the driver needs 1 to 2 ms for each."""
_SHORTEST_SECONDS = 0.05
_GROWTH, _LARGEST = 8, 2_000_000
IN_FLIGHT = 2
"""Blocks for each core at once, so that no core waits for the driver."""
_LARGE_ORDER = 100_000
"""Bytes."""
_MOST_FAILURES = 3
_MOST_IN_A_ROW = 6
"""How many blocks in a row may fail on a node that is not the only one."""
_LOOK_SECONDS = 2.0
"""How often we look for nodes that have joined or gone."""
_PATIENCE_SECONDS = 20.0
"""How long we wait for a node that can play before we say so."""
WAITING = (
    "waiting for the cluster: no node has begun to play; their cores may be busy with other work"
)


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
class Piece:
    """The cells from `first` up to `last`, to be played as a block."""

    first: int
    last: int
    failed: tuple[str, ...] = ()
    """The ids of the nodes where an engine has failed at it, in this order."""

    def __len__(self) -> int:
        return self.last - self.first

    @property
    def cells(self) -> slice:
        """Where the cells are."""
        return slice(self.first, self.last)


@dataclass
class Pace:
    """How fast one core plays, or one GPU, as measured."""

    speed: float | None = None
    """Cells a second; None before the first block is done."""
    _largest: int = 1

    def note(self, cells: int, seconds: float) -> None:
        """Note how long a block took."""
        self.speed = cells / max(seconds, 1e-6)
        self._largest = max(self._largest, cells)

    def size(self, left: int, slots: int) -> int:
        """Return the size of the next block; `left` cells remain for `slots` cores or GPUs.

        Sizes grow step by step, and shrink towards the end, so that all cores end together.
        """
        if self.speed is None:
            return 1
        seconds = BLOCK_SECONDS * max(1.0, slots / _BLOCKS_A_SECOND)
        share = max(left // (2 * max(1, slots)), int(self.speed * _SHORTEST_SECONDS))
        fitting = min(int(self.speed * seconds), _GROWTH * self._largest, _LARGEST)
        return max(1, min(fitting, share, left))


@dataclass(frozen=True)
class Job:
    """What a call plays."""

    order: Order
    words: Any = None
    """A reference of Ray to the words of its books."""
    memory: int = 0
    """The bytes that each core needs."""
    gpus: bool = False
    """Whether it may play on GPUs."""
    told: Callable[[], Any] = tuple
    """Returns what engines have answered elsewhere, see `worker.Told`."""


@dataclass(frozen=True)
class _UnderWay:
    """A block that Ray plays."""

    piece: Piece
    gpu: bool
    without: frozenset[str]
    """The nodes that Ray must not choose."""


@dataclass
class _Call:
    """One call of `play`: the cells that wait, and the blocks under way."""

    job: Job
    rows: Seeds
    columns: Seeds
    waiting: deque[Piece]
    under_way: dict[Any, _UnderWay] = field(default_factory=dict)
    """By the reference of Ray that will have the answer."""

    @cached_property
    def packed(self) -> Any:
        """The order as nodes get it: a large one, with books, once for each node."""
        packed = pickle.dumps(self.job.order)
        if len(packed) < _LARGE_ORDER:
            return packed
        import ray

        return ray.put(packed)

    def take(self, pace: Pace, slots: int) -> Piece | None:
        """Return the next piece; None if no cell waits. One that has failed is not cut again."""
        if not self.waiting:
            return None
        size = pace.size(sum(map(len, self.waiting)), slots)
        piece = self.waiting.popleft()
        if piece.failed or len(piece) <= size:
            return piece
        middle = piece.first + size
        self.waiting.appendleft(Piece(middle, piece.last))
        return Piece(piece.first, middle)


class Driver:
    """Plays on all nodes of a cluster that fit.

    `note` receives a line for each node that is left out, and `at_work` one on the nodes, cores and
    GPUs that play, whenever they change.
    """

    def __init__(
        self,
        cluster: RayCluster,
        note: Callable[[str], None] = no_note,
        at_work: Callable[[str], None] = no_note,
    ) -> None:
        self._cluster, self._note, self._at_work = cluster, note, at_work
        self._versions = versions()
        self._nodes: dict[str, Node] = {}
        """The nodes that are alive."""
        self._names: dict[str, str] = {}
        self._refused: dict[str, str] = {}
        """A sentence for each node that is left out."""
        self._without_gpu: set[str] = set()
        self._failures: Counter[str] = Counter()
        """The number of blocks that have failed in a row, by node."""
        self._playing: set[tuple[str, bool]] = set()
        """Nodes that have played, and whether on a GPU."""
        self._paces: dict[tuple[Any, ...], Pace] = {}
        self._memory = 0
        self._shown = ""
        self._looked = self._hopeful = -1e9
        self._warned = False

    def gather(self, deadline: float) -> None:
        """Wait for the first node whose versions fit, until a time on the clock.

        ClusterError if no node fits, or none has a core. `play` waits for nodes that are busy.
        """
        asked: dict[Any, str] = {}
        self._hopeful = deadline - _PATIENCE_SECONDS
        while True:
            late = time.monotonic() > deadline
            self._look(late)
            if late:
                return
            for node in self._nodes:
                if node not in self._refused and node not in asked.values():
                    asked[self._cluster.submit((self._versions, None), only=node)] = node
            for reference in _ready(asked):
                del asked[reference]
                answer = _answer(reference)
                if not isinstance(answer, Exception):
                    node, misfit = answer
                    if misfit is None:
                        return
                    self._refuse(node, misfit)

    def need_memory(self, memory: int) -> None:
        """Leave out nodes with fewer bytes; ClusterError if no node is left."""
        self._memory = memory
        self._look(at_once=True)

    @property
    def cores(self) -> int:
        """The cores of all nodes that are not left out."""
        nodes = [node for node in self._nodes.values() if node.id not in self._refused]
        return max(1, sum(node.cores for node in nodes))

    def play(self, job: Job, rows: Seeds, columns: Seeds) -> Generator[Done, None, None]:
        """Play all cells; yield what is done, in the order in which it is done.

        When the caller stops early, the nodes play the blocks under way to their end, for nobody.
        """
        call = _Call(job, rows, columns, deque([Piece(0, len(rows))] if len(rows) else []))
        self._hopeful = time.monotonic()
        self._memory = job.memory
        while call.waiting or call.under_way:
            self._look()
            self._put_back(call)
            self._fill(call, gpu=True)
            self._fill(call, gpu=False)
            for reference in _ready(call.under_way):
                asked = call.under_way.pop(reference)
                done = self._take(_answer(reference), asked, call)
                if done is not None:
                    self._pace(job.order, asked.gpu).note(len(asked.piece), done.seconds)
                    yield done

    def _pace(self, order: Order, gpu: bool) -> Pace:
        key = order.parcel.key, order.repeats, order.books is not None, gpu
        return self._paces.setdefault(key, Pace())

    def _fill(self, call: _Call, gpu: bool) -> None:
        """Give all cores or GPUs what they can take now."""
        job, without = call.job, {*self._refused, *(self._without_gpu if gpu else ())}
        nodes = [node for node in self._nodes.values() if node.id not in without]
        if gpu:
            slots = sum(node.gpus for node in nodes) if job.gpus else 0
        else:
            slots = sum(node.at_once(job.memory) for node in nodes)
        busy = sum(each.gpu == gpu for each in call.under_way.values())
        pace = self._pace(job.order, gpu)
        for _ in range(IN_FLIGHT * slots - busy):
            piece = call.take(pace, slots)
            if piece is None:
                return
            elsewhere = without | {*piece.failed}
            if self._nodes.keys() <= elsewhere:  # it has failed everywhere
                elsewhere = without
            sent = call.rows[piece.cells], call.columns[piece.cells]
            reference = self._cluster.submit(
                (self._versions, call.packed, sent, job.words, job.told(), gpu),
                without=sorted(elsewhere),
                memory=0 if gpu else job.memory,
                gpu=gpu,
            )
            call.under_way[reference] = _UnderWay(piece, gpu, frozenset(elsewhere))

    def _put_back(self, call: _Call) -> None:
        """Ask again for pieces for which Ray has no node any more."""
        with_gpu = {node.id for node in self._nodes.values() if node.gpus}
        for reference, asked in [*call.under_way.items()]:
            if (with_gpu if asked.gpu else self._nodes.keys()) <= asked.without:
                del call.under_way[reference]
                call.waiting.appendleft(asked.piece)

    def _take(self, answer: tuple[str, Any] | Exception, asked: _UnderWay, call: _Call) -> Any:
        """Return what was played; None if the piece has to be played again."""
        if isinstance(answer, Exception):  # Ray has tried it three times
            raise _failed(asked.piece, "", " ".join(str(answer).split())[:200])
        node, told = answer
        if isinstance(told, Done):
            self._failures[node] = 0
            self._playing.add((node, asked.gpu))
            self._show()
            return told
        if isinstance(told, str):
            self._refuse(node, told)
            call.waiting.appendleft(asked.piece)
        elif told.kind == errors.CudaError.__name__:
            if node not in self._without_gpu:
                self._without_gpu.add(node)
                self._note(f"{self._name(node)}: {told.text}; its cores play instead")
            call.waiting.appendleft(asked.piece)
        else:
            self._fail(node, asked.piece, told, call)
        return None

    def _fail(self, node: str, piece: Piece, failure: Failure, call: _Call) -> None:
        """Ask again for a piece, and no longer a node where too many fail, if there are others.

        An engine may play well elsewhere; rules that raise an error do so everywhere.
        """
        kind = getattr(errors, failure.kind, None)
        if kind is not None and kind is not errors.EngineError:
            raise kind(failure.text)
        failed = replace(piece, failed=(*piece.failed, node))
        if len(failed.failed) >= _MOST_FAILURES:
            where = ", ".join(dict.fromkeys(map(self._name, failed.failed)))
            raise _failed(piece, f", on {where}", failure.text)
        call.waiting.appendleft(failed)
        self._failures[node] += 1
        others = self._nodes.keys() - self._refused.keys() - {node}
        if self._failures[node] >= _MOST_IN_A_ROW and others & self._at_play:
            self._refuse(
                node,
                f"its last {_MOST_IN_A_ROW} blocks failed, the last one with: {failure.text}",
            )

    def _look(self, at_once: bool = False) -> None:
        """See which nodes there are; ClusterError if none can play."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS and not at_once:
            return
        self._looked = now
        self._nodes = {node.id: node for node in self._cluster.nodes()}
        self._names |= {node.id: node.name for node in self._nodes.values()}
        self._show()
        for node in self._nodes.values():
            if self._memory > node.memory:
                has, wants = (f"{each / 2**20:,.1f} MiB" for each in (node.memory, self._memory))
                self._refuse(node.id, f"it has {has} of memory, and a game needs {wants}")
        if self._nodes and self._nodes.keys() <= self._refused.keys():
            raise _nobody([self._refused[node] for node in self._refused])
        if self._at_play:
            self._hopeful = now
        elif now - self._hopeful > _PATIENCE_SECONDS:
            if not self._nodes:
                raise _no_core()
            if not self._warned:
                self._warned = True
                self._note(WAITING)

    def _refuse(self, node: str, why: str) -> None:
        """Leave a node out from now on."""
        if node not in self._refused:
            self._refused[node] = f"{self._name(node)} is left out: {why}"
            self._note(self._refused[node])
            self._show()
            if self._nodes.keys() <= self._refused.keys():
                self._looked = -1e9  # soon raises, unless another node has joined

    def _name(self, node: str) -> str:
        return self._names.get(node, f"node {node[:6]}")

    @property
    def _at_play(self) -> Set[str]:
        """The nodes that play."""
        played = {node for node, _ in self._playing}
        return (played & self._nodes.keys()) - self._refused.keys()

    def _show(self) -> None:
        """Say who plays, if that has changed."""
        nodes = [self._nodes[node] for node in self._at_play]
        counted = {
            "node": len(nodes),
            "core": sum(node.cores for node in nodes if (node.id, False) in self._playing),
            "GPU": sum(node.gpus for node in nodes if (node.id, True) in self._playing),
        }
        text = ", ".join(f"{n:,} {what}{'s' * (n != 1)}" for what, n in counted.items() if n)
        if text != self._shown:
            self._shown = text
            self._at_work(text)


def _ready(references: Iterable[Any]) -> list[Any]:
    """Wait for an answer, but not for long; return all references that have one."""
    import ray

    waiting = list(references)
    if not waiting:
        time.sleep(0.1)
        return []
    with signals_pass():
        ready, _ = ray.wait(waiting, num_returns=1, timeout=_LOOK_SECONDS)
        if ready:
            ready, _ = ray.wait(waiting, num_returns=len(waiting), timeout=0)
    return list(ready)


def _answer(reference: Any) -> tuple[str, Any] | Exception:
    """Return what a task has returned, or why Ray has no answer."""
    import ray

    try:
        with signals_pass():
            node, answer = ray.get(reference)
    except Exception as error:  # of Ray, or of a task that it could not run
        return error
    return node, answer


def _failed(piece: Piece, where: str, why: str) -> errors.ClusterError:
    """Return the error for a block that has failed too often."""
    return errors.ClusterError(
        f"a block of cells ({len(piece):,}) failed {_MOST_FAILURES} times{where}, the last time "
        f"with: {why}; look there, then go on with the same command"
    )


def _no_core() -> errors.ClusterError:
    return errors.ClusterError(
        "the cluster has no node with a core to play on; start one with: ray start "
        "--address=HOST:PORT, then go on with the same command"
    )


def _nobody(refused: list[str]) -> errors.ClusterError:
    """Return the error that all nodes are left out; `refused` has a sentence on each."""
    first, *others = refused
    more = f" (and {len(others)} more nodes are left out)" if others else ""
    return errors.ClusterError(f"no node of the cluster can play: {first}{more}")
