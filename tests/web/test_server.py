"""The server as a process: many players at once."""

import random
import re
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from waiting import finish, start_command
from web_client import SMALL, Guest

from seedfolio.games import load_game

POLL = 0.3
"""Seconds after which the page asks again while a program thinks, as its script does."""


class Timed(Guest):
    def __init__(self, address):
        super().__init__(address)
        self.seconds = []

    def text(self, address):
        began = time.monotonic()
        page = super().text(address)
        if "http-equiv" not in page:
            self.seconds.append(time.monotonic() - began)
        return page


def play(address, number, thought):
    draw, guest, moves = random.Random(number), Timed(address), []
    time.sleep(thought * 2 * draw.random())
    where = guest.post("/games", **SMALL).headers["location"]
    while True:
        while "http-equiv" in (page := guest.text(where)):  # the program thinks
            time.sleep(POLL)
        if not (offered := guest.moves(page)):
            return where, moves, guest.seconds
        time.sleep(thought * 2 * draw.random())
        moves.append(offered[number % len(offered)])
        assert guest.play(where, moves[-1]).headers["location"] == where


@pytest.mark.parametrize(
    ("players", "thought"),
    [pytest.param(8, 0.1, marks=pytest.mark.slow), pytest.param(200, 3.0, marks=pytest.mark.long)],
)
def test_players_at_once(tmp_path, players, thought):
    process = start_command(["web", ".", "--port", "0"], tmp_path)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
        play(address, 0, 0)  # compiles
        with ThreadPoolExecutor(players) as threads:
            games = [threads.submit(play, address, k, thought) for k in range(players)]
    finally:
        process.terminate()
        finish(process)
    with sqlite3.connect(tmp_path / "seedfolio-web.sqlite") as connection:
        rows = connection.execute("SELECT name, moves, ending FROM game").fetchall()
    stored = {f"/games/{name}": (moves.split(), ending) for name, moves, ending in rows}
    game, seconds = load_game("domineering:4x4"), []
    for where, moves, taken in (each.result() for each in games):
        history, ending = stored[where]
        assert ([game.move_name(int(move)) for move in history[::2]], ending) == (moves, "played")
        seconds += taken
    slowest = sorted(seconds)[int(0.95 * (len(seconds) - 1))]
    print(f"95% of {len(seconds)} pages in {slowest:.3f} s")
