"""Games in play: kept in the database, moved on by the person and by programs that think."""

from __future__ import annotations

import json
import logging
import secrets
import sqlite3
import time
from concurrent.futures import Future
from dataclasses import dataclass, replace

from seedfolio.errors import SeedfolioError
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress
from seedfolio.opponents.seat import ResignedError
from seedfolio.web.database import WebDatabase
from seedfolio.web.games_at_once import GamesAtOnce
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import OpponentChoice, Opponents
from seedfolio.web.thinkers import Thinkers

RESIGNED, PROGRAM_RESIGNED = 1, 2
PLAY = "play"
"""The kind of an ordinary game; other pages have kinds of their own."""
_log = logging.getLogger("seedfolio.web")


@dataclass(frozen=True)
class StoredGame:
    """A game as the database has it."""

    id: str
    visitor: str
    kind: str
    choice: OpponentChoice
    person: int
    """The colour of the person."""
    key: int
    """64 random bits that draw the arm and the chance of the game."""
    history: tuple[int, ...] = ()
    resigned: int = 0
    """Who gave the game up: 1, the person; 2, the program."""
    over: bool = False
    failure: str = ""
    """Why the program cannot go on."""
    note: str = ""
    """What the page that began the game wants to keep with it."""
    created: float = 0.0
    changed: float = 0.0

    @property
    def ended(self) -> bool:
        """Whether nobody moves any more."""
        return self.over or bool(self.resigned or self.failure)


class Tables:
    """The games of all visitors."""

    def __init__(
        self,
        database: WebDatabase,
        opponents: Opponents,
        thinkers: Thinkers,
        at_once: GamesAtOnce,
    ) -> None:
        self._database = database
        self._opponents = opponents
        self._thinkers = thinkers
        self._at_once = at_once

    def begin(
        self,
        visitor: str,
        choice: OpponentChoice,
        person: int,
        *,
        kind: str = PLAY,
        key: int | None = None,
        note: str = "",
    ) -> StoredGame:
        """Begin a game and return it; PageError if the visitor has too many."""
        drawn = secrets.randbits(64) if key is None else key
        now = time.time()
        game = StoredGame(secrets.token_hex(16), visitor, kind, choice, person, drawn, note=note)
        game = replace(game, created=now, changed=now)
        with self._database.transaction() as connection:
            self._at_once.check(visitor)
            connection.execute(
                "INSERT INTO game (id, visitor, kind, opponent, person, key, history, note,"
                " created, changed) VALUES (?,?,?,?,?,?,?,?,?,?)",
                (game.id, visitor, kind, choice.text, person, str(drawn), "[]", note, now, now),
            )
        return game

    def find(self, visitor: str, identifier: str, kind: str = PLAY) -> StoredGame:
        """Return a game of a visitor; PageError if it is nobody's or somebody else's."""
        rows = self._database.rows(
            "SELECT * FROM game WHERE id=? AND visitor=? AND kind=?", identifier, visitor, kind
        )
        if not rows:
            raise PageError(404, "There is no such game, or it is not yours.")
        return _stored(rows[0])

    def games_of(self, visitor: str, kind: str = PLAY, most: int = 20) -> list[StoredGame]:
        """Return the last games of a visitor, the newest first."""
        rows = self._database.rows(
            "SELECT * FROM game WHERE visitor=? AND kind=? ORDER BY changed DESC LIMIT ?",
            visitor,
            kind,
            most,
        )
        return [_stored(row) for row in rows]

    def now(self, stored: StoredGame) -> GameInProgress | None:
        """Return a game as a value; None as long as its program is not loaded."""
        opponent = self._opponents.ready(stored.choice)
        if opponent is None:
            return None
        arm = opponent.draw(1 - stored.person, stored.key)
        return GameInProgress(opponent.game, arm, stored.person, stored.history)

    def opponent_name(self, stored: StoredGame) -> str:
        """Return the name of the program; empty as long as it is not loaded."""
        opponent = self._opponents.ready(stored.choice)
        return "" if opponent is None else opponent.full_name

    def play(self, stored: StoredGame, move: str) -> StoredGame:
        """Play a move of the person; it is on disk when this returns."""
        now = self._at_table(stored)
        self._at_once.check_idle(stored.visitor, stored.changed)
        return self._after(stored, now.play(move))

    def undo(self, stored: StoredGame) -> StoredGame:
        """Take back the person's last move; SpecificationError where there is no undo."""
        before = self._at_table(stored).undone()
        if before is None:
            raise PageError(400, "You have no move to take back.")
        return self._after(stored, before)

    def resign(self, stored: StoredGame) -> StoredGame:
        """End a game that the person gives up."""
        if stored.ended:
            raise PageError(400, "The game is over.")
        return self._update(stored, replace(stored, resigned=RESIGNED))

    def proceed(self, stored: StoredGame) -> Future[None] | None:
        """Let the program think if it is its turn; return when it has moved, None if it is not.

        The first job of a game also loads the program. PageError if the queue is full.
        """
        if stored.ended:
            if self._opponents.ready(stored.choice) is not None or stored.failure:
                return None
        else:
            now = self.now(stored)
            if now is not None and now.turn in (None, PERSON):
                return None
        return self._thinkers.ask(stored.id, stored.visitor, lambda: self._think(stored))

    def place(self, stored: StoredGame) -> int | None:
        """Return the place in the queue: 0 while the program thinks, None if it does not wait."""
        return self._thinkers.place(stored.id)

    def _think(self, stored: StoredGame) -> float:
        """Move on until it is the person's turn; each move is on disk before the next.

        Return the seconds of thinking. To load a program is for all, and not counted.
        """
        began = time.monotonic()
        try:
            with self._opponents.using(stored.choice):
                began = time.monotonic()
                (row,) = self._database.rows("SELECT * FROM game WHERE id=?", stored.id)
                stored = _stored(row)  # it may have waited for long
                while not stored.ended:
                    now = self.now(stored)
                    if now is None or now.turn in (None, PERSON):
                        break
                    stored = self._after(stored, now.step())
        except ResignedError:
            self._update(stored, replace(stored, resigned=PROGRAM_RESIGNED))
        except PageError as error:
            if not error.passes:  # as when the person undid or resigned meanwhile
                self._fail(stored, str(error))
        except (sqlite3.Error, OSError, MemoryError) as error:
            # The machine is short of something. The page asks again.
            _log.warning("game %s waits: %s", stored.id, error)
        except SeedfolioError as error:
            self._fail(stored, str(error))
        except Exception:
            _log.exception("a program failed in game %s", stored.id)
            self._fail(stored, "the program failed; the server's log says how")
        return time.monotonic() - began

    def _fail(self, stored: StoredGame, text: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE game SET failure=?, over=1 WHERE id=?", (text, stored.id))

    def _at_table(self, stored: StoredGame) -> GameInProgress:
        if stored.ended:
            raise PageError(400, "The game is over.")
        now = self.now(stored)
        if now is None:
            self.proceed(stored)  # loads it, perhaps again
            raise PageError(409, "The program is being loaded. Try again in a moment.", 2.0)
        return now

    def _after(self, stored: StoredGame, now: GameInProgress) -> StoredGame:
        return self._update(stored, replace(stored, history=now.history, over=now.turn is None))

    def _update(self, before: StoredGame, after: StoredGame) -> StoredGame:
        """Store a game unless it was changed since it was read; PageError then."""
        after = replace(after, changed=time.time())
        with self._database.transaction() as connection:
            changed = connection.execute(
                "UPDATE game SET history=?, resigned=?, over=?, changed=?"
                " WHERE id=? AND history=? AND resigned=?",
                (
                    json.dumps(after.history),
                    after.resigned,
                    after.over or after.resigned > 0,
                    after.changed,
                    before.id,
                    json.dumps(before.history),
                    before.resigned,
                ),
            ).rowcount
        if changed != 1:
            raise PageError(409, "The game has gone on meanwhile. Look at it again.")
        return after


def _stored(row: sqlite3.Row) -> StoredGame:
    return StoredGame(
        id=row["id"],
        visitor=row["visitor"],
        kind=row["kind"],
        choice=OpponentChoice.parse(row["opponent"]),
        person=row["person"],
        key=int(row["key"]),
        history=tuple(json.loads(row["history"])),
        resigned=row["resigned"],
        over=bool(row["over"]),
        failure=row["failure"],
        note=row["note"],
        created=row["created"],
        changed=row["changed"],
    )
