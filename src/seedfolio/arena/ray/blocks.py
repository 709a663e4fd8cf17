"""Cutting cells into pieces for the nodes of a cluster. No result depends on how they are cut."""

from __future__ import annotations

from collections import deque
from collections.abc import Set
from dataclasses import dataclass, field, replace

from seedfolio.errors import ClusterError

PIECE_SECONDS = 2.0
"""A piece takes a node about this long: so the driver has little to do, and little is lost."""
IN_FLIGHT = 3
"""The number of pieces that a node has at once, so that it never waits for the driver."""
_SHORTEST_SECONDS = 0.05
_GROWTH = 8
_LARGEST = 2_000_000
_MOST_FAILURES = 3


@dataclass(frozen=True)
class Piece:
    """The cells from `first` up to `last`."""

    first: int
    last: int
    failed: tuple[str, ...] = ()
    """The names of the nodes where it has failed, in this order."""

    def __len__(self) -> int:
        return self.last - self.first

    @property
    def cells(self) -> slice:
        """Where the cells are."""
        return slice(self.first, self.last)


@dataclass
class Pace:
    """How fast a node plays, as measured."""

    cores: int
    speed: float | None = None
    """Cells a second; None before the first piece is done."""
    _largest: int = 0

    @property
    def fewest(self) -> int:
        """The smallest piece: with `IN_FLIGHT` of them, all cores work and some cells wait."""
        return max(1, -(-self.cores // 2))

    def note(self, cells: int, seconds: float) -> None:
        """Note that the node took so long for a piece."""
        self.speed = cells / max(seconds, 1e-6)
        self._largest = max(self._largest, cells)

    def size(self) -> int:
        """Return the size of a piece of about the right duration; sizes grow step by step."""
        if self.speed is None:
            return self.fewest
        fitting = int(self.speed * PIECE_SECONDS)
        return max(self.fewest, min(fitting, _GROWTH * self._largest, _LARGEST))


@dataclass
class Pieces:
    """The cells of one call: those not cut yet, those to play again, those under way."""

    total: int
    nodes: Set[str] = frozenset()
    """The names of the nodes that play now."""
    _position: int = 0
    _again: deque[Piece] = field(default_factory=deque)
    _done: int = 0

    @property
    def done(self) -> bool:
        """Whether all cells are done."""
        return self._done == self.total

    def take(self, pace: Pace, speed: float, node: str = "") -> Piece | None:
        """Return the next piece for a node; None if all cells are taken.

        `speed` is that of all nodes together. Towards the end pieces become smaller, so that all
        nodes end at about the same time. A piece that has failed goes to another node, if there is
        one where it has not.
        """
        for number, piece in enumerate(self._again):
            if node not in piece.failed or self.nodes <= {*piece.failed}:
                del self._again[number]
                return piece
        left = self.total - self._position
        if left == 0:
            return None
        size = pace.size()
        if pace.speed is not None:
            share = int(left * pace.speed / max(speed, pace.speed) / 2)
            size = min(size, max(pace.fewest, share, int(pace.speed * _SHORTEST_SECONDS)))
        first, self._position = self._position, min(self.total, self._position + size)
        return Piece(first, self._position)

    def finish(self, piece: Piece) -> None:
        """Note that a piece is done."""
        self._done += len(piece)

    def put_back(self, left: list[Piece]) -> None:
        """Ask again for pieces that have not failed: their node was left out. Empties the list."""
        self._again.extend(left)
        left.clear()

    def fail(self, piece: Piece, where: str, why: str) -> None:
        """Ask for a piece again; ClusterError if it has failed too often."""
        failed = replace(piece, failed=(*piece.failed, where))
        if len(failed.failed) >= _MOST_FAILURES:
            nodes = ", ".join(dict.fromkeys(failed.failed))
            raise ClusterError(
                f"a block of cells ({len(piece):,}) failed {_MOST_FAILURES} times, on {nodes}, the "
                f"last time with: {why}; look there, then go on with the same command"
            )
        self._again.append(failed)
