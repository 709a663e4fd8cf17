"""A server that is killed loses nothing that a visitor has seen accepted."""

import re
import signal
from collections import defaultdict
from html import unescape

import httpx2
import pytest
from waiting import PATIENCE, finish, start_command

from seedfolio.web.library import PORTFOLIO, Library

pytestmark = pytest.mark.slow
PLAYED = re.compile(r'<li class="you">You play ([^<]+)\.</li>')
FORM = {"kind": "original", "name": "domineering", "options": "4x4", "effort": "5"}
ENDS = "It played seed", "Which program was it?", "Next game"


class Survivor:
    """A visitor who keeps the cookie and the token over servers that end."""

    def __init__(self):
        self.client = httpx2.Client(timeout=PATIENCE)
        self.accepted: dict[str, list[str]] = defaultdict(list)

    def serve(self, folder, *event):
        process = start_command(["web", ".", "--port", "0"], folder, *event)
        self.client.base_url = re.search(r"http://[\d.:]+", process.stderr.readline())[0]
        return process

    def page(self, path):
        while 'http-equiv="refresh"' in (text := self.client.get(path).text):
            pass
        self.token = (re.findall(r'name="token" value="(\w+)"', text) or [""])[0]
        return text

    def post(self, path, **form):
        return self.client.post(path, data={"token": self.token, **form})

    def move(self, path):
        """Play a move, which is noted when it was accepted; return False if the game is over."""
        page = self.page(path)
        moves = re.findall(r'<button name="move" value="([^"]+)"', page)
        if moves:
            at = re.findall(r'name="at" value="(\d+)"', page)[0]
            move = unescape(moves[len(moves) // 2])
            assert self.post(f"{path}/move", move=move, at=at).status_code == 303
            self.accepted[path].append(move)
        return bool(moves)


def test_killed_in_the_middle_of_games(judged):
    """A visitor plays an ordinary, a blind and a taught game in turn until the server is killed."""
    (file,) = [each for each in Library(judged).files(PORTFOLIO) if each.name == "small-book"]
    survivor = Survivor()
    # The visitor's second move in a place follows the program's first one there and their own
    # first ones in the others: at the eighth move each place has an accepted one.
    process = survivor.serve(judged, "before", "move", "8", "SIGKILL")
    places = []

    def visit():
        for page, form in (
            ("/play", {**FORM, "colour": "first"}),
            (f"/blind/{file.id}", {"games": "4"}),
            ("/teach", {**FORM, "person": "Kim"}),
        ):
            survivor.page(page)
            answer = survivor.post("/games" if page == "/play" else page, **form)
            places.append(answer.headers["location"])
        for place in places[1:]:
            survivor.page(place)
            survivor.post(f"{place}/game", colour="first")
        moved = [True]
        while any(moved):
            moved = [survivor.move(place) for place in places]

    with pytest.raises(httpx2.TransportError):
        visit()
    assert finish(process)[0] == -signal.SIGKILL
    assert all(survivor.accepted[place] for place in places)
    process = survivor.serve(judged)
    try:
        for place, end in zip(places, ENDS, strict=True):
            kept, accepted = PLAYED.findall(survivor.page(place)), survivor.accepted[place]
            # The last one may have been kept without an answer to say so.
            assert kept[: len(accepted)] == accepted
            assert len(kept) <= len(accepted) + 1
            while survivor.move(place):
                pass
            assert end in survivor.page(place)
    finally:
        process.terminate()
        finish(process)
