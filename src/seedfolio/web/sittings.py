"""The sittings of visitors: who plays what, and at which address. One SQLite file in the folder.

A sitting is of an ordinary game, of a blind series, or of a person whom a program teaches. The file
keeps the ordinary games, too. When a method returns, its changes are on disk: a server that is
killed loses no finished move.

How many games are in play at once is limited for one visitor and for all. A game without a move for
long does not count. It stays stored, and counts again when it continues.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedfolio.people.store import GAMES
from seedfolio.study.sqlite_file import Database, FileKind
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import OpponentChoice
from seedfolio.web.settings import Settings

FILE = "seedfolio-web.sqlite"
PLAY, BLIND, TEACH = "play", "blind", "teach"
"""Kinds of sittings."""
PAGE_FILE = FileKind(
    "the games of a page",
    0x53464F57,  # "SFOW"
    2,
    (
        "CREATE TABLE secret (value BLOB NOT NULL) STRICT",
        """CREATE TABLE sitting (
            id TEXT PRIMARY KEY,      -- in its address
            visitor TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('play', 'blind', 'teach')),
            choice TEXT NOT NULL,     -- what the visitor plays against, as JSON
            name TEXT NOT NULL,       -- that a person who is taught has given
            playing INTEGER NOT NULL CHECK (playing IN (0, 1)),  -- whether a game is in play
            changed REAL NOT NULL     -- when it was last played, in seconds since 1970
        ) STRICT""",
        "CREATE INDEX sitting_visitor ON sitting (visitor, kind, changed)",
        "CREATE INDEX sitting_playing ON sitting (playing, changed)",
        *GAMES,
    ),
    remedy="delete it if it is of seedfolio 0.2.0, whose games do not continue, or choose another "
    "folder",
)
_CLOSED = "closed"
_MOST_SECONDS = 1e11
"""More than three thousand years."""
_COLUMNS = "id, visitor, kind, choice, name, playing, changed"


def open_page(folder: Path) -> Database:
    """Open or create the file of a folder."""
    return Database.open_or_create(folder / FILE, PAGE_FILE)


def load_secret(file: Database) -> bytes:
    """Return the secret that signs cookies; the first call makes it."""
    with file.transaction() as connection:
        rows = file.rows("SELECT value FROM secret")
        if rows:
            return bytes(rows[0][0])
        made = secrets.token_bytes(32)
        connection.execute("INSERT INTO secret VALUES (?)", (made,))
        return made


@dataclass(frozen=True)
class Sitting:
    """A visitor at a table."""

    id: str
    visitor: str
    kind: str
    choice: OpponentChoice
    name: str = ""
    """That a person who is taught has given."""
    playing: bool = False
    """Whether a game is in play."""
    changed: float = 0.0


class Sittings:
    """The sittings of all visitors."""

    def __init__(
        self, file: Database, settings: Settings, clock: Callable[[], float] = time.time
    ) -> None:
        self.file = file
        self._settings = settings
        self._clock = clock

    def add(
        self,
        visitor: str,
        kind: str,
        choice: OpponentChoice,
        *,
        name: str = "",
        identifier: str = "",
    ) -> Sitting:
        """Return a new sitting, where no game is in play yet."""
        drawn = identifier or secrets.token_hex(16)
        with self.file.transaction() as connection:
            connection.execute(
                f"INSERT INTO sitting ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, 0, ?)",
                (drawn, visitor, kind, choice.text, name, self._clock()),
            )
        return self.find(visitor, kind, drawn)

    def find(self, visitor: str, kind: str, identifier: str) -> Sitting:
        """Return a sitting of a visitor; PageError if there is none, or it is somebody else's."""
        found = self._sittings("id = ? AND visitor = ? AND kind = ?", identifier, visitor, kind)
        if not found:
            raise PageError(404, "There is no such page, or it is not yours.")
        return found[0]

    def of(self, visitor: str, kind: str, most: int = 20) -> list[Sitting]:
        """Return the sittings of a visitor, the one played last first."""
        where = "visitor = ? AND kind = ? ORDER BY changed DESC, rowid DESC LIMIT ?"
        return self._sittings(where, visitor, kind, most)

    def close(self, sitting: Sitting) -> None:
        """Note that a blind series is closed: its sitting has that name."""
        with self.file.transaction() as connection:
            connection.execute("UPDATE sitting SET name = ? WHERE id = ?", (_CLOSED, sitting.id))

    def in_trial(self, choice: OpponentChoice) -> bool:
        """Tell whether a blind series of a portfolio is open, as far as a visitor can go on."""
        since = self._clock() - self._settings.idle
        where = "kind = ? AND changed > ? AND name != ?"
        return any(
            each.choice.name == choice.name
            for each in self._sittings(where, BLIND, since, _CLOSED)
            if choice.kind == each.choice.kind
        )

    def choices(self, most: int) -> list[OpponentChoice]:
        """Return what was chosen for ordinary games, by all visitors, the last one first."""
        recent = self._sittings("kind = ? ORDER BY changed DESC LIMIT ?", PLAY, 10 * most)
        return list(dict.fromkeys(each.choice for each in recent))[:most]

    def play(self, sitting: Sitting) -> None:
        """Count the game of a sitting as in play; PageError if there are too many.

        A game that counts already is not refused.
        """
        now = self._clock()
        with self.file.transaction() as connection:
            current = self.find(sitting.visitor, sitting.kind, sitting.id)
            if not current.playing or current.changed <= now - self._settings.idle:
                self._check(sitting.visitor)
            connection.execute(
                "UPDATE sitting SET playing = 1, changed = ? WHERE id = ?", (now, sitting.id)
            )

    @contextmanager
    def beginning(self, sitting: Sitting) -> Iterator[None]:
        """Count a game that begins in the block; it does not count if that fails."""
        self.play(sitting)
        try:
            yield
        except BaseException:
            self.end(sitting)
            raise

    def end(self, sitting: Sitting) -> None:
        """Count the game of a sitting no longer; it was played until now."""
        if self.file.rows("SELECT 1 FROM sitting WHERE id = ? AND playing = 1", sitting.id):
            with self.file.transaction() as connection:
                connection.execute(
                    "UPDATE sitting SET playing = 0, changed = ? WHERE id = ?",
                    (self._clock(), sitting.id),
                )

    def _check(self, visitor: str) -> None:
        """Raise PageError if the visitor, or all together, have as many games as they may."""
        since = self._clock() - self._settings.idle
        count = "SELECT count(*) FROM sitting WHERE playing = 1 AND changed > ?"
        ((own,),) = self.file.rows(f"{count} AND visitor = ?", since, visitor)
        if own >= self._settings.games_each:
            raise PageError(429, f"You have {own} games that are not over. Finish or resign some.")
        ((everybody,),) = self.file.rows(count, since)
        if everybody >= self._settings.games:
            raise PageError(503, "Too many games are being played here. Try again later.", 60.0)

    def _sittings(self, where: str, *values: Any) -> list[Sitting]:
        rows = self.file.rows(f"SELECT {_COLUMNS} FROM sitting WHERE {where}", *values)
        if any(not 0 <= row[-1] < _MOST_SECONDS for row in rows):
            raise self.file.damaged("a sitting: the time when it was last played")
        try:
            return [
                Sitting(identifier, visitor, kind, OpponentChoice.parse(text), name, bool(on), when)
                for identifier, visitor, kind, text, name, on, when in rows
            ]
        except ValueError as error:
            raise self.file.damaged(f"a sitting: {error}") from error
