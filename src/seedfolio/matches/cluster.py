"""A match on a cluster: its nodes play whole games, by the same code as this machine."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any, ClassVar, Self

from seedfolio.arena.ray.arena import RayArena
from seedfolio.arena.ray.package import EngineParcel, ProgramParcel
from seedfolio.arena.ray.players import sample_games
from seedfolio.arena.ray.worker import Asked, Done, Order
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.matches.host import Host
from seedfolio.matches.schedule import Pairings
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.referee import WrongOpeningError
from seedfolio.players.program import Program


def cluster_games(
    arena: RayArena, pairings: Pairings, numbers: Sequence[int], *, noted: bool
) -> Generator[GameRecord, None, None]:
    """Yield the games of a match with these numbers, in their order."""
    # A file may have millions of openings.
    first = pairings.openings[: numbers[-1] // 2 + 1]
    parcel = MatchParcel.of(replace(pairings, openings=first), noted)
    waiting, done = deque(numbers), dict[int, GameRecord]()
    memory = 2 * max(map(_memory, pairings.programs))
    with closing(arena.numbered(parcel, _digest(pairings), numbers, memory)) as blocks:
        for games in blocks:
            done |= {game.number: game for game in games}
            while waiting and waiting[0] in done:
                yield done.pop(waiting.popleft())


@dataclass(frozen=True)
class OpponentParcel:
    """One program of a match."""

    program: ProgramParcel | EngineParcel
    form: dict[str, Any]
    """What else the program has."""
    drawn: tuple[Any, ...]
    """What was learnt, and all else that an opponent has."""

    @classmethod
    def of(cls, opponent: Opponent) -> Self:
        """Pack an opponent; SpecificationError if a part of it is in no file."""
        program = opponent.program
        drawn = opponent.plays, opponent.learner, opponent.own, opponent.arm
        if not isinstance(program, Program):
            return cls(EngineParcel.of(program), {}, drawn)
        form = {name: getattr(program, name) for name in ("repeats", "turned", "books")}
        return cls(ProgramParcel.of(program), form, drawn)

    def unpack(self, folder: Path) -> Opponent:
        """Return the opponent on a node; its files are kept in `folder`."""
        return Opponent(replace(self.program.unpack(folder), **self.form), *self.drawn)


@dataclass(frozen=True)
class MatchParcel:
    """A whole match, of which a node plays the games that it is asked for."""

    programs: tuple[OpponentParcel, ...]
    pairings: Pairings
    """All but the programs."""
    noted: bool
    key: str
    has_processes: ClassVar[bool] = True

    @classmethod
    def of(cls, pairings: Pairings, noted: bool) -> Self:
        """Pack a match; SpecificationError if a program is in no file."""
        parts = tuple(map(OpponentParcel.of, pairings.programs)), replace(pairings, programs=())
        return cls(*parts, noted, hashlib.sha256(pickle.dumps((parts, noted))).hexdigest()[:32])

    def make_player(self, folder: Path) -> MatchPlayer:
        """Return what plays it on a node."""
        programs = tuple(each.unpack(folder) for each in self.programs)
        return MatchPlayer(replace(self.pairings, programs=programs), self.noted)


class MatchPlayer:
    """Plays games of a match on one core of a node."""

    def __init__(self, pairings: Pairings, noted: bool) -> None:
        self.digest = _digest(pairings)
        self._host = Host(pairings, noted=noted)
        self._host.prepare()

    def play(self, order: Order, asked: Asked) -> Done:
        """Play the games whose numbers are the rows."""
        began = time.perf_counter()
        try:
            games = [self._host.play(number, Event()) for number in asked.rows.tolist()]
        except WrongOpeningError as wrong:
            raise SpecificationError(str(wrong)) from None
        seconds = time.perf_counter() - began
        return Done((), seconds, tuple(game for game in games if game is not None))

    def close(self) -> None:
        """End all processes."""
        self._host.close()


def _digest(pairings: Pairings) -> str:
    """Return a digest of what the programs are: of external engines, whose names they report."""
    every = [sample_games(each.program, deterministic=False) for each in pairings.programs]
    return hashlib.sha256("\n".join(every).encode()).hexdigest()[:32]


def _memory(opponent: Opponent) -> int:
    """Return the bytes that one side needs."""
    program = opponent.program
    return 4 * program.bound.workspace if isinstance(program, Program) else 0
