"""Many visitors at once, each with a game, against a server in a process of its own."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field

import httpx2


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


async def visit(address: str, number: int, seen: Seen, form: dict[str, str]) -> None:
    """Play one whole game."""
    async with httpx2.AsyncClient(base_url=address, timeout=300) as client:

        async def ask(method: str, where: str, **options):
            began = time.monotonic()
            answer = await client.request(method, where, **options)
            if answer.status_code not in (200, 303):
                seen.problems.append(f"{method} {where}: {answer.status_code}")
            return answer, time.monotonic() - began

        page, took = await ask("GET", "/play")
        seen.seconds.append(took)
        token = re.search(r'name="token" value="([0-9a-f]+)"', page.text)[1]
        begun, took = await ask("POST", "/games", data={"token": token, **form})
        seen.seconds.append(took)
        where = begun.headers["location"]
        moves = seen.games.setdefault(where, [])
        while True:
            page, took = await ask("GET", where)
            if "http-equiv" in page.text:  # the program thinks
                await asyncio.sleep(0.05)
                continue
            offered = re.findall(r'<button name="move" value="([^"]+)"', page.text)
            if not offered:
                return
            seen.seconds.append(took)
            at = re.search(r'name="at" value="(\d+)"', page.text)[1]
            move = offered[number % len(offered)]
            answer, took = await ask(
                "POST", f"{where}/move", data={"token": token, "at": at, "move": move}
            )
            seen.seconds.append(took)
            if answer.status_code == 303:
                moves.append(move)


def play_all(address: str, players: int, form: dict[str, str]) -> Seen:
    """Let `players` visitors play a game each, all at once."""
    seen = Seen()

    async def everybody() -> None:
        await asyncio.gather(*(visit(address, k, seen, form) for k in range(players)))

    asyncio.run(everybody())
    return seen
