"""The people whom programs teach on the page: who is behind an address, and their games."""

from __future__ import annotations

import secrets
import threading
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from seedfolio.errors import SeedfolioError, StudyError
from seedfolio.serving.game_in_progress import PERSON
from seedfolio.serving.pupil import Pupil
from seedfolio.serving.taught_games import TaughtGames, person_name
from seedfolio.web.database import WebDatabase
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import Built, OpponentChoice, Opponents
from seedfolio.web.thinkers import Thinkers

FILE = "people.teach"
"""In the folder of the page; `seedfolio teach` has the same name there."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS pupil (
    id TEXT PRIMARY KEY,
    visitor TEXT NOT NULL,
    opponent TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (visitor, opponent, name)
);
"""


@dataclass(frozen=True)
class PupilSeat:
    """A visitor who has given a name, and the program that teaches them."""

    id: str
    choice: OpponentChoice
    name: str


class Pupils:
    """The people of all visitors."""

    def __init__(
        self, folder: Path, database: WebDatabase, opponents: Opponents, thinkers: Thinkers
    ) -> None:
        self._path = folder / FILE
        self._database = database
        self._opponents = opponents
        self._thinkers = thinkers
        self._lock = threading.Lock()
        self._games: TaughtGames | None = None
        self._failures: dict[OpponentChoice, str] = {}
        database.add_schema(_SCHEMA)

    def close(self) -> None:
        """Close the file of games."""
        if self._games is not None:
            self._games.close()

    def sit_down(self, visitor: str, choice: OpponentChoice, name: str) -> PupilSeat:
        """Return the seat of a visitor under a name, which is no password."""
        name = person_name(name)
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO pupil VALUES (?, ?, ?, ?)",
                (secrets.token_hex(16), visitor, choice.text, name),
            )
            row = connection.execute(
                "SELECT id FROM pupil WHERE visitor=? AND opponent=? AND name=?",
                (visitor, choice.text, name),
            ).fetchone()
        return PupilSeat(row["id"], choice, name)

    def find(self, visitor: str, identifier: str) -> PupilSeat:
        """Return a seat of a visitor; PageError if it is nobody's or somebody else's."""
        rows = self._database.rows(
            "SELECT * FROM pupil WHERE id=? AND visitor=?", identifier, visitor
        )
        if not rows:
            raise PageError(404, "There is no such page, or it is not yours.")
        return PupilSeat(rows[0]["id"], OpponentChoice.parse(rows[0]["opponent"]), rows[0]["name"])

    def seats(self, visitor: str) -> list[PupilSeat]:
        """Return all seats of a visitor."""
        rows = self._database.rows("SELECT * FROM pupil WHERE visitor=? ORDER BY rowid", visitor)
        return [
            PupilSeat(row["id"], OpponentChoice.parse(row["opponent"]), row["name"]) for row in rows
        ]

    def pupil(self, seat: PupilSeat) -> Pupil | None:
        """Return the person at a seat; None as long as their program is not loaded."""
        if seat.choice in self._failures:
            raise PageError(400, self._failures[seat.choice])
        built = self._opponents.ready(seat.choice)
        if built is None:
            return None
        if not isinstance(built, Built):
            raise PageError(400, "Only built-in programs teach.")
        with self._lock:
            if self._games is None:
                self._games = TaughtGames(self._path)
        return Pupil(built.opponent.program.single(), self._games, seat.name)

    def proceed(self, visitor: str, seat: PupilSeat) -> Future[None] | None:
        """Let the program think if it is its turn; return when it has moved, None if it is not."""
        pupil = self.pupil(seat)
        if pupil is not None:
            game = pupil.going_on()
            if game is None or pupil.in_progress(game).turn == PERSON:
                return None
        return self._thinkers.ask(f"pupil {seat.id}", visitor, lambda: self._think(seat))

    def place(self, seat: PupilSeat) -> int | None:
        """Return the place in the queue: 0 while the program thinks, None if it does not wait."""
        return self._thinkers.place(f"pupil {seat.id}")

    def _think(self, seat: PupilSeat) -> None:
        try:
            self._opponents.load(seat.choice)
        except SeedfolioError as error:
            if not (isinstance(error, PageError) and error.passes):
                self._failures[seat.choice] = str(error)
            return
        pupil = self.pupil(seat)
        game = None if pupil is None else pupil.going_on()
        if pupil is not None and game is not None:
            with suppress(StudyError):  # the person may have resigned meanwhile
                pupil.answer(game)
