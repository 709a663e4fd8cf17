"""The blind trials of a folder, and answers that are held back until they are due.

An answer is on disk as soon as the program has it. The page shows the game without it until the
moment that `AnswerTimes` has drawn.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from hashlib import sha256
from time import monotonic

from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress
from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.people.blind.games import BlindGame, Series
from seedfolio.people.blind.trial import BlindTrial
from seedfolio.web.database import WebDatabase
from seedfolio.web.games_at_once import GamesAtOnce
from seedfolio.web.guard import PageError
from seedfolio.web.library import LibraryFile
from seedfolio.web.opponents import Opponents
from seedfolio.web.thinkers import Thinkers

_Content = tuple[str, tuple[tuple[int, int], ...]]
"""A file as it is now: its identifier and its stamp."""
_log = logging.getLogger("seedfolio.web")


@dataclass
class _Held:
    """An answer that is worked on, or waits until it is due."""

    shown: int
    """How many moves the visitor may see."""
    asked: float = field(default_factory=monotonic)
    due: Future[None] = field(default_factory=Future)


class BlindTables:
    """The trials that are loaded, and the answers that are held back."""

    def __init__(
        self,
        database: WebDatabase,
        opponents: Opponents,
        thinkers: Thinkers,
        at_once: GamesAtOnce,
        times: AnswerTimes,
    ) -> None:
        self._database = database
        self._folder = database.path.parent
        self._opponents = opponents
        self._thinkers = thinkers
        self._at_once = at_once
        self._times = times
        self._lock = threading.Lock()
        self._trials: dict[_Content, BlindTrial] = {}
        self._failures: dict[_Content, str] = {}
        self._held: dict[str, _Held] = {}

    def close(self) -> None:
        """Close the files of all trials."""
        for trial in self._trials.values():
            trial.close()

    def load(self, visitor: str, file: LibraryFile) -> Future[None] | None:
        """Load the trial of a portfolio; return when that is done, None if it is."""
        if self.ready(file) is not None:
            return None
        return self._thinkers.ask(f"blind {file.id}", visitor, lambda: self._load(file))

    def ready(self, file: LibraryFile) -> BlindTrial | None:
        """Return the trial of a portfolio; None if it is not loaded. PageError if loading fails."""
        key = file.id, file.stamp
        if key in self._failures:
            raise PageError(400, self._failures[key])
        return self._trials.get(key)

    def begin(self, visitor: str, file: LibraryFile, trial: BlindTrial, games: int) -> Series:
        """Return the visitor's series that is not closed, or else a new one.

        One at a time: whoever begins many and leaves them would fill the result with losses.
        """
        series = self.going_on(visitor, file, trial)
        if series is None:
            series = trial.begin(games)
            self.remember(visitor, file, series)
        return series

    def remember(self, visitor: str, file: LibraryFile, series: Series) -> None:
        """Keep whose series it is."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO blind_series VALUES (?, ?, ?)", (series.token, visitor, file.id)
            )

    def going_on(self, visitor: str, file: LibraryFile, trial: BlindTrial) -> Series | None:
        """Return the visitor's last series, if it is not closed."""
        rows = self._database.rows(
            "SELECT token FROM blind_series WHERE visitor=? AND portfolio=? "
            "ORDER BY rowid DESC LIMIT 1",
            visitor,
            file.id,
        )
        try:
            series = trial.series(rows[0]["token"]) if rows else None
        except SpecificationError:  # of a portfolio that was learnt anew since
            return None
        return series if series is not None and series.closed is None else None

    def check_owner(self, visitor: str, token: str) -> None:
        """Raise PageError unless the series is the visitor's."""
        rows = self._database.rows(
            "SELECT 1 FROM blind_series WHERE token=? AND visitor=?", token, visitor
        )
        if not rows:
            raise PageError(404, "There is no such series, or it is not yours.")

    def begin_game(self, visitor: str, trial: BlindTrial, token: str) -> None:
        """Begin the next game of a series; PageError if the visitor has too many games."""
        with self._at_once.beginning(_job(token), visitor):
            trial.begin_game(token)

    def move(self, visitor: str, trial: BlindTrial, token: str, move: str) -> None:
        """Play a move of the visitor."""
        game = trial.series(token).current
        if game is not None and game.ending is None:
            self._at_once.go_on(_job(token), visitor)
        trial.move(token, move)

    def end(self, trial: BlindTrial, token: str) -> None:
        """Close a series."""
        trial.end(token)
        self._at_once.end(_job(token))

    def proceed(self, visitor: str, file: LibraryFile, token: str) -> Future[None] | None:
        """Let the programs work if it is their turn; return when the answer is due, else None."""
        trial = self.ready(file)
        if trial is None:
            return self.load(visitor, file)
        with self._lock:
            if token in self._held:
                return self._held[token].due
            series = trial.series(token)
            game = series.current
            if game is None or game.ending is not None or series.closed is not None:
                self._at_once.end(_job(token))
                return None
            if trial.in_progress(series, game).turn == PERSON:
                return None
            held = _Held(len(game.history))
            self._thinkers.ask(_job(token), visitor, lambda: self._answer(trial, token, held))
            self._held[token] = held
            return held.due

    def seen(self, trial: BlindTrial, series: Series) -> tuple[BlindGame, GameInProgress] | None:
        """Return the game that is played or waits for a guess, as its visitor may see it now."""
        game = series.current
        if game is None:
            return None
        held = self._held.get(series.token)
        if held is not None:
            shown = game.history[: held.shown]
            game = replace(game, history=shown, ending=None, points=None)
        return game, trial.in_progress(series, game)

    def check_turn(self, token: str) -> None:
        """Raise PageError while an answer is held back: it is not the visitor's turn."""
        if token in self._held:
            raise PageError(409, "Wait for the program to move.")

    def _load(self, file: LibraryFile) -> float:
        """Load a trial; return 0.0: to load a program is for all, and no visitor's thinking."""
        try:
            boosted = self._opponents.load(self._opponents.boosted(file))
            if boosted.is_engine:
                raise PageError(400, "Blind games are for built-in programs.")
            mark = sha256(file.path.read_bytes()).hexdigest()[:8]
            # One file a content: a portfolio that was learnt again is another trial.
            trial = BlindTrial(self._folder / f"{file.name}-{mark}.blind", boosted)
            trial.prepare()
        except SeedfolioError as error:
            if not (isinstance(error, PageError) and error.passes):
                self._failures[file.id, file.stamp] = str(error)
            return 0.0
        self._trials[file.id, file.stamp] = trial
        return 0.0

    def _answer(self, trial: BlindTrial, token: str, held: _Held) -> None:
        try:
            trial.answer(token)
        except SeedfolioError as error:
            # The visitor closed the series, or a program failed: the page must not say which.
            _log.warning("no answer in a blind game: %s", error)
        finally:
            now = monotonic()
            wait = self._times.due(held.asked, now) - now
            timer = threading.Timer(wait, self._release, (token, held))
            timer.daemon = True
            timer.start()

    def _release(self, token: str, held: _Held) -> None:
        with self._lock:
            self._held.pop(token, None)
        held.due.set_result(None)


def _job(token: str) -> str:
    """Return the name of a series in the queue, and where games at once are counted."""
    return f"series {token}"
