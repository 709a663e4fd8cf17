"""How long a program thinks over a move, and what it tells of its thoughts.

A program that has no limits thinks as it has learnt to: with all its simulations, to its depth.
`nodes`, `depth` and `movetime` change that. A clock only ever shortens it, so that a seed plays as
it has learnt wherever there is time.

Searches run in threads. When the time is over, the program plays the move of the last search that
has ended, so no search can lose a game on time.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.engines.clock import Clock, Reserve
from seedfolio.engines.interface import Times
from seedfolio.engines.play.adjudication import MATE
from seedfolio.errors import SpecificationError
from seedfolio.opponents.background import in_background
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.players.alphabeta import MAX_DEPTH
from seedfolio.players.books.table import pack
from seedfolio.players.interface import Outlook, Player
from seedfolio.players.program import Program, thinking
from seedfolio.players.tree import MAX_SIMULATIONS

_MOST = {"simulations": MAX_SIMULATIONS, "playouts": MAX_SIMULATIONS, "depth": MAX_DEPTH}
"""The parameters that say how much a player thinks, and the most of each."""
_DEPTH = "depth"
_FIRST = 50
"""The simulations of a first search, which gives a move soon, and the speed."""
_FASTER = 0.8
"""Of the time that is left, the share that a longer search is to take."""
_DEEPER = 8
"""A search that is deeper by one takes this many times as long, or less."""
_GRACE = 0.05
"""Seconds that a search may still take after `stop`."""
_STEP = 0.002
"""Seconds between two tries to end a search."""
_TICK = 0.005
"""Seconds after which a thread that waits for a search looks how late it is."""
_NUMBERS = ("nodes", _DEPTH, "movetime")
_CLOCKS = (("wtime", "winc"), ("btime", "binc"))


class Limits:
    """Limits of one search, and who hears of it. Another thread may end it."""

    def __init__(
        self,
        tell: Callable[[str], None],
        *,
        numbers: dict[str, int] | None = None,
        clocks: Sequence[Clock | None] = (None, None),
        only: Sequence[str] = (),
        endless: bool = False,
        ponders: bool = False,
        times: Times | None = None,
        reserve: Reserve | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now = now
        self.begin()
        self.tell = tell
        self.number = numbers or {}
        """The values of nodes, depth and movetime, where they are given."""
        self.only = tuple(only)
        """The moves to choose from; none: all."""
        self.endless = endless
        """Whether the search continues until it is stopped, without a book."""
        self._clocks = clocks
        self.times = times
        """The clocks as an external engine hears them."""
        self._ponders = ponders
        """Whether the clock has not begun."""
        self._reserve = reserve or Reserve()
        self._reserve.begin()
        self._stopped = False
        self._wake = Event()

    @classmethod
    def parse(
        cls, words: Sequence[str], tell: Callable[[str], None], reserve: Reserve | None = None
    ) -> Limits:
        """Return the limits in the words after `go`; SpecificationError if one is no number."""
        numbers = {name: _number(words, name) for name in _NUMBERS if name in words}
        moves = _number(words, "movestogo") if "movestogo" in words else None
        clocks = [
            Clock(_milliseconds(words, left), _milliseconds(words, increment), moves)
            if left in words
            else None
            for left, increment in _CLOCKS
        ]
        return cls(
            tell,
            numbers=numbers,
            clocks=clocks,
            only=_searchmoves(words),
            endless="infinite" in words,
            ponders="ponder" in words,
            reserve=reserve,
        )

    def begin(self, at: float | None = None) -> None:
        """Let the time begin, or have begun at a time of the clock; None: now."""
        self._begun = self._now() if at is None else at

    def stop(self) -> None:
        """End the search soon."""
        self._stopped = True
        self._wake.set()

    def hit(self) -> None:
        """Let the clock begin: the move that the program pondered on is played."""
        self._ponders = False
        self.begin()
        self._wake.set()

    def choose(self, seat: CompiledSeat, history: Sequence[int]) -> int:
        """Return the move of a seat within the limits, and tell of the searches."""
        position = seat.program.game.position(history)
        wanted = [seat.program.game.parse_move(name) for name in self.only]
        wanted = [move for move in wanted if move in position.moves]
        if self.only and not wanted:
            raise SpecificationError("searchmoves names no legal move")
        searches = _Searches(seat, tuple(history), tuple(wanted), not (wanted or self.endless))
        found = self._deepened(searches, position.mover)
        if found is None:
            self.tell("info string no time to think: the first legal move")
            return (wanted or position.moves)[0]
        self._tell_of(searches, found)
        seat.heard.append(found.opinion)
        return found.move

    def _deepened(self, searches: _Searches, colour: int) -> _Found | None:
        """Return what the longest search within the limits has found."""
        effort, goal = self._goal(searches.player)
        deepens = self.endless or "movetime" in self.number
        best: _Found | None = None
        now = goal
        if effort == _DEPTH:
            now = 1
        elif deepens or self._clocks[colour] or goal > 20 * _FIRST:
            now = min(goal, _FIRST)
        while True:
            found = self._search(searches, effort, now, colour, soon=best is not None)
            if found is None:
                return best
            if best is not None and deepens:
                self._tell_of(searches, best)
            best = found
            if now >= goal or found.from_book or self._is_over(colour):
                return best
            longer = self._longer(searches, best, now, goal, colour)
            if longer is None:
                return best
            now = longer

    def _goal(self, player: Player) -> tuple[str | None, int]:
        """Return the parameter that says how much a player thinks, and its value."""
        effort = effort_of(player)
        if effort is None:
            return None, 0
        limit = _DEPTH if effort == _DEPTH else "nodes"
        number, most = self.number.get(limit), _MOST[effort]
        if number is not None:
            if number > most:
                told = f"go {limit} {number} is above the limit {most}, which is taken"
                self.tell(f"info string {told}")
            return effort, min(number, most)
        if self.endless or "movetime" in self.number:
            return effort, most
        return effort, int(player.parameters[effort])

    def _longer(
        self, searches: _Searches, last: _Found, now: int, goal: int, colour: int
    ) -> int | None:
        """Return the effort of the next search; None if there is no time for it."""
        until = self._until(colour, soon=True)
        if searches.stops:
            return goal
        depth = last.effort == _DEPTH
        if math.isinf(until):
            return min(goal, now + 1 if depth else 4 * now) if self.endless else goal
        faster = _FASTER * (until - self._now()) / max(last.seconds, 1e-6)
        if not depth and goal <= now * faster:
            return goal
        if faster < (_DEEPER if depth else 2):
            return None
        if depth:
            return now + 1
        # Few different numbers, so that programs are kept.
        return min(goal, _FIRST << int(math.log2(now * min(faster, 64) / _FIRST)))

    def _until(self, colour: int, *, soon: bool) -> float:
        """Return when a search must have ended: one with a move to fall back on is ended soon."""
        if self._ponders:
            return math.inf
        if (given := self.number.get("movetime")) is not None:
            return self._begun + Clock(given / 1000).last(self._reserve.seconds)
        clock = self._clocks[colour]
        if clock is None:
            return math.inf
        kept = self._reserve.seconds
        return self._begun + (clock.soon(kept) if soon else clock.last(kept))

    def _is_over(self, colour: int) -> bool:
        return self._stopped or self._now() >= self._until(colour, soon=True)

    def _search(
        self, searches: _Searches, effort: str | None, number: int, colour: int, *, soon: bool
    ) -> _Found | None:
        """Return what a search finds; None if it has not ended in time.

        Without a move to fall back on, `stop` waits for it.
        """
        program = searches.program(effort, number)
        room, box, start = program.workspace(), list[Any](), self._now()

        def run() -> None:
            try:
                box.append(searches.run(program, room))
            except BaseException as error:
                box.append(error)
            self._wake.set()

        done = in_background(run)
        while not box and not (self._stopped and soon):
            self._wake.clear()
            rest = self._until(colour, soon=soon) - self._now()
            if box or rest <= 0 or (self._stopped and soon):
                break
            self._wait(rest)
        if not box and self._stopped and soon:
            done.wait(_GRACE)
        stop = program.bound.stop
        patience = self._now() + self._reserve.seconds / 2
        while not box and searches.stops and stop is not None:
            room[stop] = 1
            done.wait(_STEP)
            if not self._stopped and self._now() > patience:
                # It gets no core, and takes the order back when it begins at last.
                in_background(partial(_end, done, room, stop))
                break
        if not box:
            return None
        if isinstance(box[0], BaseException):
            raise box[0]
        move, from_book, outlook = box[0]
        if outlook is not None and outlook.depth == 0:
            return None  # it was stopped before it had seen anything
        return _Found(move, from_book, outlook, effort, number, self._now() - start)

    def _wait(self, seconds: float) -> None:
        """Wait for the search, but not for long; note how late this thread got a core again."""
        if math.isinf(seconds):
            self._wake.wait()
            return
        until = self._now() + min(seconds, _TICK)
        if not self._wake.wait(min(seconds, _TICK)):
            self._reserve.note(self._now() - until)

    def _tell_of(self, searches: _Searches, found: _Found) -> None:
        if found.from_book:
            self.tell("info string book")
            return
        seconds = self._now() - self._begun
        limit = _DEPTH if found.effort == _DEPTH else "nodes"
        given = found.effort is not None and not self.number.keys().isdisjoint({limit, "movetime"})
        timed = given or self.endless or any(self._clocks)
        words = found.words(seconds if timed else None)
        self.tell(" ".join(["info", *words, "pv", searches.name(found.move)]))


@dataclass(frozen=True)
class _Found:
    """What a search has found."""

    move: int
    from_book: bool
    outlook: Outlook | None
    effort: str | None
    number: int
    seconds: float
    """How long it took."""

    @property
    def opinion(self) -> tuple[str, str]:
        """The score in centipawns, and with the depth as in PGN."""
        outlook = self.outlook
        if self.from_book or outlook is None:
            return "", "book" if self.from_book else ""
        reached = outlook.depth or (self.number if self.effort == _DEPTH else None)
        depth = "" if reached is None else f"/{reached}"
        if outlook.mate is None:
            return str(outlook.centipawns), f"{outlook.centipawns / 100:+.2f}{depth}"
        sign = "+" if outlook.mate > 0 else "-"
        return f"{sign}{MATE}", f"{sign}M{abs(outlook.mate)}{depth}"

    def words(self, seconds: float | None) -> list[str]:
        """Return depth or nodes, and the score; with limits the time since `go`, which varies."""
        words = []
        if self.effort == _DEPTH:
            reached = None if self.outlook is None else self.outlook.depth
            words.append(f"depth {reached or self.number}")
        elif self.effort is not None:
            words.append(f"nodes {self.number}")
        if seconds is not None:
            words.append(f"time {round(1000 * seconds)}")
            if self.effort not in (None, _DEPTH):
                words.append(f"nps {round(self.number / max(self.seconds, 1e-6))}")
        if self.outlook is not None:
            mate = self.outlook.mate
            exact = f"cp {self.outlook.centipawns}" if mate is None else f"mate {mate}"
            words.append(f"score {exact}")
        return words


class _Searches:
    """Searches of an arm in one position, among all moves or some of them."""

    def __init__(
        self, seat: CompiledSeat, history: tuple[int, ...], only: tuple[int, ...], book: bool
    ) -> None:
        self._seat = seat
        self._history = history
        self._only = only
        self._program = seat.program
        if seat.program.books is not None and not book:
            empty = pack([[], []], symmetric=bool(seat.program.books.words[0]))
            self._program = seat.program.with_books(empty)

    @property
    def player(self) -> Player:
        """The player, with the parameters that it was learnt with."""
        return self._program.player

    @property
    def stops(self) -> bool:
        """Whether a search ends when it is told to, with a move."""
        return self._program.bound.stop is not None and not self._only

    def name(self, move: int) -> str:
        """Return the name of a move."""
        return self._program.game.move_name(move)

    def program(self, effort: str | None, number: int) -> Program:
        """Return the program that thinks this much; its code is the same."""
        player: Any = self.player
        if effort is None or player.parameters[effort] == number:
            return self._program
        # Kept, as binding a player takes milliseconds.
        kept: dict[int, Program] = self._program.__dict__.setdefault("_by_effort", {})
        if number not in kept:
            kept[number] = thinking(self._program, replace(player, **{effort: number}))
        return kept[number]

    def run(self, program: Program, room: NDArray[np.int32]) -> tuple[int, bool, Outlook | None]:
        """Search; return the move, whether it is from the book, and what the player thinks."""
        if not self._only:
            return self._chosen(program, self._history, room)
        judged = [self._after(program, move, room) for move in self._only]
        best = max(range(len(judged)), key=lambda k: _rank(judged[k]))
        return self._only[best], False, judged[best]

    def _chosen(
        self, program: Program, history: tuple[int, ...], room: NDArray[np.int32]
    ) -> tuple[int, bool, Outlook | None]:
        seat, outlook = self._seat, program.bound.outlook
        move, from_book = program.choose_noting(history, seat.number, seat.luck, room)
        if from_book or outlook is None:
            return move, from_book, None
        return move, False, outlook(room, len(program.game.position(history).moves))

    def _after(self, program: Program, move: int, room: NDArray[np.int32]) -> Outlook | None:
        """Return what the mover may think of a move: what the arm thinks of the position then."""
        history = (*self._history, move)
        mover = program.game.position(self._history).mover
        after = program.game.position(history)
        if not after.moves:
            points = after.score or 0
            success = points / program.scale
            return Outlook.of_success(1 - success if mover else success)
        outlook = self._chosen(program, history, room)[2]
        return outlook if outlook is None or after.mover == mover else outlook.turned()


def _rank(outlook: Outlook | None) -> tuple[int, int]:
    if outlook is None:
        return 0, 0
    if outlook.mate is None:
        return 0, outlook.centipawns
    return (1, -outlook.mate) if outlook.mate > 0 else (-1, -outlook.mate)


def limits_by(
    clock: Clock | None, times: Times | None = None, reserve: Reserve | None = None
) -> Limits | None:
    """Return the limits of a move by a clock, which begins now; None: there are none."""
    if clock is None:
        return None
    return Limits(lambda _: None, clocks=(clock, clock), times=times, reserve=reserve)


def _end(done: Event, room: NDArray[np.int32], stop: int) -> None:
    while not done.wait(_STEP):
        room[stop] = 1


def no_limits() -> Limits:
    """Return limits that change nothing, for a player to tell what it thinks."""
    return Limits(lambda _: None)


def effort_of(player: Player) -> str | None:
    """Return the parameter that says how much a player thinks."""
    return next((name for name in _MOST if name in player.parameters), None)


def _number(words: Sequence[str], name: str) -> int:
    value = (*words, "")[words.index(name) + 1]
    if not re.fullmatch(r"0*[1-9][0-9]{0,11}", value):
        raise SpecificationError(f"go {name} takes a whole number of 1 or more, not {value!r}")
    return int(value)


def _milliseconds(words: Sequence[str], name: str) -> float:
    """Return a time in seconds; controllers send negative ones when the time is over."""
    if name not in words:
        return 0.0
    value = (*words, "")[words.index(name) + 1]
    if not re.fullmatch(r"-?[0-9]{1,12}", value):
        raise SpecificationError(f"go {name} takes a whole number of milliseconds, not {value!r}")
    return max(0, int(value)) / 1000


_WORDS = frozenset(
    ["ponder", "infinite", "movestogo", "mate", "searchmoves", *_NUMBERS, *sum(_CLOCKS, ())]
)


def _searchmoves(words: Sequence[str]) -> list[str]:
    if "searchmoves" not in words:
        return []
    found = []
    for word in words[words.index("searchmoves") + 1 :]:
        if word in _WORDS:
            break
        found.append(word)
    return found
