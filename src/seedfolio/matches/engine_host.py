"""Plays the games of a match in which external engines take part, each in separate processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Lock

from seedfolio.arena.processes import Voids
from seedfolio.engines.endings import Ending, OwnFailureError
from seedfolio.engines.interface import Arm, Engine
from seedfolio.engines.play.game import Seat, play_between
from seedfolio.engines.play.pool import EnginePool, Lender
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.matches.built_in_host import BuiltInHost
from seedfolio.matches.schedule import Pairings
from seedfolio.opponents.seat import CompiledSeat


class EngineHost:
    """Plays the games of a match, from several threads; every game has new processes.

    The rules are those of the first engine of the two, in Go its referee. Two built-in programs
    play as in a match without engines.
    """

    def __init__(self, pairings: Pairings) -> None:
        self._pairings = pairings
        self._pools = {
            place: EnginePool(opponent.engine, reuse=False)
            for place, opponent in enumerate(pairings.programs)
            if opponent.engine is not None
        }
        built_in = [each for each in pairings.programs if not each.is_engine]
        self._built_in = BuiltInHost(pairings) if built_in else None
        limits = [pool.program.specification.game.moves for pool in self._pools.values()]
        self._limit = min([*limits, *(each.game.rules.max_plies for each in built_in)])
        self._voids, self._lock = Voids(), Lock()

    def prepare(self) -> None:
        """Compile what built-in programs need, in this thread alone."""
        if self._built_in is not None:
            self._built_in.prepare(moves=True)

    def play(self, number: int, stop: Event) -> GameRecord | None:
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
            first, second = (self._seat(number, colour) for colour in (0, 1))
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
                return replace(record, players=names, arms=arms, number=number)
        return None

    def stop(self) -> None:
        """End all engines at work; threads that wait for one get an error."""
        for pool in self._pools.values():
            pool.stop()

    def close(self) -> None:
        """End all processes; first, all threads must have come back."""
        for pool in self._pools.values():
            pool.close()

    def _seat(self, number: int, colour: int) -> Seat:
        place, key = self._pairings.colours(number)[colour], self._pairings.key_of(number)
        opponent = self._pairings.programs[place]
        if opponent.engine is None:
            seat = opponent.draw_compiled(colour, key)
            lender: Lender = _InThisProcess(seat, opponent.name)
            return Seat(Arm(seat.number, {"seed": seat.number}), lender)
        arm, books = opponent.draw_arm(colour, key), opponent.reader(key)
        book = None if books is None else books.side(colour)
        return Seat(opponent.engine.arm(arm), self._pools[place], book=book)


@dataclass
class _InThisProcess:
    """A seat of a built-in program as an engine for one game, which lends itself."""

    seat: CompiledSeat
    identity: str
    ignored_quit = False
    score = ""
    _history: list[int] = field(default_factory=list)

    def engine(self, arm: Arm) -> Engine:
        """Lend the program."""
        return self

    @contextmanager
    def lend(self, arm: Arm, *, new: bool = False) -> Iterator[Engine]:
        """Lend the program for a with block."""
        yield self

    def give_back(self, engine: Engine, arm: Arm) -> None:
        """Do nothing: there is no process."""

    def discard(self, engine: Engine) -> None:
        """Do nothing: there is no process."""

    def new_game(self, arm: Arm) -> None:
        """Begin a new game."""
        self._history = []

    def told(self, colour: int, move: str) -> None:
        """Receive a move."""
        self._history.append(self.seat.program.game.parse_move(move))

    def choose(self, colour: int) -> str:
        """Return the move of the program; it counts as played."""
        try:
            move = self.seat.choose(self._history)
        except SpecificationError as error:  # the referee of Go may have other rules
            raise OwnFailureError(str(error)) from error
        self._history.append(move)
        return self.seat.program.game.move_name(move).lower()

    def close(self, polite: bool = True) -> None:
        """Do nothing: there is no process."""

    def kill(self) -> None:
        """Do nothing: there is no process."""
