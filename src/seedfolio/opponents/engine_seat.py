"""One side of one game of an external engine: a process, and the book that it plays first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Brief
from seedfolio.engines.endings import EngineFaultError, OwnFailureError
from seedfolio.engines.interface import RESIGN, Engine, IllegalMoveError
from seedfolio.engines.play.book_side import BookSide, looked_up
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import EngineError, SeedfolioError
from seedfolio.opponents.referee import Referee
from seedfolio.opponents.seat import ResignedError

_MOST_RUNNING = 8
"""Games whose engine keeps running; other engines get all moves again when a game goes on."""


@dataclass(frozen=True, eq=False)
class BookReader:
    """Looks up moves of both colours for one game."""

    program: EngineProgram
    words: NDArray[np.uint64]
    luck: int
    """64 random bits that draw among several books, or several moves at a state."""

    def side(self, colour: int) -> BookSide:
        """Return the book of a colour, for a game from the start on."""
        return BookSide(self.words, colour, self.luck)

    def move_after(self, played: Sequence[tuple[int, str]], colour: int) -> str | None:
        """Return the book's move for `colour` after these moves, each with its mover.

        None if the book has none: if it has ended, or if moves were not played in turn.
        """
        numbers: list[int] = []
        with closing(self.program.make_judge()) as judge:
            try:
                for mover, move in played:
                    if judge.mover != mover:
                        return None
                    numbers.append(judge.number(move))
                    judge.play(move, known=True)
                if judge.mover != colour:
                    return None
                planned = looked_up(self.words, colour, self.luck, numbers)
                return None if planned is None else judge.name(planned)
            except IllegalMoveError:
                return None


class RunningEngines:
    """The engines of an opponent's games, each with the moves that it knows. Any thread may ask."""

    def __init__(self) -> None:
        self._running: OrderedDict[tuple[int, int, int], tuple[Engine, tuple[int, ...]]] = (
            OrderedDict()
        )
        self._lock = threading.Lock()

    def take(self, game: tuple[int, int, int]) -> tuple[Engine | None, tuple[int, ...]]:
        """Return the engine of a game, which the caller gives back or ends, and what it knows."""
        with self._lock:
            return self._running.pop(game, (None, ()))

    def keep(self, game: tuple[int, int, int], engine: Engine, known: tuple[int, ...]) -> None:
        """Keep an engine; of too many, end the one that was not used for longest."""
        with self._lock:
            self._running[game] = engine, known
            old = self._running.popitem(last=False) if len(self._running) > _MOST_RUNNING else None
        if old is not None:
            old[1][0].close()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            while self._running:
                self._running.popitem()[1][0].close(polite=False)


@dataclass(frozen=True, repr=False)
class EngineSeat(Brief):
    """An arm of an external engine."""

    program: EngineProgram
    number: int
    colour: int
    key: int
    """64 random bits: those of the game."""
    referee: Referee
    running: RunningEngines = field(compare=False)
    book: BookReader | None = field(default=None, compare=False)

    def _summary(self) -> str:
        return f"{self.program!r}, {self.name}"

    @property
    def name(self) -> str:
        """What people call the arm."""
        return self.program.arm(self.number).name

    @property
    def has_book(self) -> bool:
        """Whether it has a book."""
        return self.book is not None

    def choose(self, history: Sequence[int]) -> int:
        """Return the move after `history`; EngineError if it fails, ResignedError if it resigns."""
        before = tuple(history)
        planned = self._planned(before)
        return self._asked(before) if planned is None else self.referee.parse(before, planned)

    def is_in_book(self, history: Sequence[int]) -> bool:
        """Tell whether the move after `history` is from the book."""
        return self._planned(tuple(history)) is not None

    def draw_chance(self, history: Sequence[int]) -> int:
        """Raise EngineError: external engines play no games of chance."""
        raise EngineError(f"{self.program.name} plays no games of chance")

    def close(self) -> None:
        """End the engine; it starts again when needed."""
        engine, _ = self.running.take(self._game)
        if engine is not None:
            engine.close(polite=False)

    @property
    def _game(self) -> tuple[int, int, int]:
        return self.number, self.colour, self.key

    def _planned(self, history: tuple[int, ...]) -> str | None:
        if self.book is None:
            return None
        played = [self._move(history, ply) for ply in range(len(history))]
        return self.book.move_after(played, self.colour)

    def _move(self, history: tuple[int, ...], ply: int) -> tuple[int, str]:
        """Return the mover and the name of a move in the history."""
        before = history[:ply]
        mover = self.referee.mover(before)
        assert mover is not None, "no move follows the end of a game"
        return mover, self.referee.name(before, history[ply]).lower()

    def _asked(self, history: tuple[int, ...]) -> int:
        try:
            engine = self._engine_after(history)
            try:
                move = engine.choose(self.colour)
            except BaseException:
                engine.close(polite=False)
                raise
        except (EngineFaultError, OwnFailureError) as failure:
            raise EngineError(str(failure)) from failure
        if move == RESIGN:
            engine.close()
            raise ResignedError(f"{self.program.engine_identity} resigns")
        try:
            number = self.referee.parse(history, move)
        except SeedfolioError as error:
            engine.close()
            name = self.program.engine_identity
            raise EngineError(f"{name} plays {move}, which is not a move here") from error
        self.running.keep(self._game, engine, (*history, number))
        return number

    def _engine_after(self, history: tuple[int, ...]) -> Engine:
        """Return a running engine that knows all moves of the game."""
        engine, known = self.running.take(self._game)
        if engine is not None and history[: len(known)] != known:
            engine.close(polite=False)  # moves were taken back
            engine = None
        if engine is None:
            engine, known = self.program.start(self.number), ()
        try:
            for ply in range(len(known), len(history)):
                engine.told(*self._move(history, ply))
        except BaseException:
            engine.close(polite=False)
            raise
        return engine
