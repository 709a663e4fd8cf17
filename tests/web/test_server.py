"""The server as a process: many players at once, and killed at any moment."""

import re
import sqlite3
import subprocess

import httpx2
import pytest
from waiting import finish, start_command, wait_until
from web_players import play_all

FORM = {"kind": "original", "name": "domineering", "options": "4x4", "effort": "5"}


class Running:
    """`seedfolio web` in a folder."""

    def __init__(self, folder, *event: str) -> None:
        self.folder = folder
        self.process = start_command(["web", str(folder), "--port", "0"], folder, *event)
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line + self.process.stderr.read()
        self.address = found[0]

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self.process.terminate()
        try:
            finish(self.process)
        except subprocess.TimeoutExpired:
            self.process.kill()


def stored_games(folder):
    """Return the histories in the database, by the address of the game."""
    with sqlite3.connect(folder / "seedfolio-web.sqlite") as connection:
        rows = connection.execute("SELECT name, moves, ending FROM game").fetchall()
    return {f"/games/{name}": ([*map(int, moves.split())], ending) for name, moves, ending in rows}


def check_players(folder, players):
    with Running(folder) as running:
        with httpx2.Client(base_url=running.address, timeout=300) as first:
            wait_until(lambda: first.get("/play").status_code == 200, "the page answers")
        play_all(running.address, 1, FORM)  # compiles
        seen = play_all(running.address, players, FORM)
    assert seen.problems == []
    stored = stored_games(folder)
    from seedfolio.games import load_game

    game = load_game("domineering:4x4")
    assert len(seen.games) == players
    for address, moves in seen.games.items():
        history, over = stored[address]
        assert [game.move_name(move) for move in history[::2]] == moves
        assert over == "played"
    return seen


@pytest.mark.slow
def test_some_players_at_once(tmp_path):
    check_players(tmp_path, 12)


@pytest.mark.long
def test_200_players_at_once(tmp_path):
    seen = check_players(tmp_path, 200)
    print(f"95% of {len(seen.seconds)} pages in {seen.slowest:.3f} s")
    assert seen.slowest < 1


@pytest.mark.slow
@pytest.mark.parametrize("commit", [4, 7])
def test_a_server_that_is_killed_loses_no_finished_move(tmp_path, commit):
    """It kills itself right before it commits for the nth time; then another goes on."""
    accepted = []
    running = Running(tmp_path, "before", "commit", str(commit), "SIGKILL")
    cookies, where = play_until_killed(running, accepted)
    finish(running.process)
    from seedfolio.games import load_game

    game = load_game("domineering:4x4")
    (history, _) = stored_games(tmp_path)[where] if where else ([], None)
    own = [game.move_name(move) for move in history[::2]]
    assert own[: len(accepted)] == accepted
    assert len(own) <= len(accepted) + 1  # one may be stored whose answer was lost
    if not where:
        return
    with Running(tmp_path) as again, visitor(again.address, cookies) as client:
        page = settled(client, where)
        for move in own:
            assert f"You play {move}." in page
        assert re.search("Your turn|win", page)


def visitor(address, cookies=None):
    return httpx2.Client(base_url=address, timeout=300, cookies=cookies)


def settled(client, where):
    while "http-equiv" in (page := client.get(where).text):
        pass
    return page


def play_until_killed(running, accepted):
    """Play until the server is gone; note every move that was accepted."""
    where = cookies = None
    with visitor(running.address) as client:
        try:
            page = client.get("/play").text
            cookies = dict(client.cookies)
            token = re.search(r'name="token" value="([0-9a-f]+)"', page)[1]
            where = client.post("/games", data={"token": token, **FORM}).headers["location"]
            while offered := re.findall(
                r'<button name="move" value="([^"]+)"', page := settled(client, where)
            ):
                at = re.search(r'name="at" value="(\d+)"', page)[1]
                form = {"token": token, "at": at, "move": offered[0]}
                assert client.post(f"{where}/move", data=form).status_code == 303
                accepted.append(offered[0])
        except httpx2.TransportError:
            return cookies, where
    raise AssertionError("the server was not killed")
