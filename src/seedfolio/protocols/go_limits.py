"""How long a program thinks over a move, as `go` of UCI says, and what it tells of its thoughts."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from seedfolio.errors import SpecificationError
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.players.alphabeta import MAX_DEPTH
from seedfolio.players.interface import Player
from seedfolio.players.program import thinking
from seedfolio.players.tree import MAX_SIMULATIONS

_MOST = {"simulations": MAX_SIMULATIONS, "playouts": MAX_SIMULATIONS, "depth": MAX_DEPTH}
"""The parameters that say how much a player thinks, and the most of each."""
_DEPTH = "depth"
_FIRST = 50
"""The simulations of a first search that is timed."""
_FASTER = 0.8
"""Of the time that is left, the share that a longer search is to take."""
_DEEPER = 8
"""A search that is deeper by one takes this many times as long, or less."""


@dataclass(frozen=True)
class GoLimits:
    """Limits of a search, and who hears of it."""

    tell: Callable[[str], None]
    nodes: int | None = None
    depth: int | None = None
    movetime: int | None = None
    """In milliseconds."""

    @classmethod
    def parse(cls, words: Sequence[str], tell: Callable[[str], None]) -> GoLimits:
        """Return the limits in the words after `go`; SpecificationError if one is no number."""
        found: dict[str, int] = {}
        for name in ("nodes", _DEPTH, "movetime"):
            if name in words:
                value = (*words, "")[words.index(name) + 1]
                if not re.fullmatch(r"0*[1-9][0-9]{0,11}", value):
                    raise SpecificationError(
                        f"go {name} takes a whole number of 1 or more, not {value!r}"
                    )
                found[name] = int(value)
        return cls(tell, **found)

    def choose(self, seat: CompiledSeat, history: Sequence[int]) -> int:
        """Return the move of a seat within the limits, and tell of each search."""
        search = _Search(seat, tuple(history), self.tell)
        effort = _effort_of(seat.program.player)
        number = self.depth if effort == _DEPTH else self.nodes
        if effort is None or (number is None and self.movetime is None):
            return search.at(None, 0)
        most = min(number or _MOST[effort], _MOST[effort])
        if self.movetime is None:
            return search.at(effort, most)
        end = time.monotonic() + self.movetime / 1000
        now = min(1 if effort == _DEPTH else _FIRST, most)
        while True:
            move, left = search.at(effort, now), end - time.monotonic()
            if now == most or search.from_book or left <= 0:
                return move
            faster = _FASTER * left / max(search.seconds, 1e-6)
            if faster < (_DEEPER if effort == _DEPTH else 2):
                return move
            now = now + 1 if effort == _DEPTH else min(most, int(now * min(faster, 64)))


class _Search:
    """Searches of an arm in one position."""

    def __init__(
        self, arm: CompiledSeat, history: tuple[int, ...], tell: Callable[[str], None]
    ) -> None:
        self._arm = arm
        self._history = history
        self._tell = tell
        self.seconds = 0.0
        """The time that the last search took."""
        self.from_book = False
        """Whether the move is that of a book."""

    def at(self, effort: str | None, number: int) -> int:
        """Return the move by a search with this effort; None: the usual one."""
        program = self._arm.program
        if effort is not None and program.player.parameters[effort] != number:
            player: Any = program.player
            program = thinking(program, replace(player, **{effort: number}))
        room = program.workspace()
        start = time.monotonic()
        arm = self._arm
        move, self.from_book = program.choose_noting(self._history, arm.number, arm.luck, room)
        self.seconds = time.monotonic() - start
        if self.from_book:
            self._tell("info string book")
            return move
        words = _effort_words(program.player, None if effort is None else self.seconds)
        if program.bound.outlook is not None:
            count = len(program.game.position(self._history).moves)
            found = program.bound.outlook(room, count)
            exact = f"cp {found.centipawns}" if found.mate is None else f"mate {found.mate}"
            words.append(f"score {exact}")
        self._tell(" ".join(["info", *words, "pv", program.game.move_name(move)]))
        return move


def _effort_of(player: Player) -> str | None:
    return next((name for name in _MOST if name in player.parameters), None)


def _effort_words(player: Player, seconds: float | None) -> list[str]:
    """Return the depth or the nodes; with limits the time as well, which varies."""
    effort = _effort_of(player)
    words = []
    if effort is not None:
        number = player.parameters[effort]
        words.append(f"depth {number}" if effort == _DEPTH else f"nodes {number}")
    if seconds is not None:
        words.append(f"time {round(1000 * seconds)}")
        if effort not in (None, _DEPTH):
            words.append(f"nps {round(number / max(seconds, 1e-6))}")
    return words
