"""The file of a blind trial: series of games, each move and result on disk before it is shown."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedfolio.errors import SpecificationError, StudyError
from seedfolio.people.blind.design import Assignment, SeriesPlan
from seedfolio.study.sqlite_file import Database, FileKind

GUESSES = ("original", "boosted", "cannot tell")
_SCHEMA = (
    """CREATE TABLE trial (
        number INTEGER PRIMARY KEY CHECK (number = 1),
        identity TEXT NOT NULL   -- game, player and portfolio, as JSON
    ) STRICT""",
    """CREATE TABLE series (
        number INTEGER PRIMARY KEY,
        token TEXT NOT NULL UNIQUE,
        plan TEXT NOT NULL,      -- secret until the series is closed
        commitment TEXT NOT NULL,
        touched REAL NOT NULL,   -- when its visitor last did something
        closed REAL
    ) STRICT""",
    """CREATE TABLE game (
        series INTEGER NOT NULL REFERENCES series (number),
        number INTEGER NOT NULL, -- in the series, from 1
        moves TEXT NOT NULL DEFAULT '',
        ending TEXT CHECK (ending IN ('played', 'resigned', 'abandoned')),
        points INTEGER CHECK (points BETWEEN 0 AND 2),  -- half points of the visitor
        guess TEXT CHECK (guess IN ('original', 'boosted', 'cannot tell')),
        begun REAL NOT NULL,
        ended REAL,
        PRIMARY KEY (series, number)
    ) STRICT, WITHOUT ROWID""",
)
BLIND_FILE = FileKind("a record of blind games", 0x53464F42, 1, _SCHEMA)  # "SFOB"


@dataclass(frozen=True)
class BlindGame:
    """A game of a series, once it has begun."""

    series: int
    number: int
    history: tuple[int, ...] = ()
    ending: str | None = None
    """played, resigned, abandoned; None while it goes on."""
    points: int | None = None
    """Half points of the visitor."""
    guess: str | None = None
    begun: float = 0.0
    ended: float | None = None


@dataclass(frozen=True)
class Series:
    """A series of games of one visitor."""

    number: int
    token: str
    """128 random bits, hexadecimal: who has it goes on with the series."""
    plan: SeriesPlan
    """Secret until the series is closed."""
    games: tuple[BlindGame, ...]
    """Those that have begun."""
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
    def current(self) -> BlindGame | None:
        """The last game that has begun, unless it has its guess or the series is closed."""
        last = self.games[-1] if self.games and self.closed is None else None
        return None if last is None or (last.ending and last.guess) else last

    def assignment(self, game: BlindGame) -> Assignment:
        """Return who plays a game."""
        return self.plan.games[game.number - 1]


class BlindGames:
    """The open file."""

    def __init__(
        self, path: str | Path, identity: str, clock: Callable[[], float] = time.time
    ) -> None:
        """Open the file, new or of the same trial."""
        self._file = Database.open_or_create(Path(path), BLIND_FILE)
        self.path = self._file.path
        self._clock = clock
        with self._file.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO trial VALUES (1, ?)", (identity,))
            ((kept,),) = connection.execute("SELECT identity FROM trial").fetchall()
        if kept != identity:
            self.close()
            raise StudyError(
                f"{self.path} is of a trial of another game or portfolio; choose another file"
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

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

    def begin_game(self, series: Series) -> BlindGame:
        """Begin the next game of a series."""
        game = BlindGame(series.number, len(series.games) + 1, begun=self._clock())
        with self._file.transaction() as connection:
            added = connection.execute(
                "INSERT OR IGNORE INTO game (series, number, begun) VALUES (?, ?, ?)",
                (game.series, game.number, game.begun),
            )
            if added.rowcount != 1:
                raise StudyError("this series went on in another window; open it again")
            self._touch(game.series)
        return game

    def keep(
        self,
        game: BlindGame,
        history: Iterable[int],
        ending: str | None = None,
        points: int | None = None,
    ) -> None:
        """Keep the moves of a game, and how it ended.

        StudyError if the game is no longer as `game` says: someone plays it in another window.
        """
        ended = None if ending is None else self._clock()
        with self._file.transaction() as connection:
            changed = connection.execute(
                "UPDATE game SET moves = ?, ending = ?, points = ?, ended = ? "
                "WHERE series = ? AND number = ? AND moves = ? AND ending IS NULL",
                (_text(history), ending, points, ended, game.series, game.number,
                 _text(game.history)),
            )  # fmt: skip
            if changed.rowcount != 1:
                raise StudyError("this game went on in another window; open it again")
            self._touch(game.series)

    def keep_guess(self, game: BlindGame, guess: str) -> None:
        """Keep what the visitor takes the program of a finished game for, once."""
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE game SET guess = ? WHERE series = ? AND number = ? AND guess IS NULL "
                "AND ending IS NOT NULL",
                (guess, game.series, game.number),
            )
            self._touch(game.series)

    def close_series(self, series: Series) -> None:
        """Close a series; a game that goes on counts as abandoned, and so as lost."""
        now = self._clock()
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE game SET ending = 'abandoned', points = 0, ended = ? "
                "WHERE series = ? AND ending IS NULL",
                (now, series.number),
            )
            connection.execute(
                "UPDATE series SET closed = ? WHERE number = ? AND closed IS NULL",
                (now, series.number),
            )

    def close_idle(self, seconds: float) -> None:
        """Close the series whose visitors have done nothing for so long."""
        idle = "WHERE closed IS NULL AND touched < ?"
        for series in self._series(idle, self._clock() - seconds):
            self.close_series(series)

    def _touch(self, series: int) -> None:
        with self._file.transaction() as connection:
            changed = connection.execute(
                "UPDATE series SET touched = ? WHERE number = ? AND closed IS NULL",
                (self._clock(), series),
            )
            if changed.rowcount != 1:
                raise SpecificationError("this series is closed")

    def _series(self, where: str, *values: Any) -> list[Series]:
        rows = self._file.rows(
            f"SELECT number, token, plan, commitment, closed FROM series {where}", *values
        )
        found = []
        for number, token, text, commitment, closed in rows:
            plan = SeriesPlan.parse(text)
            if plan.commitment != commitment:
                raise StudyError(f"{self.path} is damaged: series {number} has another plan")
            found.append(Series(number, token, plan, self._games(number), closed))
        return found

    def _games(self, series: int) -> tuple[BlindGame, ...]:
        rows = self._file.rows(
            "SELECT number, moves, ending, points, guess, begun, ended FROM game "
            "WHERE series = ? ORDER BY number",
            series,
        )
        return tuple(
            BlindGame(series, number, tuple(map(int, moves.split())), *rest)
            for number, moves, *rest in rows
        )


def _text(moves: Iterable[int]) -> str:
    return " ".join(map(str, moves))
