"""Games in play on the page: moved on by the visitor, and by programs that think in a queue.

This is the same for ordinary games, blind ones and games of teaching. A `TableKind` says how a
program is loaded, when its answer is shown, and what becomes of a game whose program fails.

An answer is on disk as soon as the program has it. Where answers have times, the page shows the
game without it until the moment that `AnswerTimes` has drawn.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from time import monotonic

from seedfolio.errors import SeedfolioError, StudyError
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress
from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.people.store import PersonGame
from seedfolio.people.table import Table
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import OpponentChoice, Opponents
from seedfolio.web.queue import Queue
from seedfolio.web.sittings import Sitting, Sittings

_LONGEST_MOVE = 40
_MOST_FAILURES = 1_000
_log = logging.getLogger("seedfolio.web")


class TableKind(ABC):
    """What differs between kinds of games."""

    times: AnswerTimes | None = None
    """When answers are shown; None: at once."""

    def __init__(self, sittings: Sittings, opponents: Opponents) -> None:
        self._sittings = sittings
        self._opponents = opponents
        self._lock = threading.Lock()
        self._failures: dict[OpponentChoice, str] = {}

    @abstractmethod
    def table(self, sitting: Sitting) -> Table | None:
        """Return the table of a sitting; None if it is not loaded. PageError if it fails."""

    def loading(self, choice: OpponentChoice) -> AbstractContextManager[object]:
        """Load a program, if it is not, and keep it during the block."""
        return self._opponents.using(choice)

    def failed(self, choice: OpponentChoice, sitting: Sitting | None, text: str) -> None:
        """Remember why a program cannot be loaded or cannot go on."""
        with self._lock:
            self._failures[choice] = text
            if len(self._failures) > _MOST_FAILURES:  # visitors choose them
                del self._failures[next(iter(self._failures))]

    def check(self, choice: OpponentChoice) -> None:
        """Raise PageError for a program that has failed."""
        if (failure := self._failures.get(choice)) is not None:
            raise PageError(400, failure)


@dataclass(frozen=True)
class View:
    """A table as its visitor may see it now."""

    table: Table | None
    """None as long as the program is not loaded."""
    game: PersonGame | None = None
    """The game that is played, or the last."""
    now: GameInProgress | None = None
    """The same with its program, if that is loaded."""

    @property
    def ready(self) -> bool:
        """Whether the program is loaded."""
        return self.table is not None and self.table.ready

    @property
    def ended(self) -> bool:
        """Whether nobody moves any more."""
        return self.game is not None and self.game.ending is not None


@dataclass
class _Held:
    """An answer that is worked on, or waits until it is due."""

    shown: int
    """How many moves the visitor may see."""
    asked: float = field(default_factory=monotonic)
    due: Future[None] = field(default_factory=Future)


class Tables:
    """The games of all visitors."""

    def __init__(self, sittings: Sittings, queue: Queue, kinds: Mapping[str, TableKind]) -> None:
        self._sittings = sittings
        self._queue = queue
        self._kinds = kinds
        self._lock = threading.Lock()
        self._held: dict[str, _Held] = {}

    def look(self, sitting: Sitting) -> View:
        """Return a table as its visitor may see it now."""
        table = self._kinds[sitting.kind].table(sitting)
        if table is None:
            return View(None)
        game = table.last()
        held = self._held.get(sitting.id)  # after the game: an answer in it is held, or was due
        if game is not None and held is not None:
            shown = game.history[: held.shown]
            game = replace(game, history=shown, ending=None, points=None)
        if game is None or not table.ready:
            return View(table, game)
        return View(table, game, table.in_progress(game))

    def move(self, sitting: Sitting, text: str, at: str) -> None:
        """Play a move of the visitor, who has noticed `at` events; it is on disk then."""
        table, game = self._playing(sitting)
        if at != str(len(table.in_progress(game).seen.events)):
            raise PageError(409, "The game has gone on meanwhile. Look at it again.")
        if not text or len(text) > _LONGEST_MOVE:
            raise PageError(400, "Type a move, or choose one on the board.")
        self._sittings.play(sitting)
        self._ended(sitting, table.move(game, text))

    def undo(self, sitting: Sitting) -> None:
        """Take back the visitor's last move; SpecificationError where there is no undo."""
        table, game = self._playing(sitting)
        before = table.in_progress(game).undone()
        if before is None:
            raise PageError(400, "You have no move to take back.")
        table.after(game, before)

    def resign(self, sitting: Sitting) -> None:
        """End a game that the visitor gives up."""
        table, game = self._playing(sitting, ready=False)
        self._ended(sitting, table.resign(game))

    def check_turn(self, sitting: Sitting) -> None:
        """Raise PageError while an answer is held back: it is not the visitor's turn."""
        if sitting.id in self._held:
            raise PageError(409, "Wait for the program to move.")

    def load(self, kind: str, choice: OpponentChoice, visitor: str) -> Future[None]:
        """Load a program; return when that is done."""
        work = self._kinds[kind]

        def load() -> float:
            try:
                with work.loading(choice):
                    pass
            except Exception as error:
                self._fail(work, choice, None, error)
            return 0.0  # loading is for all visitors, and not the thinking of one

        return self._queue.ask(f"{kind} {choice.text}", visitor, load)

    def proceed(self, sitting: Sitting) -> Future[None] | None:
        """Let the program think if it is its turn; return when the answer is due, None if not.

        PageError if the queue is full.
        """
        kind = self._kinds[sitting.kind]
        if kind.times is not None:
            return self._proceed_in_time(kind, sitting)
        if not self._waits(sitting, kind.table(sitting)):
            return None
        return self._queue.ask(sitting.id, sitting.visitor, lambda: self._think(sitting))

    def place(self, sitting: Sitting) -> int | None:
        """Return the place in the queue: 0 while the program thinks, None if it does not wait."""
        return self._queue.place(sitting.id)

    def _proceed_in_time(self, kind: TableKind, sitting: Sitting) -> Future[None] | None:
        with self._lock:
            if sitting.id in self._held:
                return self._held[sitting.id].due
            table = kind.table(sitting)
            if table is None:
                return self.load(sitting.kind, sitting.choice, sitting.visitor)
            game = table.last()
            if game is None or not self._waits(sitting, table):
                return None
            held = _Held(len(game.history))
            self._queue.ask(sitting.id, sitting.visitor, lambda: self._think_in_time(sitting, held))
            self._held[sitting.id] = held
            return held.due

    def _waits(self, sitting: Sitting, table: Table | None) -> bool:
        """Tell whether a sitting waits for its program to be loaded, or to move."""
        if table is None:
            return True
        game = table.last()
        if game is None or game.ending is not None:
            self._sittings.end(sitting)  # someone else may have ended it
            return not table.ready and (game is None or game.ending != "stopped")
        return not table.ready or table.in_progress(game).turn not in (None, PERSON)

    def _playing(self, sitting: Sitting, *, ready: bool = True) -> tuple[Table, PersonGame]:
        """Return the game in which it is perhaps the visitor's turn; PageError if there is none."""
        self.check_turn(sitting)
        table = self._kinds[sitting.kind].table(sitting)
        if table is None or (ready and not table.ready):
            self.proceed(sitting)  # loads it, perhaps again
            raise PageError(409, "The program is being loaded. Try again in a moment.", 2.0)
        game = table.last()
        if game is None or game.ending is not None:
            raise PageError(400, "The game is over.")
        return table, game

    def _think(self, sitting: Sitting) -> float:
        """Move on until it is the visitor's turn; each move is on disk before the next.

        Return the seconds of thinking. Loading a program is for all, and not counted.
        """
        began, kind = None, self._kinds[sitting.kind]
        try:
            with kind.loading(sitting.choice):
                table = kind.table(sitting)
                game = None if table is None else table.last()  # the game may have waited for long
                if table is not None and game is not None and game.ending is None:
                    began = monotonic()
                    try:
                        self._ended(sitting, table.answer(game))
                    except StudyError as error:  # as when the visitor resigned meanwhile
                        _log.warning("a game waits: %s", error)
        except Exception as error:
            self._fail(kind, sitting.choice, sitting, error)
        return 0.0 if began is None else monotonic() - began

    def _think_in_time(self, sitting: Sitting, held: _Held) -> float:
        try:
            return self._think(sitting)
        finally:
            times, now = self._kinds[sitting.kind].times or AnswerTimes(), monotonic()
            wait = times.due(held.asked, now) - now
            timer = threading.Timer(wait, self._release, (sitting, held))
            timer.daemon = True
            timer.start()

    def _release(self, sitting: Sitting, held: _Held) -> None:
        with self._lock:
            self._held.pop(sitting.id, None)
        held.due.set_result(None)

    def _ended(self, sitting: Sitting, game: PersonGame) -> None:
        if game.ending is not None:
            self._sittings.end(sitting)

    def _fail(
        self, kind: TableKind, choice: OpponentChoice, sitting: Sitting | None, error: Exception
    ) -> None:
        if isinstance(error, PageError) and error.passes:
            return
        if isinstance(error, sqlite3.Error | OSError | MemoryError):
            # The machine is short of something. The page asks again.
            _log.warning("a game waits: %s", error)
            return
        text = str(error)
        if not isinstance(error, SeedfolioError):
            _log.error("a program failed", exc_info=error)
            text = "the program failed; the server's log says how"
        kind.failed(choice, sitting, text)
