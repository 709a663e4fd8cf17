"""The people whom programs teach on the page: who is behind an address, and their games."""

from __future__ import annotations

import secrets
import threading
import time
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from seedfolio.errors import SeedfolioError, StudyError
from seedfolio.opponents.game_in_progress import PERSON
from seedfolio.people.pupil import Pupil
from seedfolio.people.taught_games import TaughtGames, person_name
from seedfolio.players.program import Program
from seedfolio.web.database import WebDatabase
from seedfolio.web.games_at_once import GamesAtOnce
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import OpponentChoice, Opponents
from seedfolio.web.thinkers import Thinkers

FILE = "people.teach"
"""In the folder of the page; `seedfolio teach` has the same name there."""
_MOST_FAILURES = 1_000


@dataclass(frozen=True)
class PupilSeat:
    """A visitor who has given a name, and the program that teaches them."""

    id: str
    choice: OpponentChoice
    name: str

    @property
    def job(self) -> str:
        """The name of its game in the queue, and where games at once are counted."""
        return f"pupil {self.id}"


class Pupils:
    """The people of all visitors."""

    def __init__(
        self,
        database: WebDatabase,
        opponents: Opponents,
        thinkers: Thinkers,
        at_once: GamesAtOnce,
    ) -> None:
        self._path = database.path.with_name(FILE)
        self._database = database
        self._opponents = opponents
        self._thinkers = thinkers
        self._at_once = at_once
        self._lock = threading.Lock()
        self._games: TaughtGames | None = None
        self._failures: dict[OpponentChoice, str] = {}

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
        if (failure := self._failures.get(seat.choice)) is not None:
            raise PageError(400, failure)
        opponent = self._opponents.ready(seat.choice)
        if opponent is None:
            return None
        if not isinstance(opponent.program, Program):
            raise PageError(400, "Only built-in programs teach.")
        with self._lock:
            if self._games is None:
                self._games = TaughtGames(self._path)
        return Pupil(opponent.program.single(), self._games, seat.name)

    def begin(self, visitor: str, seat: PupilSeat, pupil: Pupil, colour: str) -> None:
        """Begin a game, unless one goes on; PageError if the visitor has too many."""
        with self._at_once.beginning(seat.job, visitor):
            pupil.begin(colour)

    def move(self, visitor: str, seat: PupilSeat, pupil: Pupil, move: str) -> None:
        """Play a move of the person in the game that goes on."""
        game = pupil.going_on()
        if game is None:
            raise PageError(400, "The game is over.")
        self._at_once.go_on(seat.job, visitor)
        pupil.move(game, move)

    def proceed(self, visitor: str, seat: PupilSeat) -> Future[None] | None:
        """Let the program think if it is its turn; return when it has moved, None if it is not."""
        pupil = self.pupil(seat)
        if pupil is not None:
            game = pupil.going_on()
            if game is None:
                self._at_once.end(seat.job)
                return None
            if pupil.in_progress(game).turn == PERSON:
                return None
        return self._thinkers.ask(seat.job, visitor, lambda: self._think(seat))

    def place(self, seat: PupilSeat) -> int | None:
        """Return the place in the queue: 0 while the program thinks, None if it does not wait."""
        return self._thinkers.place(seat.job)

    def _think(self, seat: PupilSeat) -> float:
        """Move on until it is the person's turn.

        Return the seconds of thinking. To load a program is for all, and not counted.
        """
        with ExitStack() as stack:
            try:
                stack.enter_context(self._opponents.using(seat.choice))
            except SeedfolioError as error:
                self._note_failure(seat.choice, error)
                return 0.0
            began = time.monotonic()
            pupil = self.pupil(seat)
            game = None if pupil is None else pupil.going_on()
            if pupil is None or game is None:
                return 0.0
            with suppress(StudyError):  # the person may have resigned meanwhile
                pupil.answer(game)
            return time.monotonic() - began

    def _note_failure(self, choice: OpponentChoice, error: SeedfolioError) -> None:
        if isinstance(error, PageError) and error.passes:
            return
        with self._lock:
            self._failures[choice] = str(error)
            if len(self._failures) > _MOST_FAILURES:  # visitors choose them
                del self._failures[next(iter(self._failures))]
