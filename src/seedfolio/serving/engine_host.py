"""Plays the games of a match in which external engines take part, each in separate processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock

from seedfolio.arena.processes import Voids
from seedfolio.engines.endings import Ending, OwnFailureError
from seedfolio.engines.interface import Arm, Engine
from seedfolio.engines.play.game import Seat, play_between
from seedfolio.engines.play.pool import EnginePool, Lender
from seedfolio.errors import SpecificationError
from seedfolio.serving.built_in_host import BuiltInHost
from seedfolio.serving.entrants import BuiltInEntrant, EngineEntrant
from seedfolio.serving.match_record import MatchGame
from seedfolio.serving.opponent import Opponent
from seedfolio.serving.pairings import Pairings


class EngineHost:
    """Plays the games of a match, from several threads; every game has new processes.

    The rules are those of the first engine of the two, in Go its referee. Two built-in programs
    play as in a match without engines.
    """

    def __init__(self, pairings: Pairings) -> None:
        self._pairings = pairings
        self._pools = {
            place: EnginePool(entrant.program, reuse=False)
            for place, entrant in enumerate(pairings.programs)
            if isinstance(entrant, EngineEntrant)
        }
        built_in = [each for each in pairings.programs if isinstance(each, BuiltInEntrant)]
        self._built_in = BuiltInHost(pairings) if built_in else None
        limits = [pool.program.specification.game.moves for pool in self._pools.values()]
        self._limit = min([*limits, *(each.game.rules.max_plies for each in built_in)])
        self._voids, self._lock = Voids(), Lock()

    def prepare(self) -> None:
        """Compile what built-in programs need, in this thread alone."""
        if self._built_in is not None:
            self._built_in.prepare(moves=True)

    def play(self, number: int, stop: Event) -> MatchGame | None:
        """Play a game; None if `stop` is set on the way. Void games are played again.

        EngineError if an engine does not start, if the first game is void, or if two games in a
        row are.
        """
        places = self._pairings.colours(number)
        if self._built_in is not None and not self._pools.keys() & set(places):
            return self._built_in.play(number, stop)
        names, arms = self._pairings.names_and_arms(number)
        rules = self._pools[min(self._pools.keys() & set(places))]
        while not stop.is_set():
            first, second = (self._seat(number, colour, arms[colour]) for colour in (0, 1))
            judge = rules.judge()
            try:
                record = play_between((first, second), judge, self._limit)
            finally:
                rules.give_back_judge(judge)
            if stop.is_set():
                break
            with self._lock:
                self._voids.count(record)
            if record.ending is not Ending.VOID:
                how = record.ending.value, record.detail
                return MatchGame(number, names, arms, record.moves, record.points, *how)
        return None

    def stop(self) -> None:
        """End all engines at work; threads that wait for one get an error."""
        for pool in self._pools.values():
            pool.stop()

    def close(self) -> None:
        """End all processes; first, all threads must have come back."""
        for pool in self._pools.values():
            pool.close()

    def _seat(self, number: int, colour: int, arm: int) -> Seat:
        place = self._pairings.colours(number)[colour]
        entrant = self._pairings.programs[place]
        if isinstance(entrant, EngineEntrant):
            book = entrant.book_side(colour, self._pairings.key_of(number))
            return Seat(entrant.program.arm(arm), self._pools[place], book=book)
        luck = entrant.opponent.new_game(colour, self._pairings.key_of(number)).luck
        lender: Lender = _InThisProcess(entrant.opponent, luck)
        return Seat(Arm(arm, {"seed": arm}), lender)


@dataclass(frozen=True)
class _InThisProcess:
    """Lends a built-in program as an engine for one game."""

    opponent: Opponent
    luck: int

    def engine(self, arm: Arm) -> Engine:
        """Lend the program."""
        return _BuiltInEngine(self.opponent, self.luck)

    @contextmanager
    def lend(self, arm: Arm, *, new: bool = False) -> Iterator[Engine]:
        """Lend the program for a with block."""
        yield self.engine(arm)

    def give_back(self, engine: Engine, arm: Arm) -> None:
        """Do nothing: there is no process."""

    def discard(self, engine: Engine) -> None:
        """Do nothing: there is no process."""


@dataclass
class _BuiltInEngine:
    """A built-in program as an engine that knows the rules by itself."""

    opponent: Opponent
    luck: int
    ignored_quit = False
    score = ""
    _arm: int = 0
    _history: list[int] = field(default_factory=list)

    @property
    def identity(self) -> str:
        """The name on screen."""
        return self.opponent.name

    def new_game(self, arm: Arm) -> None:
        """Begin a new game as `arm`."""
        self._arm, self._history = arm.number, []

    def told(self, colour: int, move: str) -> None:
        """Receive a move."""
        self._history.append(self.opponent.program.game.parse_move(move))

    def choose(self, colour: int) -> str:
        """Return the move of the program; it counts as played."""
        try:
            move = self.opponent.playing.choose(self._history, self._arm, self.luck)
        except SpecificationError as error:  # the referee of Go may have other rules
            raise OwnFailureError(str(error)) from error
        self._history.append(move)
        return self.opponent.program.game.move_name(move).lower()

    def close(self, polite: bool = True) -> None:
        """Do nothing: there is no process."""

    def kill(self) -> None:
        """Do nothing: there is no process."""
