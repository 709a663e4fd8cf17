"""The file of a blind trial: series of games, each move and result on disk before it is shown."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedfolio.errors import SpecificationError, StudyError
from seedfolio.people import version_1
from seedfolio.people.blind.design import Assignment, SeriesPlan
from seedfolio.people.store import GAMES, Ending, PeopleGames, PersonGame
from seedfolio.study.sqlite_file import Database, FileKind

GUESSES = ("original", "boosted", "cannot tell")
BLIND_FILE = FileKind(
    "a record of blind games",
    0x53464F42,  # "SFOB"
    2,
    (*version_1.TRIAL, *GAMES),
    earlier=FileKind("a record of blind games", 0x53464F42, 1, version_1.BLIND),
    upgrade=lambda connection: version_1.upgrade_blind(connection, GAMES),
)


@dataclass(frozen=True)
class Series:
    """A series of games of one visitor."""

    number: int
    token: str
    """128 random bits, hexadecimal: the visitor who has it may continue the series."""
    plan: SeriesPlan
    """Secret until the series is closed."""
    games: tuple[PersonGame, ...]
    """Those that have begun. The note of a game is the visitor's guess."""
    closed: float | None

    @property
    def commitment(self) -> str:
        """The SHA-256 of the plan."""
        return self.plan.commitment

    @property
    def length(self) -> int:
        """How many games it has in all."""
        return len(self.plan.games)

    @property
    def current(self) -> PersonGame | None:
        """The last game that has begun, unless it has its guess or the series is closed."""
        last = self.games[-1] if self.games and self.closed is None else None
        return None if last is None or (last.ending and last.note) else last

    def number_of(self, game: PersonGame) -> int:
        """Return which game of the series it is, from 1."""
        return 1 + sum(each.number < game.number for each in self.games)

    def assignment(self, game: PersonGame) -> Assignment:
        """Return who plays a game."""
        return self.plan.games[self.number_of(game) - 1]


class BlindGames(PeopleGames):
    """The open file: series, and their games by the token of the series."""

    def __init__(
        self, path: str | Path, identity: str, clock: Callable[[], float] = time.time
    ) -> None:
        """Open the file, new or of the same trial."""
        super().__init__(Database.open_or_create(Path(path), BLIND_FILE), clock)
        self._identity = identity
        with self._file.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO trial VALUES (1, ?)", (identity,))
            ((kept,),) = connection.execute("SELECT identity FROM trial").fetchall()
        if kept != identity:
            self.close()
            raise StudyError(
                f"{self._file.path} is of a trial of another game or portfolio; choose another file"
            )

    def add(self, plan: SeriesPlan) -> Series:
        """Keep a new series."""
        token = secrets.token_hex(16)
        with self._file.transaction() as connection:
            connection.execute(
                "INSERT INTO series (token, plan, commitment, touched) VALUES (?, ?, ?, ?)",
                (token, plan.text, plan.commitment, self._clock()),
            )
        return self.find(token)

    def find(self, token: str) -> Series:
        """Return a series by its token; SpecificationError if there is none."""
        found = self._series("WHERE token = ?", token)
        if not found:
            raise SpecificationError("there is no such series")
        return found[0]

    def all(self) -> list[Series]:
        """Return all series in the order in which they began."""
        return self._series("ORDER BY number")

    def begin_game(self, series: Series) -> PersonGame:
        """Begin the next game of a series."""
        number = len(series.games)
        with self._file.transaction():
            if len(self.of(self._identity, series.token)) != number:
                raise StudyError("this series went on in another window; open it again")
            plan = series.plan.games[number]
            new = PersonGame(0, plan.colour, None, plan.key)
            game = self.begin(self._identity, series.token, new)
            self._touch(game)
        return game

    def keep(
        self,
        game: PersonGame,
        history: Iterable[int],
        ending: Ending | None = None,
        points: int | None = None,
        note: str = "",
    ) -> PersonGame:
        """Keep the moves of a game, as its visitor or a program does."""
        with self._file.transaction():
            kept = super().keep(game, history, ending, points, note)
            self._touch(game)
        return kept

    def keep_guess(self, series: Series, game: PersonGame, guess: str) -> None:
        """Keep which program the visitor takes the last one for, once.

        The last guess closes its series. Both are on disk then, or neither.
        """
        with self._file.transaction():
            self.keep_note(game, guess)
            self._touch(game)
            if series.number_of(game) == series.length:
                self.close_series(series)

    def close_series(self, series: Series) -> None:
        """Close a series; an unfinished game counts as abandoned, and so as lost."""
        now = self._clock()
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE game SET ending = 'abandoned', points = 0, ended = ? "
                "WHERE program = ? AND name = ? AND ending IS NULL",
                (now, self._identity, series.token),
            )
            connection.execute(
                "UPDATE series SET closed = ? WHERE number = ? AND closed IS NULL",
                (now, series.number),
            )

    def close_late(self, idle: float, longest: float) -> None:
        """Close the series whose visitors have done nothing for long, or have begun long ago."""
        now = self._clock()
        late = "touched < ? OR token IN (SELECT name FROM game WHERE begun < ?)"
        for series in self._series(f"WHERE closed IS NULL AND ({late})", now - idle, now - longest):
            self.close_series(series)

    def _touch(self, game: PersonGame) -> None:
        """Note that the visitor did something; SpecificationError if the series is closed."""
        with self._file.transaction() as connection:
            changed = connection.execute(
                "UPDATE series SET touched = ? WHERE closed IS NULL "
                "AND token = (SELECT name FROM game WHERE number = ?)",
                (self._clock(), game.number),
            )
            if changed.rowcount != 1:
                raise SpecificationError("this series is closed")

    def _series(self, where: str, *values: Any) -> list[Series]:
        rows = self._file.rows(
            f"SELECT number, token, plan, commitment, closed FROM series {where}", *values
        )
        found = []
        for number, token, text, commitment, closed in rows:
            try:
                plan = SeriesPlan.parse(text)
            except SpecificationError as error:
                raise self._file.damaged(f"series {number}: {error}") from error
            games = tuple(self.of(self._identity, token))
            if plan.commitment != commitment or len(games) > len(plan.games):
                raise self._file.damaged(f"series {number} has another plan")
            found.append(Series(number, token, plan, games, closed))
        return found
