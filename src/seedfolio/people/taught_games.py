"""The record of teaching: every game of every person, move by move, in one SQLite file.

A person is a name, which is no password: who gives the same name goes on as the same person. What
the program has learnt about a person follows from their finished games, and nothing else is kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from seedfolio.errors import SpecificationError, StudyError
from seedfolio.study.sqlite_file import Database, FileKind

LONGEST_NAME = 60
_SCHEMA = (
    """CREATE TABLE game (
        number INTEGER PRIMARY KEY,
        program TEXT NOT NULL,  -- the identity of game and player, as JSON
        name TEXT NOT NULL,     -- of the person
        colour INTEGER NOT NULL CHECK (colour IN (0, 1)),  -- of the person
        arm INTEGER NOT NULL,   -- of the program, numbered from 0
        luck TEXT NOT NULL,     -- 64 random bits, hexadecimal
        moves TEXT NOT NULL DEFAULT '',
        ending TEXT CHECK (ending IN ('played', 'resigned')),  -- NULL while it goes on
        points INTEGER CHECK (points BETWEEN 0 AND 2)  -- half points of the person
    ) STRICT""",
    "CREATE UNIQUE INDEX going_on ON game (program, name) WHERE ending IS NULL",
    "CREATE INDEX of_person ON game (program, name, colour)",
)
TEACH_FILE = FileKind("a record of teaching", 0x53464F54, 1, _SCHEMA)  # "SFOT"

Ending = Literal["played", "resigned"]


@dataclass(frozen=True)
class TaughtGame:
    """A game of a person."""

    number: int
    colour: int
    """Of the person."""
    arm: int
    luck: int
    history: tuple[int, ...] = ()
    """All moves, refused tries and outcomes of chance included."""
    ending: Ending | None = None
    points: int | None = None
    """Half points of the person, once the game has ended."""


class TaughtGames:
    """The open file."""

    def __init__(self, path: str | Path) -> None:
        self._file = Database.open_or_create(Path(path), TEACH_FILE)
        self.path = self._file.path

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def names(self, program: str) -> list[tuple[str, int]]:
        """Return the people who have played a program, with their finished games."""
        rows = self._file.rows(
            "SELECT name, count(ending) FROM game WHERE program = ? GROUP BY name ORDER BY name",
            program,
        )
        return [(str(name), int(games)) for name, games in rows]

    def going_on(self, program: str, name: str) -> TaughtGame | None:
        """Return the game that a person has not finished."""
        found = self._games("program = ? AND name = ? AND ending IS NULL", program, name)
        return found[0] if found else None

    def finished(self, program: str, name: str, colour: int) -> list[TaughtGame]:
        """Return the finished games of a person as `colour`, in their order."""
        where = "program = ? AND name = ? AND colour = ? AND ending IS NOT NULL"
        return self._games(where, program, name, colour)

    def begin(self, program: str, name: str, game: TaughtGame) -> TaughtGame:
        """Keep a new game; return it, or the one that the person has not finished."""
        with self._file.transaction() as connection:
            if (open_game := self.going_on(program, name)) is not None:
                return open_game
            added = connection.execute(
                "INSERT INTO game (program, name, colour, arm, luck) VALUES (?, ?, ?, ?, ?)",
                (program, name, game.colour, game.arm, f"{game.luck:016x}"),
            )
            number = int(added.lastrowid or 0)
        return TaughtGame(number, game.colour, game.arm, game.luck)

    def keep(
        self,
        game: TaughtGame,
        history: Iterable[int],
        ending: Ending | None = None,
        points: int | None = None,
    ) -> TaughtGame:
        """Keep the moves of a game, and how it ended.

        StudyError if the game is no longer as `game` says: someone plays it in another window.
        """
        moves = tuple(history)
        with self._file.transaction() as connection:
            changed = connection.execute(
                "UPDATE game SET moves = ?, ending = ?, points = ? "
                "WHERE number = ? AND moves = ? AND ending IS NULL",
                (_text(moves), ending, points, game.number, _text(game.history)),
            )
            if changed.rowcount != 1:
                raise StudyError("this game went on in another window; open it again")
        return TaughtGame(game.number, game.colour, game.arm, game.luck, moves, ending, points)

    def _games(self, where: str, *values: Any) -> list[TaughtGame]:
        rows = self._file.rows(
            "SELECT number, colour, arm, luck, moves, ending, points FROM game "
            f"WHERE {where} ORDER BY number",
            *values,
        )
        try:
            return [
                TaughtGame(
                    number, colour, arm, int(luck, 16), tuple(map(int, moves.split())), *ended
                )
                for number, colour, arm, luck, moves, *ended in rows
            ]
        except ValueError as error:
            raise StudyError(f"{self.path} is damaged ({error}); restore a copy of it") from error


def person_name(text: str) -> str:
    """Return the name of a person in one spelling; SpecificationError if it is no name."""
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
