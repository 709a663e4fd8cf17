"""Studies of a stranger: SQLite files with programs inside, and odd files beside."""

import json
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from file_targets import study_bytes
from judging import at
from mutations import data_from

from seedfolio.core.seeds import GUEST_SHIFT
from seedfolio.study.database import ENGINE_SCHEMA, checksum
from seedfolio.study.engine_games import _game_checksum

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(i) FROM n"
LONG = "printf('%.*c', 3000000, 'x')"
_PLACES = ", ".join("?" * 8)
_MOST_STEPS = 100_000
"""Of SQLite's machine, for a statement that writes a study: a trigger may have no end."""
TABLES = ("identity", "request", "portfolio", "evaluation", "run")
COLUMNS = {"identity": "number", "request": "number", "portfolio": "name", "evaluation": "name"}

STATEMENTS = [
    ENGINE_SCHEMA,
    *(
        line.replace("ENDLESS", ENDLESS).replace("LONG", LONG).replace("ESCAPE", "\x1b")
        for line in Path(__file__).with_name("stranger_statements.sql").read_text().splitlines()
    ),
]
"""T stands for one of the tables."""
BESIDE = [
    {"text": "x"},
    {"text": ""},
    {"repeat": ["7\x7f\x06\x82", 2000]},
    {"latin": "\x37\x7f\x06\x82\x00\x2d\xe2\x18" + "\0" * 60},
    {"journal": "KEPT"},
    {"link": "KEPT"},
    {"link": "/dev/zero"},
    {"pipe": True},
    {"folder": True},
]
"""In place of what SQLite and Seedfolio leave there."""


def strange_study(draw, portfolio, specification):
    """Return the recipe of a study; the functions draw a portfolio and an engine's tables."""
    changes = {"statements": [], "texts": [], "games": []}
    kind = draw.random()
    if kind < 0.6:
        for _ in range(draw.choice((1, 1, 2))):
            table = draw.choice(TABLES)
            changes["statements"].append(draw.choice(STATEMENTS).replace(" T ", f" {table} "))
    if kind > 0.5:
        for _ in range(draw.choice((1, 1, 2))):
            changes["texts"].append(_text(draw, portfolio, specification))
    if draw.random() < 0.2:
        changes["games"] = [_game(draw) for _ in range(draw.choice((1, 1, 5)))]
    return changes


def _game(draw):
    arms = [draw.choice((0, 1, -1, *(n << GUEST_SHIFT for n in (1, 2, 3, 7)), 2**62)) for _ in "12"]
    ending = draw.choice(("normal", "crash", "illegal move", "void", "x", "", "adjudicated win"))
    moves = draw.choice(("", "a1 b2", "b2b3 a1b1", "\x1b[2J", "pass " * 9, "x" * 9999))
    detail = draw.choice(("", "it ended", "\x1b[2J\n", "a" * 9999))
    numbers = draw.choice((0, 1, -5, 2**62)), draw.choice((0, 1, 2, 9, -3))
    return [*arms, numbers[0], ending, numbers[1], moves, detail]


def _text(draw, portfolio, specification):
    """Return a table, a key, and the text that is stored there, with the right checksum."""
    table = draw.choice(("identity", "request", "portfolio", "portfolio", "evaluation"))
    if table == "portfolio":
        return [table, draw.choice(("nash", "nash", "\x1b[2J", "x" * 300, "../x")), portfolio(draw)]
    if table == "identity" and draw.random() < 0.5:
        guest = {"name": "x", "weight": draw.choice((1, 0, -1, 10**12))}
        found = {"specification": specification(draw), "version": 1, "engine": "it"}
        guest["specification"] = draw.choice((found["specification"], {}, specification(draw)))
        if draw.random() < 0.3:
            guest["drawn"] = draw.choice(([], [{"0": 1.0}] * 2, [{"x": "DEEP 900"}], [{}, {}]))
        return [table, 1, found | ({"opponents": [guest]} if draw.random() < 0.5 else {})]
    key, text = _texts_of()[table]
    return [table, key, data_from(draw, json.loads(text))]


def write_study(path, changes, finished):
    path.write_bytes(study_bytes())
    if not any(changes.values()):
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.set_progress_handler(lambda: 1, _MOST_STEPS)
        for table, key, data in changes["texts"]:
            text = finished(json.dumps(data))
            stored = key, text, checksum(str(key), text.encode())
            with suppress(sqlite3.Error):
                connection.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", stored)
        if changes.get("games"):
            connection.executescript(ENGINE_SCHEMA)
        for row in changes.get("games", ()):
            stored = *row, _game_checksum(*row)
            connection.execute(f"INSERT OR REPLACE INTO engine_game VALUES ({_PLACES})", stored)
        for statement in changes["statements"]:
            with suppress(sqlite3.Error):
                connection.executescript(finished(statement))


@cache
def _texts_of():
    path = at("texts.study")
    path.write_bytes(study_bytes())
    with closing(sqlite3.connect(path)) as connection:
        found = {
            table: connection.execute(f"SELECT {key}, text FROM {table} LIMIT 1").fetchone()
            for table, key in COLUMNS.items()
        }
    path.unlink()
    return found
