"""A server that is killed loses nothing that a visitor has seen accepted."""

from __future__ import annotations

import re
import signal
import subprocess
from collections import defaultdict
from html import unescape

import httpx2
import pytest
from waiting import PATIENCE, start_command

from seedfolio.web.library import PORTFOLIO, Library

pytestmark = pytest.mark.slow
PLAYED = re.compile(r'<li class="you">You play ([^<]+)\.</li>')


class Survivor:
    """A visitor who keeps the cookie and the token over servers that end."""

    def __init__(self) -> None:
        self.client = httpx2.Client(timeout=PATIENCE)
        self.accepted: dict[str, list[str]] = defaultdict(list)

    def serve(self, folder, *event):
        process = start_command(["web", ".", "--port", "0"], folder, *event)
        line = process.stderr.readline()
        self.client.base_url = re.search(r"http://[\d.:]+", line)[0]
        return process

    def page(self, path):
        while True:
            text = self.client.get(path).text
            if 'http-equiv="refresh"' not in text:
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


def end(process):
    process.terminate()
    try:
        process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def test_killed_in_the_middle_of_games(judged):
    """A visitor plays a blind game and one of teaching in turn until the server is killed."""
    (file,) = [each for each in Library(judged).files(PORTFOLIO) if each.name == "small-book"]
    survivor = Survivor()
    # The visitor's second move in a place follows the program's first one there and their own
    # first one in the other place: at the sixth move both places have an accepted one.
    process = survivor.serve(judged, "before", "move", "6", "SIGKILL")
    places = []

    def visit():
        survivor.page(f"/blind/{file.id}")
        places.append(survivor.post(f"/blind/{file.id}", games="4").headers["location"])
        survivor.page("/teach")
        form = {"kind": "original", "name": "domineering", "options": "4x4", "effort": "5"}
        places.append(survivor.post("/teach", person="Kim", **form).headers["location"])
        for place in places:
            survivor.page(place)
            survivor.post(f"{place}/game", colour="first")
        moved = [True]
        while any(moved):
            moved = [survivor.move(place) for place in places]

    with pytest.raises(httpx2.TransportError):
        visit()
    assert process.wait(PATIENCE) == -signal.SIGKILL
    process.communicate()
    assert all(survivor.accepted[place] for place in places)
    process = survivor.serve(judged)
    try:
        for place, question in zip(places, ("Which program was it?", "Next game"), strict=True):
            kept, accepted = PLAYED.findall(survivor.page(place)), survivor.accepted[place]
            # The last one may have been kept without an answer to say so.
            assert kept[: len(accepted)] == accepted
            assert len(kept) <= len(accepted) + 1
            while survivor.move(place):
                pass
            assert question in survivor.page(place)
        survivor.page(places[0])
        survivor.post(f"{places[0]}/end")
    finally:
        end(process)
