"""Many visitors at once, each with a game, against a server in a process of its own."""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

POLL = 0.3
"""Seconds after which the page asks again while a program thinks, as its script does."""
THOUGHT = 3.0
"""Seconds for which a visitor looks at the board, on average."""


@dataclass
class Seen:
    """What all visitors saw together."""

    seconds: list[float] = field(default_factory=list)
    """How long each page took that did not wait for a program."""
    problems: list[str] = field(default_factory=list)
    games: dict[str, list[str]] = field(default_factory=dict)
    """By address: the moves that the visitor played, each of which was accepted."""

    @property
    def slowest(self) -> float:
        """The 95th percentile, in seconds."""
        return sorted(self.seconds)[int(0.95 * (len(self.seconds) - 1))]


class Connection:
    """A visitor's connection, as plain as can be: others cost more time than the server."""

    def __init__(self, address: str) -> None:
        self.host = urlsplit(address).netloc
        self.cookie = ""

    async def open(self) -> None:
        host, port = self.host.split(":")
        self.reader, self.writer = await asyncio.open_connection(host, int(port))

    async def ask(self, method: str, where: str, **form: str) -> tuple[int, dict[str, str], str]:
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


async def visit(address: str, number: int, seen: Seen, form: dict[str, str]) -> None:
    """Play one whole game."""
    draw, connection = random.Random(number), Connection(address)
    await asyncio.sleep(THOUGHT * 2 * draw.random())
    await connection.open()

    async def ask(method: str, where: str, **fields: str) -> tuple[dict[str, str], str, float]:
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
        await asyncio.sleep(THOUGHT * 2 * draw.random())
        _, page, took = await ask("GET", where)  # once more, as it is our turn
        seen.seconds.append(took)
        at = re.search(r'name="at" value="(\d+)"', page)[1]
        move = offered[number % len(offered)]
        headers, _, took = await ask("POST", f"{where}/move", token=token, at=at, move=move)
        seen.seconds.append(took)
        if headers.get("location") == where:
            moves.append(move)


def play_all(address: str, players: int, form: dict[str, str]) -> Seen:
    """Let `players` visitors play a game each, all at once."""
    seen = Seen()

    async def everybody() -> None:
        await asyncio.gather(*(visit(address, k, seen, form) for k in range(players)))

    asyncio.run(everybody())
    return seen
