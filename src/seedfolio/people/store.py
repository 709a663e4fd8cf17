"""The games of people, move by move: one table for the terminal, the page, blind and teach.

A blind trial keeps its series beside the games, and the page its sittings. What a program has
learnt about a person follows from their finished games alone.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from seedfolio.errors import SpecificationError, StudyError
from seedfolio.people import version_1
from seedfolio.study.sqlite_file import Database, FileKind

LONGEST_NAME = 60
GAMES = (
    """CREATE TABLE game (
        number INTEGER PRIMARY KEY,
        program TEXT NOT NULL,  -- the program that the person plays, as JSON
        name TEXT NOT NULL,     -- of the person; without names, of a series or a sitting
        colour INTEGER NOT NULL CHECK (colour IN (0, 1)),  -- of the person
        arm INTEGER,            -- of a program that chooses it, numbered from 0
        luck TEXT NOT NULL,     -- 64 random bits, hexadecimal: dice, and the arm if it is NULL
        moves TEXT NOT NULL DEFAULT '',
        ending TEXT CHECK (ending IN ('played', 'resigned', 'abandoned', 'stopped')),
        points INTEGER CHECK (points BETWEEN 0 AND 2),  -- half points of the person
        note TEXT NOT NULL DEFAULT '',  -- the guess in a blind game, or why the game stopped
        begun REAL,             -- seconds since 1970
        ended REAL
    ) STRICT""",
    "CREATE UNIQUE INDEX going_on ON game (program, name) WHERE ending IS NULL",
    "CREATE INDEX of_person ON game (program, name, colour)",
)
"""The tables of each file with games of people."""
TEACH_FILE = FileKind(
    "a record of teaching",
    0x53464F54,  # "SFOT"
    2,
    GAMES,
    earlier=FileKind("a record of teaching", 0x53464F54, 1, version_1.TEACH),
    upgrade=lambda connection: version_1.upgrade_teach(connection, GAMES),
)

Ending = Literal["played", "resigned", "abandoned", "stopped"]
_COLUMNS = "number, colour, arm, luck, moves, ending, points, note, begun, ended"


@dataclass(frozen=True)
class PersonGame:
    """A game of a person."""

    number: int
    """In its file."""
    colour: int
    """Of the person."""
    arm: int | None
    """Of a program that chooses it; None if `luck` draws it."""
    luck: int
    """64 random bits, for dice and to draw the arm."""
    history: tuple[int, ...] = ()
    """All moves, refused tries and outcomes of chance included."""
    ending: Ending | None = None
    """None while the game is in play. A game without a winner because its program failed has
    stopped."""
    points: int | None = None
    """Half points of the person, once the game has ended. Who resigns has 0, the other 2."""
    note: str = ""
    """The guess in a blind game, or why the game stopped."""
    begun: float | None = None
    ended: float | None = None


class PeopleGames:
    """The table of games in an open file."""

    def __init__(self, file: Database, clock: Callable[[], float] = time.time) -> None:
        self._file = file
        self._clock = clock

    @classmethod
    def open(cls, path: str | Path, kind: FileKind = TEACH_FILE) -> PeopleGames:
        """Open a file, new or of the same kind."""
        return cls(Database.open_or_create(Path(path), kind))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def of(self, program: str, name: str) -> list[PersonGame]:
        """Return the games of a person in their order."""
        return self._games("program = ? AND name = ? ORDER BY number", program, name)

    def last(self, program: str, name: str) -> PersonGame | None:
        """Return the last game of a person."""
        where = "program = ? AND name = ? ORDER BY number DESC LIMIT 1"
        return next(iter(self._games(where, program, name)), None)

    def going_on(self, program: str, name: str) -> PersonGame | None:
        """Return the game that a person has not finished."""
        where = "program = ? AND name = ? AND ending IS NULL"
        return next(iter(self._games(where, program, name)), None)

    def finished(self, program: str, name: str, colour: int) -> list[PersonGame]:
        """Return the finished games of a person as `colour`, in their order."""
        where = "program = ? AND name = ? AND colour = ? AND ending IS NOT NULL ORDER BY number"
        return self._games(where, program, name, colour)

    def begin(self, program: str, name: str, game: PersonGame) -> PersonGame:
        """Keep a new game; return it, or the one that the person has not finished."""
        with self._file.transaction() as connection:
            if (open_game := self.going_on(program, name)) is not None:
                return open_game
            now = self._clock()
            added = connection.execute(
                "INSERT INTO game (program, name, colour, arm, luck, begun) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (program, name, game.colour, game.arm, f"{game.luck:016x}", now),
            )
            number = int(added.lastrowid or 0)
        return PersonGame(number, game.colour, game.arm, game.luck, begun=now)

    def programs(self, name: str) -> dict[str, int]:
        """Return the number of finished games of a person against each program."""
        counted = "SELECT program, count(*) FROM game WHERE name = ? AND ending IS NOT NULL"
        return dict(self._file.rows(f"{counted} GROUP BY program ORDER BY min(number)", name))

    def keep(
        self,
        game: PersonGame,
        history: Iterable[int],
        ending: Ending | None = None,
        points: int | None = None,
        note: str = "",
    ) -> PersonGame:
        """Keep the moves of a game, and how it ended.

        StudyError if the game is no longer as `game` says: someone plays it in another window.
        """
        moves, ended = tuple(history), None if ending is None else self._clock()
        with self._file.transaction() as connection:
            changed = connection.execute(
                "UPDATE game SET moves = ?, ending = ?, points = ?, note = ?, ended = ? "
                "WHERE number = ? AND moves = ? AND ending IS NULL",
                (_text(moves), ending, points, note, ended, game.number, _text(game.history)),
            )
            if changed.rowcount != 1:
                raise StudyError("this game went on in another window; open it again")
        return replace(game, history=moves, ending=ending, points=points, note=note, ended=ended)

    def keep_note(self, game: PersonGame, note: str) -> None:
        """Keep a note about a finished game, once."""
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE game SET note = ? WHERE number = ? AND note = '' AND ending IS NOT NULL",
                (note, game.number),
            )

    def damaged(self, game: PersonGame, what: object) -> StudyError:
        """Return the error to raise when a game is not as it was written."""
        return self._file.damaged(f"game {game.number}: {what}")

    def _games(self, where: str, *values: Any) -> list[PersonGame]:
        rows = self._file.rows(f"SELECT {_COLUMNS} FROM game WHERE {where}", *values)
        try:
            return [
                PersonGame(number, colour, arm, int(luck, 16), _moves(moves), *rest)
                for number, colour, arm, luck, moves, *rest in rows
            ]
        except ValueError as error:
            raise self._file.damaged(str(error)) from error


def person_name(text: str) -> str:
    """Return the name of a person in one spelling; SpecificationError if it is not a name."""
    if not isinstance(text, str):
        raise SpecificationError(f"`name` must be a text, not {text!r}")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise SpecificationError(
            f"`name` must have 1 to {LONGEST_NAME} characters, and has {len(name)}"
        )
    if not name.isprintable():
        raise SpecificationError("`name` has a character that cannot be shown; leave it out")
    return name


def _text(moves: Iterable[int]) -> str:
    return " ".join(map(str, moves))


def _moves(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
