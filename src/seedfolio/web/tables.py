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
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic

from seedfolio.engines.specification.positions import chess_start
from seedfolio.errors import SeedfolioError, StudyError
from seedfolio.games.chess.san import parse_san
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress
from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.people.person_table import PersonTable
from seedfolio.people.store import PersonGame
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import OpponentChoice, Opponents
from seedfolio.web.queue import NOBODY, Queue
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
    def table(self, sitting: Sitting) -> PersonTable | None:
        """Return the table of a sitting; None if it is not loaded. PageError if it fails."""

    @contextmanager
    def loading(self, choice: OpponentChoice) -> Iterator[None]:
        """Load a program, if it is not, and keep it during the block."""
        with self._opponents.using(choice):
            with self._lock:
                self._failures.pop(choice, None)
            yield

    def failed(self, choice: OpponentChoice, sitting: Sitting | None, text: str) -> None:
        """Remember, for all visitors, why a program cannot be loaded."""
        with self._lock:
            self._failures[choice] = text
            if len(self._failures) > _MOST_FAILURES:  # visitors choose them
                del self._failures[next(iter(self._failures))]

    def stuck(self, sitting: Sitting, text: str) -> None:
        """Note that a loaded program fails in one game; when the page is shown, it tries again.

        Other visitors may play it, and in a blind game the failure must not show who plays.
        """
        _log.warning("a game waits: %s", text)

    def failure(self, choice: OpponentChoice) -> str:
        """Return why a program cannot be loaded; empty if it can, or nobody has tried."""
        return self._failures.get(choice, "")

    def check(self, choice: OpponentChoice) -> None:
        """Raise PageError for a program that cannot be loaded."""
        if failure := self.failure(choice):
            raise PageError(400, failure)


@dataclass(frozen=True)
class View:
    """A table as its visitor may see it now."""

    table: PersonTable | None
    """None as long as the program is not loaded."""
    game: PersonGame | None = None
    """The game that is played, or the last."""
    now: GameInProgress | None = None
    """The same with its program, if that is loaded."""
    failure: str = ""
    """Why the program stopped, or why the game is shown without it."""

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
        kind = self._kinds[sitting.kind]
        table = kind.table(sitting)
        if table is None:
            return View(None)
        game = table.last()
        held = self._held.get(sitting.id)  # after the game: an answer in it is held, or was due
        if game is not None and held is not None:
            shown = game.history[: held.shown]
            game = replace(game, history=shown, ending=None, points=None)
        if game is None:
            return View(table)
        stopped = game.note if game.ending == "stopped" else ""
        if not table.ready:
            unloaded = kind.failure(sitting.choice) if game.ending is not None else ""
            return View(table, game, failure=stopped or unloaded)
        return View(table, game, table.in_progress(game), stopped)

    def move(self, sitting: Sitting, text: str, at: str) -> None:
        """Play a move of the visitor, who has noticed `at` events; it is on disk then."""
        table, game = self._playing(sitting)
        if at != str(len(table.in_progress(game).seen.events)):
            raise PageError(409, "The game has gone on meanwhile. Look at it again.")
        if not text or len(text) > _LONGEST_MOVE:
            raise PageError(400, "Type a move, or choose one on the board.")
        self._sittings.play(sitting)
        if (fen := chess_start(table.game.source)) is not None:  # people also write Nf3
            names = [table.game.move_name(move) for move in game.history]
            text = parse_san(text, names, fen)
        self._ended(sitting, table.move(game, text))

    def undo(self, sitting: Sitting) -> None:
        """Take back the visitor's last move; SpecificationError where there is no undo."""
        table, game = self._playing(sitting)
        before = table.in_progress(game).undone()
        if before is None:
            raise PageError(400, "You have no move to take back.")
        self._sittings.play(sitting)
        table.after(game, before)

    def resign(self, sitting: Sitting) -> None:
        """End a game that the visitor gives up."""
        table, game = self._playing(sitting, ready=False)
        self._ended(sitting, table.resign(game))

    def check_turn(self, sitting: Sitting) -> None:
        """Raise PageError while an answer is held back: it is not the visitor's turn."""
        if sitting.id in self._held:
            raise PageError(409, "Wait for the program to move.")

    def load(self, kind: str, choice: OpponentChoice) -> Future[None]:
        """Load a program for all visitors; return when that is done.

        Only the owner of the folder decides how many there are.
        """
        work = self._kinds[kind]

        def load() -> float:
            try:
                with work.loading(choice):
                    pass
            except Exception as error:
                if text := _lasting(error):
                    work.failed(choice, None, text)
            return 0.0

        return self._queue.ask(f"{kind} {choice.text}", NOBODY, load)

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
                return self.load(sitting.kind, sitting.choice)
            game = table.last()
            if game is None or not self._waits(sitting, table):
                return None
            held = _Held(len(game.history))
            self._queue.ask(sitting.id, sitting.visitor, lambda: self._think_in_time(sitting, held))
            self._held[sitting.id] = held
            return held.due

    def _waits(self, sitting: Sitting, table: PersonTable | None) -> bool:
        """Tell whether a sitting waits for its program to be loaded, or to move."""
        if table is None:
            return True
        game = table.last()
        if game is None or game.ending is not None:
            self._sittings.end(sitting)  # someone else may have ended it
            if table.ready or (game is not None and game.ending == "stopped"):
                return False
            return not self._kinds[sitting.kind].failure(sitting.choice)
        return not table.ready or table.in_progress(game).turn not in (None, PERSON)

    def _playing(self, sitting: Sitting, *, ready: bool = True) -> tuple[PersonTable, PersonGame]:
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
        seconds, kind = 0.0, self._kinds[sitting.kind]
        try:
            with kind.loading(sitting.choice):
                seconds = self._answer(kind, sitting)
        except Exception as error:
            if text := _lasting(error):
                kind.failed(sitting.choice, sitting, text)
        return seconds

    def _answer(self, kind: TableKind, sitting: Sitting) -> float:
        began = None
        try:
            table = kind.table(sitting)
            game = None if table is None else table.last()  # the game may have waited for long
            if table is not None and game is not None and game.ending is None:
                began = monotonic()
                self._ended(sitting, table.answer(game))
        except StudyError as error:  # as when the visitor resigned meanwhile
            _log.warning("a game waits: %s", error)
        except Exception as error:
            if text := _lasting(error):
                kind.stuck(sitting, text)
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


def _lasting(error: Exception) -> str:
    """Return what to say of an error, in one line; empty if it will pass, and the page asks again.

    What will pass, and what is a bug, is logged.
    """
    if isinstance(error, PageError) and error.passes:
        return ""
    short = sqlite3.OperationalError | OSError | MemoryError  # the machine is short of something
    if isinstance(error, sqlite3.Error | short) or isinstance(error.__cause__, short):
        _log.warning("a game waits: %s", error)
        return ""
    if isinstance(error, SeedfolioError):
        return str(error)
    _log.error("a program failed", exc_info=error)
    return "the program failed; the server's log says how"
