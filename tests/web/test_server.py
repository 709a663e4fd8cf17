"""The server as a process: many players at once, half-sent requests, and a kill in between."""

import random
import re
import signal
import socket
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx2
import pytest
from waiting import PATIENCE, finish
from web_client import PLAYED, SMALL, Guest, started

from seedfolio.games import load_game

POLL = 0.3
"""Seconds after which the page asks again while a program thinks, as its script does."""
AT = re.compile(r'name="at" value="(\d+)"')
NO_BODY = b"POST /games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: 127", NO_BODY


class Player(Guest):
    """A visitor who asks again when the server is gone, and knows which moves it has accepted."""

    def __init__(self, address, number, thought, accepted):
        super().__init__(address)
        self.number, self.thought, self.accepted = number, thought, accepted
        self.random, self.seconds, self.requests, self.games = random.Random(number), [], 0, []

    def get(self, address, **options):
        return self._asked(super().get, address, **options)

    def text(self, address):
        began = time.monotonic()
        page = super().text(address)
        if "http-equiv" not in page:
            self.seconds.append(time.monotonic() - began)
        return page

    def play_game(self):
        time.sleep(self.thought * 2 * self.random.random())
        where, moves = self._asked(self.post, "/games", **SMALL).headers["location"], []
        while offered := self.moves(page := self._settled(where)):
            known = PLAYED.findall(page)  # one may have been kept without an answer to say so
            assert known[: len(moves)] == moves
            moves = known
            time.sleep(self.thought * 2 * self.random.random())
            chosen, at = offered[self.number % len(offered)], AT.search(page)[1]
            try:
                answer = self.post(f"{where}/move", move=chosen, at=at)
            except httpx2.TransportError:
                continue
            self.requests += 1
            if answer.status_code == 409:  # a new server loads the program
                continue
            assert answer.headers["location"] == where
            moves.append(chosen)
            self.accepted.release()
        assert PLAYED.findall(page)[: len(moves)] == moves
        self.games.append((where, PLAYED.findall(page)))

    def _settled(self, where):
        while "http-equiv" in (page := self.text(where)):  # the program thinks
            time.sleep(POLL)
        return page

    def _asked(self, ask, *words, **options):
        while True:
            try:
                answer = ask(*words, **options)
            except httpx2.TransportError:  # the server is gone, and another one begins
                time.sleep(POLL)
            else:
                self.requests += 1
                return answer


def ask_by_halves(stack, address, number):
    """Open connections that send half of a request's headers, or no body."""
    place = "127.0.0.1", int(address.rpartition(":")[2])
    opened = []
    for k in range(number):
        slow = stack.enter_context(socket.create_connection(place, timeout=PATIENCE))
        slow.sendall(HALF[k % 2])
        opened.append(slow)
    return opened


@pytest.mark.parametrize(
    ("players", "games", "thought"),
    [
        pytest.param(8, 1, 0.1, marks=pytest.mark.slow),
        pytest.param(200, 3, 3.0, marks=pytest.mark.long),
    ],
)
def test_players_at_once(tmp_path, players, games, thought):
    process, address = started(tmp_path)
    accepted = threading.Semaphore(0)
    everybody = [Player(address, k, thought, accepted) for k in range(players)]

    def play(player):
        for _ in range(games):
            player.play_game()

    began = time.monotonic()
    try:
        Player(address, 0, 0, threading.Semaphore(0)).play_game()  # compiles
        with ExitStack() as stack, ThreadPoolExecutor(players) as threads:
            ask_by_halves(stack, address, players)
            playing = [threads.submit(play, each) for each in everybody]
            for _ in range(games * players):  # half of the moves, or a little more
                assert accepted.acquire(timeout=PATIENCE)
            process.send_signal(signal.SIGKILL)
            assert finish(process)[0] == -signal.SIGKILL
            process, _ = started(tmp_path, port=address.rpartition(":")[2])
            for slow in ask_by_halves(stack, address, players):
                while slow.recv(65_536):  # until the server closes it
                    pass
            for each in playing:
                each.result()
    finally:
        process.terminate()
        finish(process)
    with sqlite3.connect(tmp_path / "seedfolio-web.sqlite") as connection:
        rows = connection.execute("SELECT name, moves, ending FROM game").fetchall()
    stored = {f"/games/{name}": (moves.split(), ending) for name, moves, ending in rows}
    game = load_game("domineering:4x4")
    for where, moves in (each for player in everybody for each in player.games):
        history, ending = stored[where]
        assert ([game.move_name(int(move)) for move in history[::2]], ending) == (moves, "played")
    assert sum(len(player.games) for player in everybody) == games * players
    seconds = sorted(taken for player in everybody for taken in player.seconds)
    requests, slowest = sum(each.requests for each in everybody), seconds[len(seconds) * 19 // 20]
    moves = sum(len(moves) for player in everybody for _, moves in player.games)
    print(
        f"{players} players, {games * players} games, {moves} moves, all kept; {requests} requests "
        f"in {time.monotonic() - began:.0f} s, 95% of {len(seconds)} pages in {slowest:.2f} s"
    )
