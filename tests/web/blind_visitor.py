"""A visitor of blind series who notes all that a client can see: bytes, headers and times."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from html import unescape
from time import perf_counter

import httpx2
from waiting import wait_until

WAITS = 'hx-trigger="load'
"""In a page that waits for the program."""
_TOKEN = re.compile(r'name="token" value="([0-9a-f]{64})"')
_SHOWN_GAME = (
    re.compile(r"<svg.*?</svg>", re.DOTALL),
    re.compile(r'<form class="cells.*?</form>', re.DOTALL),
    re.compile(r'<ol class="moves.*?</ol>', re.DOTALL),
    re.compile(r"<pre>.*?</pre>", re.DOTALL),
    re.compile(r'<p id="news".*?</p>', re.DOTALL),
    re.compile(r'<div class="scroll".*?</div>', re.DOTALL),
    re.compile(r'data-at="\d*"'),
    re.compile(r'name="at" value="\d+"'),
    re.compile(r"You win\.|A draw\.|The program wins\."),
    re.compile(r"You are \w+\. The program is \w+\."),
    re.compile(r"Begin game \d+ of"),
    re.compile(r"[0-9a-f]{32,}"),
)
"""What follows from the moves, the colour, the number of the game, the series and the visitor."""


@dataclass
class SeenByClient:
    """All that a client has seen of one game."""

    answers: list[float] = field(default_factory=list)
    """Seconds from a move to the answer."""
    requests: list[float] = field(default_factory=list)
    """Seconds of the other requests."""
    headers: list[tuple[int, tuple[tuple[str, str], ...]]] = field(default_factory=list)
    """Status and headers of all answers; lengths follow from the moves."""
    bodies: list[str] = field(default_factory=list)
    """All pages, without what follows from the moves."""


class BlindVisitor:
    """Plays games of a series by htmx's requests, with random moves."""

    def __init__(self, address: str, seed: int = 0) -> None:
        self.client = httpx2.Client(base_url=address, timeout=300)
        self.token = ""
        self._random = random.Random(seed)

    def page(self, path: str) -> str:
        """Return a page that is ready."""
        found = ""

        def ready() -> bool:
            nonlocal found
            answer = self.client.get(path)
            assert answer.status_code == 200, answer.text
            found = answer.text
            return 'http-equiv="refresh"' not in found

        wait_until(ready, f"{path} is ready")
        self.token = (_TOKEN.search(found) or ["", self.token])[1]
        return found

    def begin_series(self, trial: str, games: int) -> str:
        """Begin a series; return its address."""
        self.page(trial)
        answer = self.client.post(trial, data={"token": self.token, "games": str(games)})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def play_game(self, series: str, guess: str = "boosted") -> SeenByClient:
        """Play the next game of a series and guess; return what was seen."""
        seen = SeenByClient()
        self._request(seen, "POST", f"{series}/game")
        begun = perf_counter()
        page = self._settled(seen, series, self._request(seen, "GET", series))
        if "The program" in page and 'class="program"' in page:
            seen.answers.append(perf_counter() - begun)  # it had the first move
        while moves := re.findall(r'<button name="move" value="([^"]+)"', page):
            at = re.findall(r'name="at" value="(\d+)"', page)[0]
            asked = perf_counter()
            move = unescape(self._random.choice(moves))
            page = self._request(seen, "POST", f"{series}/move", move=move, at=at)
            page = self._settled(seen, series, page)
            seen.answers.append(perf_counter() - asked)
        assert "Which program was it?" in page
        self._request(seen, "POST", f"{series}/guess", guess=guess)
        return seen

    def _settled(self, seen: SeenByClient, series: str, page: str) -> str:
        while WAITS in page:
            page = self._request(seen, "GET", f"{series}/table")
        return page

    def _request(self, seen: SeenByClient, method: str, path: str, **form: str) -> str:
        data = {"token": self.token, **form} if method == "POST" else None
        begun = perf_counter()
        answer = self.client.request(method, path, data=data, headers={"HX-Request": "true"})
        assert answer.status_code in (200, 204), answer.text
        if not path.endswith(("/move", "/table")):
            seen.requests.append(perf_counter() - begun)
        plain = [(k, v) for k, v in answer.headers.items() if k != "content-length"]
        own = [(k, re.sub("[0-9a-f]{16,}", "#", v)) for k, v in plain]
        seen.headers.append((answer.status_code, tuple(own)))
        body = answer.text
        for each in _SHOWN_GAME:
            body = each.sub("#", body)
        seen.bodies.append(body)
        return answer.text
