"""The server as a process: many players at once."""

import asyncio
import random
import re
import sqlite3
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import pytest
from waiting import finish, start_command

from seedfolio.games import load_game

FORM = {"kind": "original", "name": "domineering", "options": "4x4", "effort": "5"}


def stored_games(folder):
    """Return the histories in the database, by the address of the game."""
    with sqlite3.connect(folder / "seedfolio-web.sqlite") as connection:
        rows = connection.execute("SELECT name, moves, ending FROM game").fetchall()
    return {f"/games/{name}": ([*map(int, moves.split())], ending) for name, moves, ending in rows}


def check_players(folder, players, thought):
    process = start_command(["web", str(folder), "--port", "0"], folder)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
        play_all(address, 1, FORM, 0.1)  # compiles
        seen = play_all(address, players, FORM, thought)
    finally:
        process.terminate()
        finish(process)
    assert seen.problems == []
    stored, game = stored_games(folder), load_game("domineering:4x4")
    assert len(seen.games) == players
    for where, moves in seen.games.items():
        history, over = stored[where]
        assert [game.move_name(move) for move in history[::2]] == moves
        assert over == "played"
    return seen


@pytest.mark.slow
def test_some_players_at_once(tmp_path):
    check_players(tmp_path, 8, thought=0.1)


@pytest.mark.long
def test_200_players_at_once(tmp_path):
    seen = check_players(tmp_path, 200, thought=3.0)
    print(f"95% of {len(seen.seconds)} pages in {seen.slowest:.3f} s")
    assert seen.slowest < 1


POLL = 0.3
"""Seconds after which the page asks again while a program thinks, as its script does."""


@dataclass
class Seen:
    """What all visitors saw together."""

    seconds: list[float] = field(default_factory=list)
    """How long each page took that did not wait for a program."""
    problems: list[str] = field(default_factory=list)
    games: dict[str, list[str]] = field(default_factory=dict)
    """By address: the moves that the visitor played, each of which was accepted."""

    @property
    def slowest(self):
        """The 95th percentile, in seconds."""
        return sorted(self.seconds)[int(0.95 * (len(self.seconds) - 1))]


class Connection:
    """A visitor's connection, as plain as can be: others cost more time than the server."""

    def __init__(self, address):
        self.host = urlsplit(address).netloc
        self.cookie = ""

    async def open(self):
        host, port = self.host.split(":")
        self.reader, self.writer = await asyncio.open_connection(host, int(port))

    async def ask(self, method, where, **form):
        """Return the status, the headers and the page."""
        body = urlencode(form)
        self.writer.write(
            f"{method} {where} HTTP/1.1\r\nHost: {self.host}\r\nCookie: {self.cookie}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:] if line)}
        text = (await self.reader.readexactly(int(headers.get("content-length", "0")))).decode()
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        return int(lines[0].split()[1]), headers, text


async def visit(address, number, seen, form, thought):
    """Play one whole game."""
    draw, connection = random.Random(number), Connection(address)
    await asyncio.sleep(thought * 2 * draw.random())
    await connection.open()

    async def ask(method, where, **fields):
        began = time.monotonic()
        status, headers, text = await connection.ask(method, where, **fields)
        if status not in (200, 303):
            seen.problems.append(f"{method} {where}: {status}")
        return headers, text, time.monotonic() - began

    _, page, took = await ask("GET", "/play")
    seen.seconds.append(took)
    token = re.search(r'name="token" value="([0-9a-f]+)"', page)[1]
    headers, _, took = await ask("POST", "/games", token=token, **form)
    seen.seconds.append(took)
    where = headers["location"]
    moves = seen.games.setdefault(where, [])
    while True:
        _, page, took = await ask("GET", where)
        if "http-equiv" in page:  # the program thinks
            await asyncio.sleep(POLL)
            continue
        offered = re.findall(r'<button name="move" value="([^"]+)"', page)
        if not offered:
            connection.writer.close()
            return
        await asyncio.sleep(thought * 2 * draw.random())
        _, page, took = await ask("GET", where)  # once more, as it is our turn
        seen.seconds.append(took)
        at = re.search(r'name="at" value="(\d+)"', page)[1]
        move = offered[number % len(offered)]
        headers, _, took = await ask("POST", f"{where}/move", token=token, at=at, move=move)
        seen.seconds.append(took)
        if headers.get("location") == where:
            moves.append(move)


def play_all(address, players, form, thought):
    """Let `players` visitors play a game each, all at once.

    Each looks at the board for `thought` seconds, on average.
    """
    seen = Seen()

    async def everybody():
        await asyncio.gather(*(visit(address, k, seen, form, thought) for k in range(players)))

    asyncio.run(everybody())
    return seen
