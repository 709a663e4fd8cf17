"""Files with games of people as version 0.2.0 wrote them, and how they become files of today."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

TEACH = (
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
TRIAL = (
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
)
"""The tables of a blind trial beside its games; they are the same today."""
BLIND = (
    *TRIAL,
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


def upgrade_teach(connection: sqlite3.Connection, games: Iterable[str]) -> None:
    """Give a record of teaching the table `games`."""
    for index in ("going_on", "of_person"):
        connection.execute(f"DROP INDEX {index}")
    _exchange(
        connection,
        games,
        "INSERT INTO game (number, program, name, colour, arm, luck, moves, ending, points) "
        "SELECT number, program, name, colour, arm, luck, moves, ending, points FROM before",
    )


def upgrade_blind(connection: sqlite3.Connection, games: Iterable[str]) -> None:
    """Give a blind trial the table `games`. Who plays a game stands in the plan of its series."""
    line = "'game ' || before.number || ' you '"
    # The line of a game in a plan: game 1 you first program original key 0123456789abcdef
    after = f"substr(plan, instr(plan, char(10) || {line}) + 1 + length({line}))"
    _exchange(
        connection,
        games,
        "INSERT INTO game (program, name, colour, luck, moves, ending, points, note, begun, ended) "
        f"SELECT identity, token, {after} LIKE 'second%', "
        f"substr({after}, instr({after}, ' key ') + 5, 16), moves, ending, points, "
        "coalesce(guess, ''), begun, ended "
        "FROM trial, before JOIN series ON series.number = before.series "
        "ORDER BY before.series, before.number",
    )


def _exchange(connection: sqlite3.Connection, games: Iterable[str], copy: str) -> None:
    connection.execute("ALTER TABLE game RENAME TO before")
    for statement in games:
        connection.execute(statement)
    connection.execute(copy)
    connection.execute("DROP TABLE before")
