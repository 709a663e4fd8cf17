"""How many games go on at once: ordinary ones, blind ones and those of teaching together.

A game without a move for long does not count. It stays stored, and counts again when it goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from seedfolio.web.database import WebDatabase
from seedfolio.web.guard import PageError
from seedfolio.web.settings import Settings

_COUNTS = (
    "SELECT count(*) AS games FROM game WHERE over=0 AND changed>?",
    "SELECT count(*) AS games FROM game_elsewhere WHERE changed>?",
)


class GamesAtOnce:
    """The limits on games that go on, for one visitor and for all."""

    def __init__(
        self,
        database: WebDatabase,
        settings: Settings,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    def check(self, visitor: str) -> None:
        """Raise PageError if the visitor, or all together, have as many games as they may."""
        own = self._count(visitor)
        if own >= self._settings.games_each:
            raise PageError(429, f"You have {own} games that are not over. Finish or resign some.")
        if self._count() >= self._settings.games:
            raise PageError(503, "Too many games are being played here. Try again later.", 60.0)

    def check_idle(self, visitor: str, changed: float) -> None:
        """Raise PageError as `check` does, if a game does not count any more and would again."""
        if changed <= self._clock() - self._settings.idle:
            self.check(visitor)

    def go_on(self, game: str, visitor: str) -> None:
        """Count a game that is stored elsewhere and goes on; PageError if there are too many."""
        now = self._clock()
        with self._database.transaction() as connection:
            rows = self._database.rows("SELECT changed FROM game_elsewhere WHERE id=?", game)
            self.check_idle(visitor, rows[0]["changed"] if rows else float("-inf"))
            connection.execute(
                "INSERT OR REPLACE INTO game_elsewhere VALUES (?, ?, ?)", (game, visitor, now)
            )

    @contextmanager
    def beginning(self, game: str, visitor: str) -> Iterator[None]:
        """Count a game that begins in the block; it does not if that fails."""
        self.go_on(game, visitor)
        try:
            yield
        except BaseException:
            self.end(game)
            raise

    def end(self, game: str) -> None:
        """Count a game no longer."""
        if self._database.rows("SELECT 1 FROM game_elsewhere WHERE id=?", game):
            with self._database.transaction() as connection:
                connection.execute("DELETE FROM game_elsewhere WHERE id=?", (game,))

    def _count(self, visitor: str | None = None) -> int:
        since = self._clock() - self._settings.idle
        if visitor is None:
            found = (self._database.rows(each, since) for each in _COUNTS)
        else:
            found = (
                self._database.rows(f"{each} AND visitor=?", since, visitor) for each in _COUNTS
            )
        return sum(rows[0]["games"] for rows in found)
