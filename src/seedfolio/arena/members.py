"""The members of a crew on a cluster, what they play, and sentences about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from seedfolio import errors
from seedfolio.arena.cluster import Node
from seedfolio.arena.parcel import Parcel
from seedfolio.arena.pieces import Pace
from seedfolio.arena.ray_players import Order
from seedfolio.arena.ray_worker import Failure

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
