"""What runs on the nodes of a cluster: a task of Ray that plays a block on one core or GPU.

Nothing here needs numba before the first block: the task first sends numba's cache to a local disk.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import CudaError, SeedfolioError
from seedfolio.version import __version__

if TYPE_CHECKING:
    from seedfolio.arena import Block
    from seedfolio.engines.play.answers import Answer
    from seedfolio.engines.record import GameRecord

Seeds = NDArray[np.uint64]
_PACKAGES = ("numpy", "numba", "llvmlite")
"""Packages that make compiled code, besides Seedfolio."""


class Player(Protocol):
    """Plays blocks on a node."""

    @property
    def digest(self) -> str:
        """A digest of sample games."""
        ...

    def play(self, order: Order, asked: Asked) -> Done:
        """Play a block on one core, or on the GPU."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...


class Parcel(Protocol):
    """What travels to a node, and becomes a player there."""

    @property
    def has_processes(self) -> bool:
        """Whether the player has processes, so that a node keeps one such player at a time."""
        ...

    @property
    def key(self) -> str:
        """A hash of all that is in it."""
        ...

    def make_player(self, folder: Path) -> Player:
        """Return the player on a node; its files are kept in `folder`."""
        ...


@dataclass(frozen=True)
class Order:
    """What to play: a program, in one of its forms."""

    parcel: Parcel
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
class Asked:
    """A block to play."""

    rows: Seeds
    columns: Seeds
    words: Seeds | None
    """Of the books of both colours."""
    told: Sequence[Told]
    """Answers from other nodes."""
    gpu: bool


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
        return player.play(order, Asked(rows, columns, words, told, gpu))
    except CudaError as error:
        return Failure(type(error).__name__, error.problem)
    except Exception as error:
        text = str(error) if isinstance(error, SeedfolioError) else repr(error)[:300]
        return Failure(type(error).__name__, text)


_plain: dict[str, Player] = {}
"""The players without processes that this process is ready for, by the key of their parcel."""
_with_processes: dict[tuple[str, int], Player] = {}
"""The player with processes that it is ready for, by the key of its parcel and the study: one at a
time."""
_keepers: list[Any] = []
"""The process that ends engines with this one, if there is one."""


def _player(order: Order) -> Player:
    parcel, folder = order.parcel, node_folder() / "sources"
    if not parcel.has_processes:
        if parcel.key not in _plain:
            _plain[parcel.key] = parcel.make_player(folder)
        return _plain[parcel.key]
    if (parcel.key, order.study) not in _with_processes:
        while _with_processes:
            _with_processes.popitem()[1].close()
        if not _keepers:
            from seedfolio.engines.protocols.process import keep_engines

            _keepers.append(keep_engines())
        _with_processes[parcel.key, order.study] = parcel.make_player(folder)
    return _with_processes[parcel.key, order.study]


def node_folder() -> Path:
    """Return a folder on the local disk for what is compiled and sent here, for this user alone."""
    folder = Path(tempfile.gettempdir()) / f"seedfolio-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or folder.is_symlink():
        return Path(tempfile.mkdtemp(prefix="seedfolio-"))  # somebody else was there first
    return folder
